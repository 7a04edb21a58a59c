#!/bin/sh
# Links a program several times, each time with its functions in another order and at other distances.
#
#   duet_link_layouts.sh LAYOUTS SEED NM COMPILER ARGUMENT… -o PROGRAM ARGUMENT…
#
# DUETBENCH_LAYOUTS in the environment is used in place of LAYOUTS: `duet git --layouts=N` sets it.
#
# COMPILER… is the command that links PROGRAM; it is executed as it is, and is the first layout. The
# others are PROGRAM.layouts/1 to PROGRAM.layouts/LAYOUTS-1, from the same objects and libraries:
# duetbench/process/link_layouts.h reads them. PROGRAM.layouts/of has the checksum of PROGRAM, which
# tells whether they are of the same link.
#
# Only functions with sections of their own change places: compile with -ffunction-sections. Which linker
# the command uses decides how it is told the order:
#   GNU ld       its own linker script, with the sections of the functions first in .text
#   gold         --section-ordering-file
#   lld          --symbol-ordering-file
#   mold         --shuffle-sections
# Between the functions lie sections of random size without code, at most 256 of them.
set -eu

layouts=${DUETBENCH_LAYOUTS:-$1}
seed=$2
nm=$3
shift 3

say() { printf 'duet_link_layouts: %s\n' "$*" >&2; }

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

"$nm" "$program" | awk 'NF == 3 && $2 ~ /^[tTwWi]$/ && $3 ~ /^[A-Za-z0-9_.$]+$/ { print $3 }' |
  sort -u >"$work/functions"
if ! [ -s "$work/functions" ]; then
  say "$program has no symbols of functions: it must not be stripped when it is linked"
  exit 1
fi

if [ "$linker" = ld ]; then
  "$@" -Wl,--verbose 2>/dev/null | awk '/^=====/ { inside = !inside; next } inside' >"$work/standard"
fi

layout=1
while [ "$layout" -lt "$layouts" ]; do
  # The order, with names of sections without code between the functions, and these sections.
  awk -v seed="$seed" -v layout="$layout" -v assembly="$work/padding.s" '
    # Lehmer: the same numbers with every awk.
    function below(n) {
      state = (state * 48271) % 2147483647
      return int(state / 2147483647 * n)
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
      for (i = 0; i < count; ++i) {
        print name[i]
        if (pads < 256 && below(one_in) == 0) {
          pad = "duet_padding." pads++
          print pad
          printf ".section .text.%s,\"ax\",%%progbits\n.type %s,%%function\n%s:\n.skip %d\n", \
              pad, pad, pad, 16 * (1 + below(64)) >assembly
        }
      }
      printf ".section .note.GNU-stack,\"\",%%progbits\n" >assembly
    }' "$work/functions" >"$work/order"
  # The options are single words.
  # shellcheck disable=SC2086
  "$1" $machine -c -o "$work/padding.o" "$work/padding.s"
  case $linker in
    mold) option=-Wl,--shuffle-sections=$((seed * 1000 + layout)) ;;
    lld) option=-Wl,--no-warn-symbol-ordering,--symbol-ordering-file=$work/order ;;
    gold)
      awk '{ print ".text." $1; print ".text.hot." $1; print ".text.startup." $1 }' \
        "$work/order" >"$work/sections"
      option=-Wl,--section-ordering-file=$work/sections
      ;;
    ld)
      sed 's/.*/*(.text.& .text.hot.& .text.startup.&)/' "$work/order" >"$work/sections"
      awk -v sections="$work/sections" '
        { print }
        /^  \.text  / { is_text = 1 }
        is_text && /\{/ {
          while ((getline line <sections) > 0) print line
          is_text = 0
        }' "$work/standard" >"$work/script"
      option=-Wl,-T,$work/script
      ;;
  esac
  before=
  count=$#
  while [ "$count" -gt 0 ]; do
    argument=$1
    shift
    if [ "$before" = -o ]; then set -- "$@" "$folder/$layout"; else set -- "$@" "$argument"; fi
    before=$argument
    count=$((count - 1))
  done
  "$@" "$work/padding.o" "$option"
  if cmp -s "$program" "$folder/$layout"; then
    say "layout $layout of $program is like the first one: compile it with -ffunction-sections"
    exit 1
  fi
  layout=$((layout + 1))
done
cksum <"$program" >"$work/of"
mv "$work/of" "$folder/of"
