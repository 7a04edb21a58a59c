#!/usr/bin/env bash
# Sets up, builds and runs the main sample, samples/maps: two comparisons of containers.
#
#   tools/demo.sh [ARGUMENT…]     of the sample, such as --benchmark_filter=BTree
set -euo pipefail

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
say() { printf 'demo: %s\n' "$*"; }

"$top/tools/setup.sh"
caller=$PWD
cd "$top" # where the presets are
say "building samples/maps in build/release"
cmake --preset release
cmake --build --preset release --target maps
cd "$caller"
say "running samples/maps $*"
"$top/build/release/samples/maps" "$@"
