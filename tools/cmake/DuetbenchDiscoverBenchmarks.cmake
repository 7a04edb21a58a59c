# duet_discover_benchmarks: the duets of a program as tests of ctest.
#
#   find_package(duetbench)  # or add_subdirectory
#   add_executable(gates gates.cc)
#   target_link_libraries(gates PRIVATE duetbench::duetbench)
#   duet_discover_benchmarks(gates)
#
#   duet_discover_benchmarks(target
#     [SMOKE]                      # runs each for one iteration, without a gate
#     [TEST_PREFIX prefix]         # of the tests' names; default: the target's name and '.'
#     [EXTRA_ARGS arg …]           # to every run of the program, listing included
#     [PROPERTIES name value …]    # of every test; over those below
#     [DISCOVERY_MODE POST_BUILD|PRE_TEST]
#     [DISCOVERY_TIMEOUT seconds]  # of the listing; default: 30
#     [WORKING_DIRECTORY folder]   # default: CMAKE_CURRENT_BINARY_DIR
#     [TEST_LIST variable])        # of the tests' names, in ctest; default: <target>_DUETS
#
# There is one test for each duet of the program, and one for each group of more than two variants
# that is measured together; ordinary benchmarks have no verdict and are left out. The program must
# have a main of duetbench (DUET_MAIN or duetbench::main). A test passes, fails or is skipped as the
# exit status of the program says (0; 1 a gate failed; 2 an error; 77 skipped), and has
#
#   LABELS duet            also if PROPERTIES has labels; with SMOKE: duet and smoke
#   RUN_SERIAL TRUE        not with SMOKE: nothing is timed there
#   TIMEOUT …              many times what the benchmark's own limits allow
#   SKIP_RETURN_CODE 77
#
# and three measurements in Test.xml of `ctest -T Test`: ratio, ratio_lo, ratio_hi (not of a group,
# which has several). Names that no list of CMake can hold (with a bracket, or with a backslash at the
# end) are not in TEST_LIST.
#
# SMOKE is for builds in which times mean nothing (sanitizers, coverage) and for a quick look at a
# pull request: every variant runs. A target with both kinds of tests needs two values of TEST_PREFIX.
#
# The program is listed after it is built (POST_BUILD), or before tests are run (PRE_TEST: where it
# cannot be run while building). Default: CMAKE_DUET_DISCOVER_BENCHMARKS_DISCOVERY_MODE, else
# POST_BUILD. A program that does not exist is the test <target>_NOT_BUILT, which fails. One that
# cannot be listed does not build; with PRE_TEST it is the test <target>_NOT_LISTED, which fails.

cmake_policy(PUSH)
cmake_policy(VERSION 3.22)

include("${CMAKE_CURRENT_LIST_DIR}/DuetbenchAddBenchmarks.cmake")

function(duet_discover_benchmarks target)
  set(one_value TEST_PREFIX DISCOVERY_MODE DISCOVERY_TIMEOUT WORKING_DIRECTORY TEST_LIST)
  cmake_parse_arguments(PARSE_ARGV 1 arg "SMOKE" "${one_value}" "EXTRA_ARGS;PROPERTIES")
  if(DEFINED arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR
      "duet_discover_benchmarks(${target}): unknown arguments: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT TARGET ${target})
    message(FATAL_ERROR "duet_discover_benchmarks(${target}): there is no such target")
  endif()
  if(NOT DEFINED arg_TEST_PREFIX)
    set(arg_TEST_PREFIX "${target}.")
  endif()
  if(NOT arg_WORKING_DIRECTORY)
    set(arg_WORKING_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}")
  endif()
  if(NOT arg_TEST_LIST)
    set(arg_TEST_LIST ${target}_DUETS)
  endif()
  if(NOT arg_DISCOVERY_TIMEOUT)
    set(arg_DISCOVERY_TIMEOUT 30)
  endif()
  if(NOT arg_DISCOVERY_MODE)
    set(arg_DISCOVERY_MODE "${CMAKE_DUET_DISCOVER_BENCHMARKS_DISCOVERY_MODE}")
  endif()
  if(NOT arg_DISCOVERY_MODE)
    set(arg_DISCOVERY_MODE POST_BUILD)
  endif()
  if(NOT arg_DISCOVERY_MODE MATCHES "^(POST_BUILD|PRE_TEST)$")
    message(FATAL_ERROR "duet_discover_benchmarks(${target}): DISCOVERY_MODE is POST_BUILD or "
      "PRE_TEST, not '${arg_DISCOVERY_MODE}'")
  endif()

  # The files of this call: what to do, the tests that came of it, and what ctest includes.
  get_property(calls TARGET ${target} PROPERTY DUETBENCH_DISCOVERIES)
  list(LENGTH calls number)
  set_property(TARGET ${target} APPEND PROPERTY DUETBENCH_DISCOVERIES ${number})
  set(base "${CMAKE_CURRENT_BINARY_DIR}/${target}_duets_${number}")
  get_property(multi_config GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
  if(multi_config)
    set(config "-$<CONFIG>")
    set(tested_config "-\${CTEST_CONFIGURATION_TYPE}")
  endif()
  set(discovery_file "${base}_discovery${config}.cmake")
  set(tests_file "${base}_tests${config}.cmake")
  set(include_file "${base}_include.cmake")

  # Whatever the arguments hold goes through a file: ';' and '$' would not survive a command line.
  get_property(emulator TARGET ${target} PROPERTY CROSSCOMPILING_EMULATOR)
  set(settings "")
  duetbench_append_setting(CMAKE "${CMAKE_COMMAND}")
  duetbench_append_setting(TARGET "${target}")
  duetbench_append_setting(EXECUTABLE "$<TARGET_FILE:${target}>")
  duetbench_append_setting(EXECUTOR "${emulator}")
  duetbench_append_setting(TESTS_FILE "${tests_file}")
  foreach(name IN ITEMS
      SMOKE TEST_PREFIX EXTRA_ARGS PROPERTIES DISCOVERY_TIMEOUT WORKING_DIRECTORY TEST_LIST)
    duetbench_append_setting(${name} "${arg_${name}}")
  endforeach()
  duetbench_quote(script "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/DuetbenchAddBenchmarks.cmake")
  file(GENERATE OUTPUT "${discovery_file}" CONTENT
    "include(${script})\n${settings}duetbench_write_tests()\n")

  if(arg_DISCOVERY_MODE STREQUAL "POST_BUILD")
    # The digest makes the build tool list the program again when only the arguments have changed.
    string(SHA1 digest "${settings}")
    add_custom_command(TARGET ${target} POST_BUILD
      BYPRODUCTS "${tests_file}"
      COMMAND "${CMAKE_COMMAND}" -D duet_digest=${digest} -P "${discovery_file}"
      VERBATIM)
    set(list_again "")
    set(optional "")
  else()
    # IS_NEWER_THAN is also true of files that do not exist and of files of the same age.
    set(list_again "\
  if(NOT EXISTS \"${tests_file}\" OR
     NOT \"${tests_file}\" IS_NEWER_THAN \"$<TARGET_FILE:${target}>\" OR
     NOT \"${tests_file}\" IS_NEWER_THAN \"${discovery_file}\")
    include(\"${discovery_file}\")
  endif()
")
    # Of a program that cannot be listed there is none.
    set(optional " OPTIONAL")
  endif()
  set(not_there "NOT EXISTS \"$<TARGET_FILE:${target}>\"")
  if(NOT optional)
    string(APPEND not_there " OR NOT EXISTS \"${tests_file}\"")
  endif()
  string(CONCAT include_content
    "if(${not_there})\n"
    "  add_test(${target}_NOT_BUILT ${target}_NOT_BUILT)\n"
    "else()\n"
    "${list_again}"
    "  include(\"${tests_file}\"${optional})\n"
    "endif()\n")
  if(multi_config)
    file(GENERATE OUTPUT "${base}_include${config}.cmake" CONTENT "${include_content}")
    file(WRITE "${include_file}" "\
if(EXISTS \"${base}_include${tested_config}.cmake\")
  include(\"${base}_include${tested_config}.cmake\")
else()
  add_test(${target}_NOT_BUILT ${target}_NOT_BUILT)
endif()
")
  else()
    file(GENERATE OUTPUT "${include_file}" CONTENT "${include_content}")
  endif()
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES "${include_file}")
endfunction()

# Appends to `settings` of the caller the line that sets duet_NAME to `value`.
macro(duetbench_append_setting name value)
  duetbench_quote(quoted "${value}")
  string(APPEND settings "set(duet_${name} ${quoted})\n")
endmacro()

cmake_policy(POP)
