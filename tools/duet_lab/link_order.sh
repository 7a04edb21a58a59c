#!/bin/sh
# Writes a linker script that puts functions before the others, in an order and at distances that
# the seed determines: those of the objects that have a section of their own.
#
#   link_order.sh READELF SEED SCRIPT OBJECT…
set -eu
readelf=$1
seed=$2
script=$3
shift 3

{
  echo 'SECTIONS { .text.pairs : {'
  # The numbers are those of a Lehmer generator, exact in the doubles of awk.
  "$readelf" --wide --sections "$@" | grep -oE '\.text\._Z[^ ]+' | LC_ALL=C sort -u |
    awk -v seed="$seed" 'BEGIN { x = seed }
      { x = x * 16807 % 2147483647; printf "%d %s %d\n", x, $1, x % 64 * 16 }' | sort -n |
    awk '{ printf "  *(%s) . += %d;\n", $2, $3 }'
  echo '} } INSERT BEFORE .text;'
} > "$script"
