#!/usr/bin/env bash
# Builds and tests this tree with Bazel, and then a workspace of a stranger that has it as its
# local_repository.
#
#   tests/package/bazel_test.sh FOLDER [BAZEL_OPTION…]
set -euo pipefail

source=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
folder=$1
shift
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)

say() { printf 'bazel: %s\n' "$*"; }

cd "$source"
say "build and test //..."
bazel build "$@" //...
bazel test "$@" //...
bazel shutdown

say "a workspace with duetbench as its local_repository"
rm -rf "$folder/consumer" "$folder/duetbench"
cp -r "$source/tests/package/bazel_consumer" "$folder/consumer"
ln -s "$source" "$folder/duetbench"
cd "$folder/consumer"
bazel test "$@" //...
if bazel build "$@" //:reaches_inside 2>"$folder/refused.log"; then
  say "the layers of the library are visible to everybody"
  exit 1
fi
grep -q 'is not visible' "$folder/refused.log" || { cat "$folder/refused.log" && exit 1; }
bazel shutdown
say "all is well"
