#!/bin/sh
# Tests of the executable, which program_test does not start: standard input and the exit status.
#
#   executable_test.sh DUET_STAT PAIRS_CSV
set -eu

"$1" --ci=t - <"$2" | grep -q "10 runs, 200 pairs, 0 dropped"

status=0
"$1" /no/such/file || status=$?
test "$status" -eq 2
