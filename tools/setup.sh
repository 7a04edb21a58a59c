#!/usr/bin/env bash
# Installs the missing packages that building and testing duetbench needs, with apt (Debian 12 and
# 13, and distributions derived from them).
#
#   tools/setup.sh [PACKAGE…]     further packages that the caller needs
#
# Uses sudo unless it runs as root. DUETBENCH_SETUP=skip: installs nothing, for systems with another
# package manager.
set -euo pipefail

packages=(
  cmake make ninja-build g++ pkg-config
  libbenchmark-dev libabsl-dev libgtest-dev libgmock-dev libpfm4-dev libboost-dev nlohmann-json3-dev
  libcli11-dev libvalijson-dev libdw-dev
  "$@"
)

say() { printf 'setup: %s\n' "$*"; }
fail() {
  printf 'setup: %s\n' "$*" >&2
  exit 1
}

if [[ ${DUETBENCH_SETUP:-} == skip ]]; then
  say "skipped, as DUETBENCH_SETUP says"
  exit 0
fi
if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
  fail "this is no Debian (there is no apt-get). Install what corresponds to these packages, then" \
    "run the command again with DUETBENCH_SETUP=skip: ${packages[*]}"
fi

# A package may be there for several architectures, and for a foreign one alone.
native=$(dpkg --print-architecture)
is_installed() {
  local wanted="all|$native"
  [[ $1 != *:* ]] || wanted=${1#*:}
  dpkg-query --show --showformat '${Architecture} ${db:Status-Status}\n' "$1" 2>/dev/null |
    grep -Ex "($wanted) installed" >/dev/null
}
missing=()
for package in "${packages[@]}"; do
  is_installed "$package" || missing+=("$package")
done
if [[ ${#missing[@]} -eq 0 ]]; then
  say "all packages are there"
  exit 0
fi

as_root=()
if [[ $(id -u) -ne 0 ]]; then
  command -v sudo >/dev/null ||
    fail "missing: ${missing[*]}. Installing them needs root, and there is no sudo; as root, run:" \
      "apt-get install ${missing[*]}"
  as_root=(sudo)
fi
apt() { "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq "$@"; }
install() { apt install --yes --no-install-recommends "${missing[@]}" >/dev/null; }

# A new system or container has no package lists, or old ones.
known() {
  local package
  for package in "${missing[@]}"; do
    apt-cache show "$package" >/dev/null 2>&1 || return 1
  done
}
updated=no
update() {
  say "apt-get update"
  apt update || fail "apt-get update failed: is the network up?"
  updated=yes
}
known || update
say "apt-get install ${missing[*]}"
if ! install; then
  [[ $updated == no ]] || fail "apt-get could not install: ${missing[*]}"
  update
  install || fail "apt-get could not install: ${missing[*]}"
fi
say "done"
