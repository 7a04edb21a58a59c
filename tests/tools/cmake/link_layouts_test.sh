#!/usr/bin/env bash
# Links a small program in several layouts, with each linker that the compiler finds.
#
#   link_layouts_test.sh duet_link_layouts.sh COMPILER
set -euo pipefail

script=$(realpath "$1")
compiler=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

fail() {
  printf 'FAILED: %s\n' "$*"
  exit 1
}

cat >program.cc <<'SOURCE'
#include <cstdio>
#define FUNCTION(n) __attribute__((noinline)) int Function##n(int x) { return x * n + __LINE__; }
FUNCTION(1)
FUNCTION(2)
FUNCTION(3)
FUNCTION(4)
FUNCTION(5)
int main() {
  std::printf("%d\n", Function1(Function2(Function3(Function4(Function5(1))))));
}
SOURCE
"$compiler" -O1 -ffunction-sections -c program.cc -o program.o
"$compiler" -O1 -c program.cc -o together.o

# The functions of a program in the order of their addresses, and the distances between them.
places() { nm -n "$1" | awk '/Function[0-9]/ { print $3, $1 }'; }
order() { places "$1" | cut -d' ' -f1 | paste -sd' '; }

found=0
for linker in bfd gold lld mold; do
  if ! "$compiler" "-fuse-ld=$linker" program.o -o plain 2>/dev/null; then
    echo "no $linker"
    continue
  fi
  found=$((found + 1))
  "$script" 6 1 nm "$compiler" "-fuse-ld=$linker" program.o -o program
  cmp plain program || fail "$linker: the first layout is not what the command links"
  [[ $(ls program.layouts | paste -sd' ') == '1 2 3 4 5 of' ]] || fail "$linker: $(ls program.layouts)"
  [[ $(cksum <program) == "$(cat program.layouts/of)" ]] || fail "$linker: the checksum"
  for layout in program.layouts/[1-5]; do
    [[ $("$layout") == $(./program) ]] || fail "$linker: $layout computes something else"
  done
  orders=$(for layout in program program.layouts/[1-5]; do order "$layout"; done | sort -u | wc -l)
  [[ $orders -ge 4 ]] || fail "$linker: only $orders orders in 6 layouts"
  places=$(for layout in program program.layouts/[1-5]; do places "$layout" | md5sum; done |
    sort -u | wc -l)
  [[ $places -eq 6 ]] || fail "$linker: only $places layouts differ"
  DUETBENCH_LAYOUTS=3 "$script" 6 1 nm "$compiler" "-fuse-ld=$linker" program.o -o program
  [[ $(ls program.layouts | paste -sd' ') == '1 2 of' ]] || fail "$linker: the variable has no effect"
  # The seed fixes the layouts.
  "$script" 6 1 nm "$compiler" "-fuse-ld=$linker" program.o -o program
  cp -r program.layouts first
  "$script" 6 1 nm "$compiler" "-fuse-ld=$linker" program.o -o program
  [[ $(places first/3) == $(places program.layouts/3) ]] || fail "$linker: another layout"
  "$script" 6 2 nm "$compiler" "-fuse-ld=$linker" program.o -o program
  [[ $(places first/3) != $(places program.layouts/3) ]] || fail "$linker: the same for each seed"
  rm -rf first program program.layouts
done
[[ $found -gt 0 ]] || fail "no linker works"

# What cannot be shuffled is an error, and leaves no program behind.
if "$script" 3 1 nm "$compiler" program.o -s -o program 2>stripped.log; then
  fail "a stripped program was linked"
fi
grep -q 'must not be stripped' stripped.log || fail "$(cat stripped.log)"
[[ ! -e program && ! -e program.layouts ]] || fail "a part of a failed link is left"
if "$script" 3 1 nm "$compiler" missing.o -o program 2>missing.log; then
  fail "a missing object was linked"
fi
if "$script" 3 1 nm "$compiler" program.o 2>unnamed.log; then fail "a link without -o"; fi
grep -q "no '-o PROGRAM'" unnamed.log || fail "$(cat unnamed.log)"
echo "all is well with $found linkers"
