#!/usr/bin/env bash
# Checks that the README matches the tree: every C++ block is found, line for line, in a program of
# samples/, which is compiled and run; every line of its CMake and Bazel blocks, without comments, is
# found in the consumer projects of tests/package; every file and flag that it names exists.
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

# Whether $2 contains the lines of $1, consecutively.
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
  [[ $found == yes ]] || complain "no sample contains this block:
$(cat "$block")"
done

# lines LANGUAGE FILE…: the blocks of this language, in these files.
lines() {
  local language=$1 line
  shift
  while read -r line; do
    grep -qxF -- "$line" <(sed 's/^ *//' "$@") || complain "none of $* contains this line: $line"
  done < <(awk -v begin="^\`\`\`$language\$" '
    $0 ~ begin { inside = 1; next }
    /^```$/    { inside = 0 }
    inside     { sub(/ *#.*/, ""); if (NF > 0) print }' README.md)
}
lines cmake tests/package/consumer/CMakeLists.txt tests/package/subproject/CMakeLists.txt
lines starlark tests/package/bazel_consumer/WORKSPACE tests/package/bazel_consumer/BUILD.bazel

while read -r path; do
  [[ -e $path ]] || complain "names $path, which does not exist"
done < <(grep -oE '\b(tools|samples|tests|duetbench)/[A-Za-z_/.]*[A-Za-z_]' README.md | sort -u |
  grep -vE '^duetbench/duetbench\.h$|//')
while read -r flag; do
  grep -rqE "\{\"$flag\",|--duet_$flag=" duetbench tools/duet || complain "names --duet_$flag, which does not exist"
done < <(grep -oE -- '--duet_[a-z_]+' README.md | sed 's/--duet_//' | sort -u)

[[ $failed == no ]]
