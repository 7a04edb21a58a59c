# How the targets of this tree are declared, in one place.

# Compiles a target the way the project compiles its own code.
function(duetbench_own_code target)
  target_compile_features(${target} PUBLIC cxx_std_17)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF)
  if(DUETBENCH_PORTABLE)
    target_compile_definitions(${target} PRIVATE DUETBENCH_PORTABLE)
  endif()
  if(DUETBENCH_DEVELOPER)
    # clang 14 calls the `_` of `for (auto _ : state)` unused in templates, whatever
    # its type and its attributes; g++ finds the variables that are.
    target_compile_options(${target} PRIVATE -Wall -Wextra -Werror
      $<$<CXX_COMPILER_ID:Clang>:-Wno-unused-variable>)
  endif()
endfunction()

# duetbench_layer(NAME SOURCES … LAYERS … LIBRARIES …): one folder of duetbench/ as an object
# library duetbench_NAME. LAYERS are the layers below it that it may include.
function(duetbench_layer name)
  cmake_parse_arguments(arg "" "" "SOURCES;LAYERS;LIBRARIES" ${ARGN})
  set(target duetbench_${name})
  add_library(${target} OBJECT ${arg_SOURCES})
  duetbench_own_code(${target})
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>)
  target_link_libraries(${target} PUBLIC ${arg_LIBRARIES} Threads::Threads)
  foreach(layer IN LISTS arg_LAYERS)
    # Of an object library only the usage requirements pass on: the objects of the layers meet in
    # the library duetbench itself, or in a duetbench_test.
    target_link_libraries(${target} PUBLIC duetbench_${layer})
  endforeach()
endfunction()

# duetbench_test(NAME SOURCES … LAYERS … LIBRARIES … LABELS …): a GoogleTest program of the layers
# named (all that it needs, those below included). Tests labelled `timing` are never run beside
# another one; those labelled `long` take more than 5 seconds.
function(duetbench_test name)
  cmake_parse_arguments(arg "" "" "SOURCES;LAYERS;LIBRARIES;LABELS" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  duetbench_own_code(${name})
  foreach(layer IN LISTS arg_LAYERS)
    target_link_libraries(${name} PRIVATE duetbench_${layer})
  endforeach()
  target_link_libraries(${name} PRIVATE ${arg_LIBRARIES} GTest::gmock GTest::gtest_main)
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR})
  target_compile_definitions(${name} PRIVATE
    DUETBENCH_TESTDATA="${PROJECT_SOURCE_DIR}/tests/testdata")
  set(properties TIMEOUT 300)
  if(arg_LABELS)
    list(APPEND properties LABELS "${arg_LABELS}")
  endif()
  if("timing" IN_LIST arg_LABELS)
    list(APPEND properties RUN_SERIAL TRUE)
  endif()
  gtest_discover_tests(${name} DISCOVERY_TIMEOUT 60 PROPERTIES ${properties})
endfunction()

# duetbench_sample(NAME SOURCES … LIBRARIES …): a program of samples/, and the test sample.NAME that
# runs it for a moment: it is a program that works, whatever it finds out.
function(duetbench_sample name)
  cmake_parse_arguments(arg "" "" "SOURCES;LIBRARIES" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  duetbench_own_code(${name})
  target_link_libraries(${name} PRIVATE duetbench::duetbench ${arg_LIBRARIES})
  add_test(NAME sample.${name}
    COMMAND ${name} --benchmark_min_time=0.02 --duet_runs=2)
  set_tests_properties(sample.${name} PROPERTIES LABELS timing RUN_SERIAL TRUE TIMEOUT 300)
endfunction()
