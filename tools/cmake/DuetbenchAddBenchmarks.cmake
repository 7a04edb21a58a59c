# The part of duet_discover_benchmarks that runs after the build, or in ctest: lists the duets of a
# program and writes the file that adds them as tests. DuetbenchDiscoverBenchmarks.cmake generates a
# file that sets duet_*, includes this one and calls duetbench_write_tests().

cmake_policy(PUSH)
cmake_policy(VERSION 3.22)

# Sets `output` to `text`, quoted as one CMake argument.
function(duetbench_quote output text)
  set(equals "=")
  while(TRUE)
    set(close "]${equals}]")
    string(FIND "${text}${close}" "${close}" end)
    string(LENGTH "${text}" length)
    if(end EQUAL length)
      break()
    endif()
    string(APPEND equals "=")
  endwhile()
  # CMake drops a line feed directly after the bracket.
  if(text MATCHES "^\n")
    string(PREPEND text "\n")
  endif()
  set(${output} "[${equals}[${text}${close}" PARENT_SCOPE)
endfunction()

# Sets `output` to a regular expression that matches the benchmark `name` only, in every syntax that
# Google Benchmark may be built with.
function(duetbench_exact_filter output name)
  foreach(character IN ITEMS "\\" "." "[" "*" "+" "?" "^" "$" "{" "(" ")" "|")
    string(REPLACE "${character}" "\\${character}" name "${name}")
  endforeach()
  set(${output} "^${name}$" PARENT_SCOPE)
endfunction()

# Sets `output` to the list of duets that the program prints, or to "" and `failure` to a message.
function(duetbench_list_program output failure)
  execute_process(
    COMMAND ${duet_EXECUTOR} "${duet_EXECUTABLE}" ${duet_EXTRA_ARGS}
            --benchmark_format=console --duet_list=true
    WORKING_DIRECTORY "${duet_WORKING_DIRECTORY}"
    TIMEOUT ${duet_DISCOVERY_TIMEOUT}
    OUTPUT_VARIABLE listing
    ERROR_VARIABLE errors
    RESULT_VARIABLE result)
  # A program without a main of duetbench may exit with 0.
  if(result STREQUAL "0" AND "\n${listing}" MATCHES "\nduet [0-9]+ ")
    set(${output} "${listing}" PARENT_SCOPE)
    set(${failure} "" PARENT_SCOPE)
    return()
  endif()
  string(STRIP "${errors}${listing}" said)
  set(${output} "" PARENT_SCOPE)
  set(${failure} "\
duet_discover_benchmarks: the program could not be listed, or has no duets.
  Program: ${duet_EXECUTABLE} ${duet_EXTRA_ARGS} --duet_list=true
  Result: ${result}
  Output: ${said}
It needs DUET_MAIN() or duetbench::main, and at least one duet that --benchmark_filter selects."
    PARENT_SCOPE)
endfunction()

# After the build, this fails the build. In ctest it adds a test that prints the failure and fails, so
# that the other tests of the project run.
function(duetbench_report_failure failure)
  if(CMAKE_SCRIPT_MODE_FILE)
    message(FATAL_ERROR "${failure}")
  endif()
  set(message_file "${duet_TESTS_FILE}.failed.txt")
  file(WRITE "${message_file}" "${failure}\n")
  set(test "${duet_TARGET}_NOT_LISTED")
  add_test(${test} "${duet_CMAKE}" -E cat "${message_file}")
  set_tests_properties(${test} PROPERTIES FAIL_REGULAR_EXPRESSION "." LABELS duet)
endfunction()

# Appends the test `name` to `script` of the caller, of the duets that `filter` selects; it may take
# `timeout` seconds.
function(duetbench_append_test name timeout filter)
  set(command ${duet_EXECUTOR} "${duet_EXECUTABLE}" --benchmark_format=console)
  set(labels duet)
  set(properties WORKING_DIRECTORY "${duet_WORKING_DIRECTORY}" SKIP_RETURN_CODE 77
    TIMEOUT ${timeout})
  if(duet_SMOKE)
    list(APPEND labels smoke)
  else()
    list(APPEND properties RUN_SERIAL TRUE)
  endif()

  set(of_labels FALSE)
  set(is_name TRUE)
  foreach(word IN LISTS duet_PROPERTIES)
    if(is_name)
      string(COMPARE EQUAL "${word}" LABELS of_labels)
    endif()
    if(of_labels)
      if(NOT is_name)
        list(APPEND labels ${word})
      endif()
    else()
      # Escaped once, for the list of properties.
      string(REPLACE ";" "\\;" word "${word}")
      list(APPEND properties "${word}")
    endif()
    if(is_name)
      set(is_name FALSE)
    else()
      set(is_name TRUE)
    endif()
  endforeach()

  duetbench_quote(test "${duet_TEST_PREFIX}${name}")
  set(add "add_test(${test}")
  foreach(argument IN LISTS command duet_EXTRA_ARGS)
    duetbench_quote(quoted "${argument}")
    string(APPEND add " ${quoted}")
  endforeach()
  if(duet_SMOKE)
    string(APPEND add " --benchmark_dry_run=true")
  endif()
  # After EXTRA_ARGS, whose filter has selected the duets. Not in the list above: an unbalanced '['
  # would break it.
  duetbench_quote(quoted "--benchmark_filter=${filter}")
  string(APPEND add " --benchmark_list_tests=false ${quoted})\n")

  set(set "set_tests_properties(${test} PROPERTIES")
  foreach(word IN LISTS properties)
    duetbench_quote(quoted "${word}")
    string(APPEND set " ${quoted}")
  endforeach()
  duetbench_quote(quoted "${labels}")
  string(APPEND set " LABELS ${quoted})\n")
  set(script "${script}${add}${set}" PARENT_SCOPE)
endfunction()

function(duetbench_write_tests)
  # If anything fails below, no tests of an older program remain.
  file(REMOVE "${duet_TESTS_FILE}")
  duetbench_list_program(listing failure)
  if(NOT failure STREQUAL "")
    duetbench_report_failure("${failure}")
    return()
  endif()
  set(script "")
  set(tests "")
  # Line by line without lists: names hold ';' and '['.
  while(NOT listing STREQUAL "")
    string(FIND "${listing}" "\n" end)
    if(end EQUAL -1)
      string(LENGTH "${listing}" end)
    endif()
    string(SUBSTRING "${listing}" 0 ${end} line)
    math(EXPR next "${end} + 1")
    string(LENGTH "${listing}" length)
    if(next GREATER length)
      set(next ${length})
    endif()
    string(SUBSTRING "${listing}" ${next} -1 listing)
    # Other lines are output of the program.
    if(NOT line MATCHES "^duet ([0-9]+) (.+)$")
      continue()
    endif()
    set(timeout "${CMAKE_MATCH_1}")
    set(name "${CMAKE_MATCH_2}")
    # Of a group that is measured together the program says the filter.
    if(name MATCHES "^([^\t]+)\t(.+)$")
      set(name "${CMAKE_MATCH_1}")
      set(filter "${CMAKE_MATCH_2}")
    else()
      duetbench_exact_filter(filter "${name}")
    endif()
    duetbench_append_test("${name}" ${timeout} "${filter}")
    # Unbalanced brackets, or a backslash before the next element, would break the list: it omits such
    # names.
    if(NOT name MATCHES "[][]|\\\\$")
      string(REPLACE ";" "\\;" element "${duet_TEST_PREFIX}${name}")
      list(APPEND tests "${element}")
    endif()
  endwhile()
  duetbench_quote(quoted "${tests}")
  file(WRITE "${duet_TESTS_FILE}" "${script}set(${duet_TEST_LIST} ${quoted})\n")
endfunction()

cmake_policy(POP)
