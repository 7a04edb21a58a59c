#!/usr/bin/env bash
# Installs duetbench in all its forms, moves it, and builds and runs programs of other projects with it.
#
#   tests/package/install_test.sh BUILD_FOLDER
#
# Forms: static and shared, with and without libpfm4's header, each used by find_package from a
# prefix that was moved. The static form is also used by pkg-config, by add_subdirectory, by
# FetchContent and from a .deb, which is unpacked; root installs it too if
# DUETBENCH_INSTALL_DEB=yes.
set -euo pipefail

source=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=$1
mkdir -p "$build"
build=$(cd "$build" && pwd)
jobs=$(nproc)

say() { printf 'install: %s\n' "$*"; }
fail() {
  printf 'install: %s\n' "$*" >&2
  exit 1
}

# Compiles the files of a target together, in a third less time.
unity=-DCMAKE_UNITY_BUILD=ON

# configure SHARED LIBPFM: builds the tree. All forms have one build folder: what they share is compiled
# once.
configure() {
  local without=ON
  [[ $2 == OFF ]] || without=OFF
  cmake -S "$source" -B "$build/tree" -G Ninja -DCMAKE_BUILD_TYPE=Release \
    "$unity" -DCMAKE_INSTALL_PREFIX=/usr \
    -DDUETBENCH_BUILD_TESTS=OFF -DDUETBENCH_BUILD_SAMPLES=OFF -DDUETBENCH_DEVELOPER=ON \
    -DBUILD_SHARED_LIBS="$1" -DCMAKE_DISABLE_FIND_PACKAGE_PFM="$without" >"$build/configure.log" ||
    { cat "$build/configure.log" && false; }
  cmake --build "$build/tree" --parallel "$jobs"
}

# Configures the project $1, of tests/package or a path, as $2, with the further arguments for cmake.
configure_consumer() {
  local project=$source/tests/package/$1 folder=$build/$2
  [[ $1 != /* ]] || project=$1
  shift 2
  rm -rf "$folder"
  cmake -S "$project" -B "$folder" -G Ninja -DCMAKE_BUILD_TYPE=Release \
    "$unity" -DCMAKE_CXX_FLAGS="-Wall -Wextra -Wpedantic -Werror" "$@" >"$folder.log" 2>&1 ||
    { cat "$folder.log" && false; }
}

# Configures, builds and tests it.
consume() {
  configure_consumer "$@"
  cmake --build "$build/$2" --parallel "$jobs"
  ctest --test-dir "$build/$2" --output-on-failure
}

# Checks that no file installed below $1 names a folder of this machine.
check_relocatable() {
  local file
  while read -r file; do
    fail "installed file $file names a folder of this machine:" \
      "$(grep -nE "$source|$build" "$file" | head -3)"
  done < <(grep -rlIE "$source|$build" "$1")
}

for form in "OFF ON" "ON ON" "ON OFF" "OFF OFF"; do
  read -r shared libpfm <<<"$form"
  say "BUILD_SHARED_LIBS=$shared, libpfm $libpfm"
  name=shared_$shared.libpfm_$libpfm
  configure "$shared" "$libpfm"
  rm -rf "$build/stage" "$build/$name"
  cmake --install "$build/tree" --prefix "$build/stage" --strip >/dev/null
  mv "$build/stage" "$build/$name"
  check_relocatable "$build/$name"
  if find "$build/$name" -name '*.cc' -not -name google_benchmark_layout.cc | grep .; then
    fail "sources are installed"
  fi
  consume consumer "consumer.$name" -DCMAKE_PREFIX_PATH="$build/$name"
  "$build/$name/bin/duet_stat" --version
  "$build/$name/bin/duet_lab" --version
  for schema in report duet_stat; do
    [[ -s $build/$name/share/duetbench/$schema.schema.json ]] || fail "no schema of $schema"
  done
done

say "pkg-config"
prefix=$build/shared_OFF.libpfm_ON
pc=$(find "$prefix" -name duetbench.pc)
# As in `g++ $(pkg-config …)`: the shell splits words and takes no quotes out.
read -ra flags <<<"$(PKG_CONFIG_PATH=$(dirname "$pc") pkg-config --cflags --libs duetbench)"
g++ -std=c++17 -O2 "$source/tests/package/consumer/my_benchmarks.cc" -o "$build/by_pkg_config" \
  "${flags[@]}"
"$build/by_pkg_config" --version
"$build/by_pkg_config" --benchmark_dry_run --duet_report="$build/page.html" >/dev/null

# Any version of Google Benchmark may be installed: a program compares the layout of its classes as it
# starts. This one has one more private member.
say "pkg-config, with another layout of Google Benchmark"
rm -rf "$build/other_layout"
mkdir -p "$build/other_layout/benchmark"
header=$(g++ -M -x c++ - <<<'#include <benchmark/benchmark.h>' | grep -o '[^ ]*/benchmark/benchmark\.h' | head -1)
cp "$(dirname "$header")"/* "$build/other_layout/benchmark/"
sed -i 's/^  bool started_;/  bool started_; double another_;/' "$build/other_layout/benchmark/benchmark.h"
cmp -s "$header" "$build/other_layout/benchmark/benchmark.h" && fail "State has no member started_ any more"
g++ -std=c++17 -O2 "-I$build/other_layout" "$source/tests/package/consumer/my_benchmarks.cc" \
  -o "$build/by_other_layout" "${flags[@]}"
status=0
"$build/by_other_layout" --version 2>"$build/other_layout/stderr" || status=$?
[[ $status -eq 2 ]] || fail "a program with another layout ends with $status"
grep -q 'version whose classes have another layout; build duetbench again' "$build/other_layout/stderr" ||
  fail "the error does not tell why: $(cat "$build/other_layout/stderr")"

say "Abseil"
if ldd "$build/consumer.shared_OFF.libpfm_ON/my_benchmarks" | grep libabsl; then
  fail "Abseil is not linked statically"
fi
configure_consumer consumer consumer.shared_abseil -DCMAKE_PREFIX_PATH="$prefix" \
  -DDUETBENCH_STATIC_ABSEIL=OFF
cmake --build "$build/consumer.shared_abseil" --parallel "$jobs" --target my_benchmarks
ldd "$build/consumer.shared_abseil/my_benchmarks" | grep libabsl >/dev/null ||
  fail "DUETBENCH_STATIC_ABSEIL=OFF links Abseil statically"

say "add_subdirectory and FetchContent"
consume subproject subproject -DDUETBENCH="$source"
rm -rf "$build/archive"
mkdir "$build/archive"
cp -r "$source/tests/package/subproject" "$source/tests/package/consumer" "$build/archive"
tar -C "$source" --exclude=./build --exclude=./.git --transform='s|^\.|duetbench|' \
  -czf "$build/archive/subproject/duetbench.tar.gz" .
configure_consumer "$build/archive/subproject" fetched

say "cpack"
configure OFF ON
rm -f "$build"/tree/*.deb
(cd "$build/tree" && cpack >/dev/null)
deb=("$build"/tree/*.deb)
dpkg --info "${deb[0]}"
# A later version of Google Benchmark may come: find_package and programs compare its layout.
if dpkg --field "${deb[0]}" Depends | grep 'libbenchmark[^,]*(<<'; then
  fail "the package forbids later versions of Google Benchmark"
fi
rm -rf "$build/unpacked"
dpkg -x "${deb[0]}" "$build/unpacked"
say "unpacked: $(du -sh --apparent-size "$build/unpacked" | cut -f1)"
consume consumer consumer.deb -DCMAKE_PREFIX_PATH="$build/unpacked/usr"
if [[ ${DUETBENCH_INSTALL_DEB:-} == yes && $(id -u) -eq 0 ]]; then
  trap 'dpkg -r duetbench' EXIT
  dpkg -i "${deb[0]}"
  consume consumer consumer.installed
  duet_stat --version
fi
say "all forms work"
