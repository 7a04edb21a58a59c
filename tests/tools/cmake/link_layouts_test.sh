#!/usr/bin/env bash
# Links a small program in several layouts. Exits with 77 if the compiler does not find LINKER.
#
#   link_layouts_test.sh duet_link_layouts.sh COMPILER LINKER
set -euo pipefail

script=$(realpath "$1")
compiler=$2
linker=$3
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

if ! "$compiler" "-fuse-ld=$linker" program.o -o plain 2>absent.log; then
  echo "skipped: $compiler does not find the linker $linker: $(head -n 1 absent.log)"
  exit 77
fi
link() { "$script" 6 "$1" nm "$compiler" "-fuse-ld=$linker" program.o "${@:2}" -o program; }

link 1
cmp plain program || fail "the first layout is not what the command links"
[[ $(ls program.layouts | paste -sd' ') == '1 2 3 4 5 of' ]] || fail "$(ls program.layouts)"
[[ $(cksum <program) == "$(cat program.layouts/of)" ]] || fail "the checksum"
for layout in program.layouts/[1-5]; do
  [[ $("$layout") == $(./program) ]] || fail "$layout computes something else"
done
orders=$(for layout in program program.layouts/[1-5]; do order "$layout"; done | sort -u | wc -l)
[[ $orders -ge 4 ]] || fail "only $orders orders in 6 layouts"
places=$(for layout in program program.layouts/[1-5]; do places "$layout" | md5sum; done |
  sort -u | wc -l)
[[ $places -eq 6 ]] || fail "only $places layouts differ"
DUETBENCH_LAYOUTS=3 link 1
[[ $(ls program.layouts | paste -sd' ') == '1 2 of' ]] || fail "the variable has no effect"

# The seed fixes the layouts.
link 1
cp -r program.layouts first
link 1
[[ $(places first/3) == $(places program.layouts/3) ]] || fail "another layout"
link 2
[[ $(places first/3) != $(places program.layouts/3) ]] || fail "the same for each seed"

# The distances stay where the linker removes what nothing calls.
link 1 -Wl,--gc-sections
nm program.layouts/2 | grep -q duet_padding || fail "the padding was removed"

# What another build tool needs for a layout.
"$script" --options 2 1 nm readelf plain order padding.s options
"$compiler" -c padding.s -o padding.o
"$compiler" "-fuse-ld=$linker" program.o padding.o @options -o second
[[ $(places second) == $(places first/2) ]] || fail "--options makes another layout"
rm -rf first program program.layouts

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
echo "all is well with $linker"
