#!/bin/sh
# A program of duet_layouts_binary divides its runs among its layouts, and these differ.
#
#   layouts_test.sh PROGRAM
set -eu

fail() {
  printf 'FAILED: %s\n' "$*"
  exit 1
}

"$1" --duet_runs=8 --benchmark_min_time=0.4 --duet_inconclusive=pass >report 2>&1 ||
  fail "$(cat report)"
grep -qE ' runs (within [0-9.]+ s )?in 4 link layouts' report || fail "not in 4 layouts: $(cat report)"

program=$(readlink -f "$1")
for file in "$program" "$program".layouts/[123]; do
  nm -n "$file" | awk '$2 ~ /^[tTwW]$/ && !/duet_padding/ { print $3 }' | cksum
done | sort -u >orders
[ "$(wc -l <orders)" = 4 ] || fail "only $(wc -l <orders) orders of functions in 4 layouts"
nm "$program.layouts/1" | grep -q duet_padding || fail "the functions have no other distances"
