#!/bin/sh
# The loop of a State of duetbench leaves the code of nearly every body as it is in Google Benchmark's:
# both have equally many conditional moves, which a compiler chooses or not by what it believes of the
# branches around. (They made a search of a std::map twice as fast.) Where set-up and loop are one
# function, g++ sometimes decides by the code before the loop, and that is not the same.
#
#   loop_code_test.sh COMPILER INCLUDE…
set -eu

here=$(cd "$(dirname "$0")" && pwd)
compiler=$1
shift
command -v objdump >/dev/null || { echo "skipped: there is no objdump"; exit 77; }
case $("$compiler" -dumpmachine) in
  x86_64-*) ;;
  *) echo "skipped: the conditional moves are those of x86-64"; exit 77 ;;
esac

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for folder in "$@"; do printf -- '-I%s\n' "$folder"; done >"$work/arguments"
"$compiler" -std=c++17 -O2 -DNDEBUG @"$work/arguments" -c "$here/loops.cc" -o "$work/loops.o"
# Google Benchmark has own code before the loop: that of an empty one is taken off.
objdump -d --no-show-raw-insn -C "$work/loops.o" | awk '
  /^[0-9a-f]+ <.*>:$/ { split($0, part, /[<(]/); name = part[2]; seen[name] }
  /\tcmov/ { ++moves[name] }
  END {
    empty = moves["Empty_google"] - moves["Empty_duetbench"]
    for (name in seen) {
      if (!sub(/_duetbench$/, "", name)) continue
      ours = moves[name "_duetbench"] + 0
      google = moves[name "_google"] - empty
      ++functions
      if (ours == google) continue
      ++different
      printf "%s: %d conditional moves, %d in the loop of Google Benchmark\n", name, ours, google
    }
    printf "%d of %d functions have other conditional moves; a tenth may\n", different, functions
    exit functions < 10 || different * 10 > functions
  }'
