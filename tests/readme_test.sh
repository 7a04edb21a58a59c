#!/usr/bin/env bash
# Every C++ block of the README stands, line for line, in a program of samples/, which is compiled and
# run; the lines of its CMake and Bazel blocks, comments apart, stand in the projects of strangers in
# tests/package; and every file and flag that the README names exists.
#
#   tests/readme_test.sh REPOSITORY
set -euo pipefail
cd "$1"

failed=no
complain() {
  printf 'README.md: %s\n' "$*" >&2
  failed=yes
}

blocks=$(mktemp -d)
trap 'rm -rf "$blocks"' EXIT
awk -v folder="$blocks" '
  /^```cpp$/ { inside = 1; ++count; next }
  /^```$/    { inside = 0; next }
  inside     { print > (folder "/" count ".cc") }' README.md
[[ -n $(ls "$blocks") ]] || complain "has no C++ block"

# Whether the lines of $1 stand together in $2.
contains() {
  local text block
  text=$(cat "$2")
  block=$(cat "$1")
  [[ $text == *"$block"* ]]
}
for block in "$blocks"/*.cc; do
  found=no
  for sample in samples/*.cc; do
    if contains "$block" "$sample"; then found=yes; fi
  done
  [[ $found == yes ]] || complain "this block is in no sample:
$(cat "$block")"
done

# lines LANGUAGE FILE…: the blocks of this language, in these files.
lines() {
  local language=$1 line
  shift
  while read -r line; do
    grep -qxF -- "$line" <(sed 's/^ *//' "$@") || complain "this line is in none of $*: $line"
  done < <(awk -v begin="^\`\`\`$language\$" '
    $0 ~ begin { inside = 1; next }
    /^```$/    { inside = 0 }
    inside     { sub(/ *#.*/, ""); if (NF > 0) print }' README.md)
}
lines cmake tests/package/consumer/CMakeLists.txt
# A test that Bazel runs does not see another workspace.
if [[ -e tests/package/bazel_consumer ]]; then
  lines starlark tests/package/bazel_consumer/WORKSPACE tests/package/bazel_consumer/BUILD.bazel
fi

while read -r path; do
  [[ -e $path ]] || complain "names $path, which does not exist"
done < <(grep -oE '\b(tools|samples|tests|duetbench)/[A-Za-z_/.]*[A-Za-z_]' README.md | sort -u |
  grep -vE '^duetbench/duetbench\.h$|//')
while read -r flag; do
  grep -q "{\"$flag\"," duetbench/registry/flags.cc || complain "names --duet_$flag, which does not exist"
done < <(grep -oE -- '--duet_[a-z_]+' README.md | sed 's/--duet_//' | sort -u)

[[ $failed == no ]]
