#!/usr/bin/env bash
# What GitHub Actions, GitLab CI and plain scripts run and read, in the environment that each sets.
#   ci_test.sh PROGRAM   (integration_gates_program)
set -uo pipefail
program=$(realpath "$1")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
failed=no

# check STATUS WHAT COMMAND…: the command ends with this status.
check() {
  local wanted=$1 what=$2
  shift 2
  "$@" >out 2>err
  local status=$?
  [[ $status == "$wanted" ]] && return
  echo "ci_test: $what: ended with $status instead of $wanted"
  cat out err
  failed=yes
}
# has FILE TEXT
has() {
  grep -qF -- "$2" "$1" && return
  echo "ci_test: $1 does not have: $2"
  cat "$1"
  failed=yes
}

export DUET_RUNS=5 BENCHMARK_MIN_TIME=0.02
unset GITHUB_ACTIONS

# GitHub Actions: the summary of the job has what its steps have appended.
echo '# An earlier step' >summary.md
check 1 'GitHub, a gate fails' env GITHUB_ACTIONS=true GITHUB_WORKSPACE="$PWD" \
  GITHUB_STEP_SUMMARY="$PWD/summary.md" "$program" '--benchmark_filter=^(Slower|Same)/' \
  --duet_summary="$PWD/summary.md"
has out '::error file='
has out 'FAIL Slower/manual_time: new takes '
has summary.md '# An earlier step'
has summary.md '**FAIL**'
check 0 'GitHub, all gates hold' env GITHUB_ACTIONS=true "$program" '--benchmark_filter=^Same/' \
  --duet_summary="$PWD/summary.md"
has summary.md '1 gate holds'

# GitLab: JUnit as a report of the job; exit status 77 as "allow_failure: exit_codes: 77".
check 1 'GitLab, a gate fails' env GITLAB_CI=true CI=true "$program" \
  '--benchmark_filter=^(Slower|Same)/' --duet_junit=junit.xml
has junit.xml 'tests="2" failures="1" errors="0"'
check 77 'GitLab, undecided' env GITLAB_CI=true CI=true "$program" \
  '--benchmark_filter=^Close/' --duet_inconclusive=skip --duet_junit=junit.xml
has junit.xml '<skipped '

# Anywhere: the exit status alone, set up by the environment.
check 1 'plain' env DUET_MAX_RATIO=1.05 "$program" '--benchmark_filter=^Free/'
check 0 'plain' "$program" '--benchmark_filter=^Free/'

[[ $failed == no ]]
