#!/usr/bin/env bash
# shellcheck disable=SC2016  # the bodies of replaced commands are expanded when they run
# Tests of tools/setup.sh on different machines: the commands that it calls are replaced by scripts that
# answer from files and record their calls.
#
#   setup_test.sh SETUP_SH
set -euo pipefail

setup=$1
bash=$(command -v bash)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0

# A machine: its commands are in $work/bin; the lists of known and of installed packages have one name a
# line.
new_machine() {
  rm -rf "${work:?}"/*
  mkdir "$work/bin"
  : >"$work/calls"
  : >"$work/foreign"
  printf '%s\n' cmake make ninja-build g++ pkg-config libbenchmark-dev libabsl-dev libgtest-dev \
    libgmock-dev libpfm4-dev libboost-dev nlohmann-json3-dev \
    libcli11-dev libvalijson-dev libdw-dev | tee "$work/known" >"$work/installed"
  ln -s "$(command -v env)" "$(command -v grep)" "$(command -v cat)" "$work/bin"
  command_is dpkg 'echo amd64'
  command_is dpkg-query '
    grep -qx "${@: -1}" "$WORK/installed" && echo amd64 installed
    grep -qx "${@: -1}" "$WORK/foreign" && echo arm64 installed
    true'
  command_is apt-cache 'grep -qx "$2" "$WORK/known"'
  command_is id 'echo 0'
  command_is apt-get '
    echo "apt-get $*" >>"$WORK/calls"
    case " $* " in
      *" update "*) [[ ! -e $WORK/offline ]] && cat "$WORK/known_after_update" >>"$WORK/known" ;;
      *" install "*) grep -qx "${@: -1}" "$WORK/known" && [[ ! -e $WORK/unavailable ]] ;;
    esac'
  : >"$work/known_after_update"
}

command_is() {
  printf '#!%s\n%s\n' "$bash" "$2" >"$work/bin/$1"
  chmod +x "$work/bin/$1"
}

remove() { grep -vx "$1" "$work/installed" >"$work/rest" && mv "$work/rest" "$work/installed"; }

# run STATUS [PACKAGE…]: setup.sh ends with this status.
run() {
  local wanted=$1 status=0
  shift
  PATH=$work/bin WORK=$work "$bash" "$setup" "$@" >"$work/out" 2>&1 || status=$?
  [[ $status -eq $wanted ]] || complain "ended with status $status, not $wanted"
}

complain() {
  failures=$((failures + 1))
  printf 'FAILED: %s: %s\n' "$name" "$*"
  sed 's/^/    /' "$work/out" "$work/calls"
}

calls_are() { [[ $(cat "$work/calls") == "$1" ]] || complain "expected the calls: $1"; }
says() { grep -qF -- "$1" "$work/out" || complain "expected the output: $1"; }

name="nothing is missing"
new_machine
run 0
calls_are ""
says "all packages are there"

name="only what is missing is installed"
new_machine
remove libpfm4-dev
echo clang-format >>"$work/known"
run 0 clang-format
calls_are "apt-get -qq install --yes --no-install-recommends libpfm4-dev clang-format"
says "apt-get install libpfm4-dev clang-format"

name="a package of another architecture is another package"
new_machine
printf 'libpfm4-dev\ncmake\n' >"$work/foreign"
remove libpfm4-dev
run 0
calls_are "apt-get -qq install --yes --no-install-recommends libpfm4-dev"

name="without package lists they are fetched first"
new_machine
echo clang-format >>"$work/known_after_update"
run 0 clang-format
calls_are "apt-get -qq update
apt-get -qq install --yes --no-install-recommends clang-format"

name="with old package lists they are fetched, and the installation is repeated"
new_machine
remove cmake
touch "$work/unavailable"
run 1
calls_are "apt-get -qq install --yes --no-install-recommends cmake
apt-get -qq update
apt-get -qq install --yes --no-install-recommends cmake"
says "could not install: cmake"

name="a package that does not exist is an error"
new_machine
run 1 no-such-package
says "could not install: no-such-package"

name="without a network"
new_machine
touch "$work/offline"
run 1 clang-format
says "is the network up?"

name="another user than root uses sudo"
new_machine
command_is id 'echo 1000'
command_is sudo 'echo "sudo" >>"$WORK/calls"; "$@"'
remove cmake
run 0
calls_are "sudo
apt-get -qq install --yes --no-install-recommends cmake"

name="without root and sudo, the error names the command"
new_machine
command_is id 'echo 1000'
remove cmake
run 1
calls_are ""
says "as root, run: apt-get install cmake"

name="on another system"
new_machine
rm "$work/bin/apt-get"
run 1
says "this is no Debian"
says "nlohmann-json3-dev"

name="skipped"
new_machine
remove cmake
DUETBENCH_SETUP=skip run 0
calls_are ""

[[ $failures -eq 0 ]] || exit 1
echo "all passed"
