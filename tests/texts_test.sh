#!/usr/bin/env bash
# Checks that the texts match the tree: every C++ block is found, line for line, in a program of
# samples/, which is compiled and run; every line of CMake and Bazel blocks, without comments, is
# found in the consumer projects of tests/package; every file, flag and link target that they name
# exists. README.md has at most 200 lines. MODULE.bazel has the version of version.h.
#
#   tests/texts_test.sh REPOSITORY
set -euo pipefail
cd "$1"

texts=(README.md samples/README.md duetbench/README.md tools/README.md CONTRIBUTING.md)
failed=no
complain() {
  printf '%s: %s\n' "$text" "$*" >&2
  failed=yes
}

blocks=$(mktemp -d)
trap 'rm -rf "$blocks"' EXIT

# Whether $2 contains the lines of $1, consecutively.
contains() {
  local whole block
  whole=$(cat "$2")
  block=$(cat "$1")
  [[ $whole == *"$block"* ]]
}
check_cpp_blocks() {
  local block sample found
  rm -f "$blocks"/*
  awk -v folder="$blocks" '
    /^```cpp$/ { inside = 1; ++count; next }
    /^```$/    { inside = 0; next }
    inside     { print > (folder "/" count ".cc") }' "$text"
  for block in "$blocks"/*.cc; do
    [[ -e $block ]] || return 0
    found=no
    for sample in samples/*.cc; do
      if contains "$block" "$sample"; then found=yes; fi
    done
    [[ $found == yes ]] || complain "no sample contains this block:
$(cat "$block")"
  done
}

# check_lines LANGUAGE FILE…: each line of the blocks of this language is in one of these files.
check_lines() {
  local language=$1 line
  shift
  while read -r line; do
    grep -qxF -- "$line" <(sed 's/^ *//' "$@") || complain "none of $* contains this line: $line"
  done < <(awk -v begin="^\`\`\`$language\$" '
    $0 ~ begin { inside = 1; next }
    /^```$/    { inside = 0 }
    inside     { sub(/ *#.*/, ""); if (NF > 0) print }' "$text")
}

check_paths() {
  local path
  while read -r path; do
    [[ -e $path ]] || complain "names $path, which does not exist"
  done < <(grep -oP '(?<!release/)\b(tools|samples|tests|duetbench)/[A-Za-z_/.]*[A-Za-z_]' "$text" | sort -u |
    grep -vE '^duetbench/duetbench\.h$|//')
}

# Files of a room by their names alone: `decide/decision.h`, measure/run_process.
check_room_files() {
  local path rooms
  rooms=$(cd duetbench && printf '%s\n' */ | tr -d / | paste -sd '|')
  while read -r path; do
    [[ -e duetbench/$path || -e duetbench/$path.cc || -e duetbench/$path.h ]] ||
      complain "names duetbench/$path, which does not exist"
  done < <(grep -oP "(?<![\w/])($rooms)/[a-z_]+(\.(h|cc))?" "$text" | sort -u)
}

check_flags() {
  local flag
  while read -r flag; do
    grep -rqE "\{\"(duet_)?$flag\",|--duet_$flag=" duetbench/*/ tools/*/ --include='*.cc' --include='*.h' ||
      complain "names --duet_$flag, which does not exist"
  done < <(grep -oE -- '--duet_[a-z_]*[a-z]' "$text" | sed 's/--duet_//' | sort -u)
}

# The anchors of the headings of a text, as GitHub makes them.
anchors() {
  sed -nE 's/^#+ +//p' "$1" | tr '[:upper:] ' '[:lower:]-' | tr -cd '[:alnum:]\n_-'
}
check_links() {
  local target file
  while read -r target; do
    file=${target%%#*}
    file=${file:+$(dirname "$text")/$file}
    file=${file:-$text}
    if [[ ! -e $file ]]; then
      complain "links to $target, which does not exist"
    elif [[ $target == *'#'* ]] && ! grep -qxF -- "${target#*#}" <(anchors "$file"); then
      complain "links to $target, a heading that $file does not have"
    fi
  done < <(sed '/^```/,/^```$/d' "$text" | grep -oE '\]\([^)]+\)' | sed -E 's/^\]\(|\)$//g' |
    grep -v '^http')
}

for text in "${texts[@]}"; do
  check_cpp_blocks
  check_lines cmake tests/package/consumer/CMakeLists.txt tests/package/subproject/CMakeLists.txt
  check_lines starlark tests/package/bazel_consumer/WORKSPACE tests/package/bazel_consumer/BUILD.bazel
  check_paths
  check_flags
  check_links
  if [[ $text == duetbench/* ]]; then check_room_files; fi
done
text=README.md
grep -q '^```cpp$' "$text" || complain "has no C++ block"
[[ $(wc -l <"$text") -le 200 ]] || complain "has more than 200 lines"

version=$(sed -nE 's/^#define DUETBENCH_VERSION_(MAJOR|MINOR|PATCH) ([0-9]+)$/\2/p' duetbench/version.h |
  paste -sd.)
for text in MODULE.bazel tests/package/bazel_consumer/MODULE.bazel; do
  grep -qE "^(    |bazel_dep\(name = \"duetbench\", )version = \"$version\"" "$text" ||
    complain "has another version of duetbench than version.h, $version"
done

[[ $failed == no ]]
