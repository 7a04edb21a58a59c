#!/bin/sh
# The executable itself, which program_test cannot reach: it reads standard input, and its exit status
# says what it refused.
#
#   executable_test.sh DUET_STAT PAIRS_CSV
set -eu

"$1" --ci=t,hl - <"$2" | grep -q "10 runs, 200 pairs, 0 dropped"

status=0
"$1" /no/such/file || status=$?
test "$status" -eq 2
