#!/bin/sh
# A file of a million pairs, 110 MB, is analyzed within 45 MB beside what the program itself takes.
#
#   memory_test.sh DUET_STAT
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
awk 'BEGIN {
  print "benchmark,run,block,iteration,old_ns,new_ns,old_cpu,new_cpu,ops,flags,assignment," \
        "new_ops,old_cpu_ns,new_cpu_ns,clock,layout,start_s"
  srand(1)
  for (i = 0; i < 1000000; ++i) {
    run = int(i / 50000); pair = i % 50000; side = i % 2
    printf "BM_Old_vs_BM_New,%d,%d,%d,%.4f,%.4f,%d,%d,500,0,%d,500,50000.123,50000.123,real,0,%d.1\n",
           run, pair / 16, pair, 100 + rand(), 102 + rand(), side, 1 - side, side, run
  }
}' >"$folder/pairs.csv"
head -100 "$folder/pairs.csv" >"$folder/few.csv"

for limit in 20000 40000 80000 160000; do
  if (ulimit -v "$limit" && exec "$1" "$folder/few.csv" >/dev/null 2>&1); then break; fi
done
(ulimit -v $((limit + 45000)) && exec "$1" "$folder/pairs.csv") | grep -q "20 runs, 1000000 pairs"
