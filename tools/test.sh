#!/usr/bin/env bash
# Sets up, builds and runs the tests.
#
#   tools/test.sh [--long] [--preset=NAME]
#
#   --long          the tests labelled `long` too
#   --preset=NAME   of CMakePresets.json; release by default
#
# Warnings of the compiler are errors with DUETBENCH_DEVELOPER=ON in the environment, as .ci/run has it.
#
# Exit status 0: the code is formatted, everything builds and every test passes.
set -euo pipefail

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
say() { printf 'test: %s\n' "$*"; }

preset=release
long=no
for argument in "$@"; do
  case $argument in
    --long) long=yes ;;
    --preset=*) preset=${argument#--preset=} ;;
    *)
      printf "test: unknown argument '%s'; usage: tools/test.sh [--long] [--preset=NAME]\n" \
        "$argument" >&2
      exit 2
      ;;
  esac
done

compiler=()
case $preset in
  clang) compiler=(clang) ;;
  *-clang) compiler=(clang libclang-rt-dev llvm) ;;  # for sanitizers; llvm-symbolizer names addresses
esac
"$top/tools/setup.sh" git clang-format "${compiler[@]}"
cd "$top"
jobs=$(nproc)

# Each version of clang-format breaks some lines elsewhere.
formatter=14
version=$(clang-format --version | sed -nE 's/.* version ([0-9]+)\..*/\1/p')
if [[ $version == "$formatter" ]]; then
  say "clang-format"
  if [[ -e .git ]]; then
    git ls-files -z '*.cc' '*.h'
  else
    find duetbench samples tests tools \( -name '*.cc' -o -name '*.h' \) -print0
  fi | xargs -0 clang-format --dry-run -Werror
else
  say "the format is not checked: the code is formatted by clang-format $formatter, and this is $version"
fi

say "building in build/$preset, $jobs at a time"
cmake --preset "$preset" -DDUETBENCH_DEVELOPER="${DUETBENCH_DEVELOPER:-OFF}"
cmake --build --preset "$preset" --parallel "$jobs"

failed=no
log=$(mktemp)
trap 'rm -f "$log"' EXIT
run_tests() {
  if try_tests '' "$@"; then return; fi
  if [[ $may_repeat == yes && $clean == yes ]]; then
    say "the tests that failed once more"
    if try_tests 'again: ' --rerun-failed; then return; fi
  fi
  failed=yes
}
sanitizers='Address|Thread|Leak|UndefinedBehavior'
try_tests() {
  local prefix=$1 passed=yes
  shift
  ctest --test-dir "build/$preset" --output-on-failure "$@" | tee "$log" | sed "s/^/$prefix/" ||
    passed=no
  # Not every line that names one: programs that a sanitizer was built into say so, too.
  if grep -qE "(ERROR|WARNING|SUMMARY|FATAL): ($sanitizers)Sanitizer: |: runtime error: " "$log"; then
    say "a sanitizer reported something: see above"
    clean=no
  fi
  [[ $passed == yes && $clean == yes ]]
}
clean=yes
may_repeat=no
say "tests, $jobs at a time"
run_tests --parallel "$jobs" --label-exclude '^(long|timing)$'
# Beside another guest on the core, and instrumented, code takes other times. What a sanitizer reports
# counts in every try.
may_repeat=yes
say "tests that measure time, one at a time"
run_tests --parallel 1 --label-regex '^timing$' --label-exclude '^long$'
if [[ $long == yes ]]; then
  say "long tests"
  run_tests --parallel 1 --label-regex '^long$'
fi
[[ $failed == no ]] || exit 1
