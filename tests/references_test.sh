#!/bin/bash
# references_test.sh SOURCE_DIR: a file that a comment names exists.
#
# A name is the end of a path in the tree: `stopping_rule.h`, `experiment/policy.h`.
set -u
cd "$1" || exit 2

# Files of others: of the system, of the C library, of Go and of Google Benchmark.
foreign='linux/perf_event\.h|sysexits\.h|gmock/gmock\.h|hwy/timer\.h|bench/parse\.cc|tools/compare\.py'

folders=(duetbench tools tests samples)
existing=$(find "${folders[@]}" README.md CONTRIBUTING.md CMakeLists.txt -type f)
missing=$(
  find "${folders[@]}" \( -name '*.h' -o -name '*.cc' \) -print0 | sort -z |
    xargs -0 grep -nEo '// .*' /dev/null |
    grep -Ev "$foreign" |
    grep -oE '^[^:]+:[0-9]+:|[^A-Za-z0-9_./<"-][a-z][a-z0-9_/]*\.(h|cc|sh|md|py)\b' |
    awk -v existing="$existing" '
      BEGIN {
        count = split(existing, paths, "\n")
        for (i = 1; i <= count; ++i) {
          for (path = paths[i]; ; path = substr(path, at + 1)) {
            exists[path] = 1
            at = index(path, "/")
            if (!at) break
          }
        }
      }
      /^[^:]+:[0-9]+:$/ { place = $0; next }
      { name = substr($0, 2); if (!(name in exists)) print place " there is no " name }')
[ -z "$missing" ] && exit 0
printf '%s\n' "$missing"
exit 1
