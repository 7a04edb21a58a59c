#!/bin/sh
# Links a program several times, each time with its functions in another order and at other distances.
#
#   duet_link_layouts.sh LAYOUTS SEED NM COMPILER ARGUMENT… -o PROGRAM ARGUMENT…
#   duet_link_layouts.sh --options LAYOUT SEED NM READELF PROGRAM ORDER PADDING OPTIONS
#
# The second form links nothing: for build tools that link for themselves (tools/bazel/layouts.bzl), it
# writes what makes layout LAYOUT of PROGRAM: the file ORDER, the assembly PADDING, which is to be
# assembled and linked too, and the file OPTIONS of options for the compiler.
#
# DUETBENCH_LAYOUTS in the environment is used in place of LAYOUTS.
#
# COMPILER… is the command that links PROGRAM; it is executed as it is, and is the first layout. The
# others are PROGRAM.layouts/1 to PROGRAM.layouts/LAYOUTS-1, from the same objects and libraries:
# duetbench/process/executable.h reads them. PROGRAM.layouts/of has the checksum of PROGRAM, which
# tells whether they are of the same link.
#
# Only functions in separate sections move: compile with -ffunction-sections. Which linker
# the command uses decides how it is told the order:
#   GNU ld       a linker script, with the sections of the functions before .text
#   gold         --section-ordering-file
#   lld          --symbol-ordering-file
#   mold         --shuffle-sections
# Between the functions lie sections of random size without code, at most 256 of them. They are demanded
# as symbols, for --gc-sections would remove them.
set -eu

say() { printf 'duet_link_layouts: %s\n' "$*" >&2; }

# write_functions NM PROGRAM FUNCTIONS
write_functions() {
  "$1" "$2" | awk 'NF == 3 && $2 ~ /^[tTwWi]$/ && $3 ~ /^[A-Za-z0-9_.$]+$/ { print $3 }' |
    sort -u >"$3"
  if ! [ -s "$3" ]; then
    say "$2 has no symbols of functions: it must not be stripped when it is linked"
    exit 1
  fi
}

# write_layout LAYOUT SEED LINKER FUNCTIONS ORDER PADDING OPTIONS
write_layout() {
  # The order, with names of sections without code between the functions, and these sections.
  awk -v seed="$2" -v layout="$1" -v linker="$3" -v order="$5" -v assembly="$6" -v options="$7" '
    # Lehmer: the same numbers with every awk.
    function below(n) {
      state = (state * 48271) % 2147483647
      return int(state / 2147483647 * n)
    }
    function place(symbol) {
      if (linker == "gold") print ".text." symbol "\n.text.hot." symbol "\n.text.startup." symbol >order
      else if (linker == "ld") printf "*(.text.%s .text.hot.%s .text.startup.%s)\n", \
          symbol, symbol, symbol >order
      else print symbol >order
    }
    { name[count++] = $1 }
    END {
      state = (seed * 1000 + layout) % 2147483646 + 1
      for (i = 0; i < 10; ++i) below(2)
      for (i = count - 1; i > 0; --i) {
        j = below(i + 1)
        other = name[i]; name[i] = name[j]; name[j] = other
      }
      one_in = count > 512 ? int(count / 256) : 2
      printf "" >assembly
      printf "" >options
      if (linker == "ld") print "SECTIONS { .text.shuffled : {" >order
      for (i = 0; i < count; ++i) {
        place(name[i])
        if (pads < 256 && below(one_in) == 0) {
          pad = "duet_padding." pads++
          place(pad)
          printf ".section .text.%s,\"ax\",%%progbits\n.globl %s\n.type %s,%%function\n%s:\n.skip %d\n", \
              pad, pad, pad, pad, 16 * (1 + below(64)) >assembly
          print "-Wl,--undefined=" pad >options
        }
      }
      if (linker == "ld") print "} } INSERT BEFORE .text;" >order
      printf ".section .note.GNU-stack,\"\",%%progbits\n" >assembly
    }' "$4"
  case $3 in
    mold) printf -- '-Wl,--shuffle-sections=%s\n' $(($2 * 1000 + $1)) ;;
    lld) printf -- '-Wl,--no-warn-symbol-ordering,--symbol-ordering-file=%s\n' "$5" ;;
    gold) printf -- '-Wl,--section-ordering-file=%s\n' "$5" ;;
    ld) printf -- '-Wl,-T,%s\n' "$5" ;;
  esac >>"$7"
}

if [ "$1" = --options ]; then
  # The linker has left its name.
  case $("$5" -W -S -p .comment "$6" 2>/dev/null) in
    *' mold '*) linker=mold ;;
    *' LLD '*) linker=lld ;;
    *.note.gnu.gold-version*) linker=gold ;;
    *) linker=ld ;;
  esac
  write_functions "$4" "$6" "$7.functions"
  write_layout "$2" "$3" "$linker" "$7.functions" "$7" "$8" "$9"
  rm "$7.functions"
  exit 0
fi

layouts=${DUETBENCH_LAYOUTS:-$1}
seed=$2
nm=$3
shift 3

program=
before=
for argument in "$@"; do
  case $before in -o) program=$argument ;; esac
  before=$argument
done
if [ -z "$program" ]; then
  say "the command has no '-o PROGRAM': $*"
  exit 1
fi

folder=$program.layouts
rm -rf "$folder"
"$@"

work=
finish() {
  status=$?
  [ -z "$work" ] || rm -rf "$work"
  [ "$status" = 0 ] || rm -rf "$folder" "$program"
  exit "$status"
}
trap finish EXIT
work=$(mktemp -d)
mkdir "$folder"

# What would change the files of the first link is left out.
count=$#
while [ "$count" -gt 0 ]; do
  argument=$1
  shift
  case $argument in
    -Wl,--dependency-file* | -Wl,-Map* | -Wl,--out-implib*) ;;
    *) set -- "$@" "$argument" ;;
  esac
  count=$((count - 1))
done

version=$("$@" -Wl,--version 2>&1) || version=
case $version in
  *mold*) linker=mold ;;
  *LLD*) linker=lld ;;
  *'GNU gold'*) linker=gold ;;
  *'GNU ld'*) linker=ld ;;
  *)
    say "this needs GNU ld, gold, lld or mold; the command uses: ${version%%
*}"
    exit 1
    ;;
esac

# Options for the target machine, which the assembler needs too.
machine=
for argument in "$@"; do
  case $argument in -m32 | -m64 | -mx32 | --target=*) machine="$machine $argument" ;; esac
done

write_functions "$nm" "$program" "$work/functions"

layout=1
while [ "$layout" -lt "$layouts" ]; do
  write_layout "$layout" "$seed" "$linker" "$work/functions" "$work/order" "$work/padding.s" \
    "$work/options"
  # The options are single words.
  # shellcheck disable=SC2086
  "$1" $machine -c -o "$work/padding.o" "$work/padding.s"
  before=
  count=$#
  while [ "$count" -gt 0 ]; do
    argument=$1
    shift
    if [ "$before" = -o ]; then set -- "$@" "$folder/$layout"; else set -- "$@" "$argument"; fi
    before=$argument
    count=$((count - 1))
  done
  "$@" "$work/padding.o" "@$work/options"
  if cmp -s "$program" "$folder/$layout"; then
    say "layout $layout of $program is like the first one: compile it with -ffunction-sections"
    exit 1
  fi
  layout=$((layout + 1))
done
cksum <"$program" >"$work/of"
mv "$work/of" "$folder/of"
