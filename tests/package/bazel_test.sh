#!/usr/bin/env bash
# Builds and tests this tree with Bazel, then a workspace that has it as its local_repository.
#
#   tests/package/bazel_test.sh FOLDER [BAZEL_OPTION…]
set -euo pipefail

source=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
folder=$1
shift
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)

say() { printf 'bazel: %s\n' "$*"; }
finish() { bazel shutdown; }

# Bazel refuses to work in a path with a space.
if [[ $source$folder == *' '* ]]; then
  copy=$(mktemp -d)
  trap 'rm -rf "$copy"' EXIT
  say "there is a space in the path: in a copy of the tree"
  mkdir "$copy/duetbench" "$copy/build"
  tar -C "$source" --exclude=./build --exclude=./.git -c . | tar -C "$copy/duetbench" -x
  source=$copy/duetbench
  folder=$copy/build
  finish() { bazel clean --expunge; }  # the copy is deleted
fi

cd "$source"
say "build and test //..."
bazel build "$@" //...
bazel test --nocache_test_results "$@" //...
finish

say "a workspace with duetbench as its local_repository"
rm -rf "$folder/consumer" "$folder/duetbench"
cp -r "$source/tests/package/bazel_consumer" "$folder/consumer"
ln -s "$source" "$folder/duetbench"
cd "$folder/consumer"
bazel test --nocache_test_results "$@" //...
if bazel build "$@" //:reaches_inside 2>"$folder/refused.log"; then
  say "other workspaces can depend on private layers of the library"
  exit 1
fi
grep -q 'is not visible' "$folder/refused.log" || { cat "$folder/refused.log" && exit 1; }
finish
say "all is well"
