# Functions that declare the targets of this tree.

# Compiles a target of this tree: language, warnings.
function(duetbench_own_code target)
  target_compile_features(${target} PUBLIC cxx_std_17)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF)
  if(DUETBENCH_DEVELOPER)
    # In templates clang 14 reports the `_` of `for (auto _ : state)` as unused, whatever its type and
    # its attributes. g++ reports variables that really are unused.
    target_compile_options(${target} PRIVATE -Wall -Wextra -Werror
      $<$<CXX_COMPILER_ID:Clang>:-Wno-unused-variable>)
  endif()
endfunction()

# Compiles a target without optimization, whatever the build type: in half the time.
function(duetbench_unoptimized target)
  target_compile_options(${target} PRIVATE -O0)
endfunction()

# duetbench_test(NAME SOURCES … LIBRARIES … LABELS …): a GoogleTest program. Tests labelled `timing`
# never run beside another test. Tests labelled `long` take more than 5 seconds; they are optimized.
# Tests labelled `programs` start programs of users.
function(duetbench_test name)
  cmake_parse_arguments(arg "" "" "SOURCES;LIBRARIES;LABELS" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  if(NOT "long" IN_LIST arg_LABELS)
    duetbench_unoptimized(${name})
  endif()
  duetbench_own_code(${name})
  target_link_libraries(${name} PRIVATE ${arg_LIBRARIES} GTest::gmock GTest::gtest_main)
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR})
  target_compile_definitions(${name} PRIVATE
    DUETBENCH_TESTDATA="${PROJECT_SOURCE_DIR}/tests/testdata")
  # Tests of behaviour run beside each other and do not wait for the CPUs.
  set(properties TIMEOUT 300 ENVIRONMENT DUET_LOCK=off)
  if("long" IN_LIST arg_LABELS)
    set(properties TIMEOUT 3600 ENVIRONMENT DUET_LOCK=off)
  endif()
  if(arg_LABELS)
    list(APPEND properties LABELS "${arg_LABELS}")
  endif()
  if("timing" IN_LIST arg_LABELS)
    list(APPEND properties RUN_SERIAL TRUE)
  endif()
  gtest_discover_tests(${name} DISCOVERY_TIMEOUT 60 PROPERTIES ${properties})
endfunction()

# duetbench_sample(NAME SOURCES … LIBRARIES …): a program of samples/, and the test sample.NAME, which
# runs it briefly and passes if it exits with 0, whatever its verdicts are.
function(duetbench_sample name)
  cmake_parse_arguments(arg "" "" "SOURCES;LIBRARIES" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  duetbench_own_code(${name})
  target_link_libraries(${name} PRIVATE duetbench::duetbench ${arg_LIBRARIES})
  add_test(NAME sample.${name}
    COMMAND ${name} --benchmark_min_time=0.02 --duet_runs=2 --duet_inconclusive=pass)
  set_tests_properties(sample.${name} PROPERTIES LABELS timing RUN_SERIAL TRUE TIMEOUT 300)
endfunction()
