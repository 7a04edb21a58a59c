#!/usr/bin/env bash
# Of Google Benchmark that only calls itself another version the layout is the same, and the package of
# duetbench accepts it; a class with one more member has another layout, and is refused.
#
#   google_benchmark_layout_test.sh SOURCE_DIR HEADER_DIR LIBRARY CXX
set -euo pipefail
source=$1 headers=$2 library=$3 compiler=$4
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fail() {
  printf 'google_benchmark_layout_test: %s\n' "$*" >&2
  exit 1
}

# pretend NAME VERSION: a package of Google Benchmark with copies of the headers.
pretend() {
  mkdir -p "$folder/$1/include" "$folder/$1/lib/cmake/benchmark"
  cp -r "$headers/benchmark" "$folder/$1/include/"
  cat >"$folder/$1/lib/cmake/benchmark/benchmarkConfig.cmake" <<END
if(NOT TARGET benchmark::benchmark)
  add_library(benchmark::benchmark UNKNOWN IMPORTED)
  set_target_properties(benchmark::benchmark PROPERTIES
    IMPORTED_LOCATION "$library" INTERFACE_INCLUDE_DIRECTORIES "$folder/$1/include")
endif()
END
  cat >"$folder/$1/lib/cmake/benchmark/benchmarkConfigVersion.cmake" <<END
set(PACKAGE_VERSION $2)
set(PACKAGE_VERSION_COMPATIBLE TRUE)
END
}
pretend built 1.0.1
pretend same 1.0.2
pretend other 1.0.3
# A private member more, of the class whose copies are changed.
sed -i 's/^  bool started_;/  bool started_; double another_;/' "$folder/other/include/benchmark/benchmark.h"
cmp -s "$folder/other/include/benchmark/benchmark.h" "$headers/benchmark/benchmark.h" &&
  fail "State has no member started_ any more"

# The configuration of a package that was built with `built`, up to the targets.
mkdir -p "$folder/package" "$folder/project"
cp "$source"/tools/cmake/DuetbenchGoogleBenchmarkLayout.cmake \
  "$source"/tools/cmake/google_benchmark_layout.cc "$folder/package"
cat >"$folder/project/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.22)
project(user CXX)
find_package(benchmark CONFIG REQUIRED)
include(${package}/DuetbenchGoogleBenchmarkLayout.cmake)
duetbench_google_benchmark_layout(layout ${headers})
if(NOT EXISTS ${package}/layout)
  file(WRITE ${package}/layout "${layout}")
endif()
file(READ ${package}/layout duetbench_layout)
file(READ ${template} text)
string(FIND "${text}" "# The version that" begin)
string(FIND "${text}" "# Programs that link" end)
math(EXPR length "${end} - ${begin}")
string(SUBSTRING "${text}" ${begin} ${length} text)
string(REPLACE "@PACKAGE_CMAKE_INSTALL_INCLUDEDIR@" "${headers}" text "${text}")
string(REPLACE "@benchmark_VERSION@" "1.0.1" text "${text}")
string(REPLACE "@duetbench_layout@" "${duetbench_layout}" text "${text}")
file(WRITE ${package}/duetbenchConfig.cmake "include(CMakeFindDependencyMacro)\n${text}")
find_package(duetbench CONFIG PATHS ${package} NO_DEFAULT_PATH)
message(STATUS "layout: ${layout}")
message(STATUS "found: ${duetbench_FOUND}")
END
# configure NAME: prints what CMake says with that version.
configure() {
  cmake -S "$folder/project" -B "$folder/build-$1" -DCMAKE_CXX_COMPILER="$compiler" \
    -DCMAKE_PREFIX_PATH="$folder/$1" -Dpackage="$folder/package" -Dheaders="$source" \
    -Dtemplate="$source/tools/cmake/duetbenchConfig.cmake.in" 2>&1 || true
}
layout_of() { sed -n 's/^-- layout: //p' <<<"$1"; }
built=$(configure built)
same=$(configure same)
other=$(configure other)
[[ -n $(layout_of "$built") ]] || fail "there is no layout: $built"
[[ $(layout_of "$same") == "$(layout_of "$built")" ]] || fail "the same headers have two layouts"
[[ $(layout_of "$other") != "$(layout_of "$built")" ]] || fail "a further member changes nothing"
grep -q 'found: 1' <<<"$built" || fail "the same version is refused: $built"
grep -q 'found: 1' <<<"$same" || fail "another version with the same layout is refused: $same"
grep -q 'found: 0' <<<"$other" || fail "another layout is accepted: $other"
tr -s ' \n' ' ' <<<"$other" | grep -q 'version 1.0.3 is found, whose classes have another layout' ||
  fail "the error does not tell why: $other"
