#!/usr/bin/env bash
# Sets up, builds and runs three samples: a comparison of containers, functions compared with
# themselves, and a gate that fails.
#
#   tools/demo.sh                 about 10 s after the build
#   tools/demo.sh ARGUMENT…       samples/maps alone, such as --benchmark_filter=BTree
set -euo pipefail

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
say() { printf '\ndemo: %s\n' "$*"; }
run() {
  local sample=$1
  shift
  say "samples/$sample $*"
  "$top/build/release/samples/$sample" "$@"
}

"$top/tools/setup.sh"
caller=$PWD
cd "$top" # where the presets are
samples=(maps)
[[ $# -gt 0 ]] || samples+=(same known)
say "building ${samples[*]} in build/release"
cmake --preset release -DDUETBENCH_DEVELOPER="${DUETBENCH_DEVELOPER:-OFF}"
cmake --build --preset release --target "${samples[@]}"
cd "$caller"
if [[ $# -gt 0 ]]; then
  run maps "$@"
  exit
fi

say "1. Which container finds a key faster?"
run maps --benchmark_filter=/4096$
say "2. The same function as old and as new: no difference is to be found."
run same --benchmark_filter='SortInts|HashLookUp'
say "3. New does 10 % more work, and the gate allows 5 %: the program fails, as it would in CI."
run known --benchmark_filter=TenPercentMore --duet_max_ratio=1.05 && status=0 || status=$?
say "its exit status is $status; without a regression it is 0"
