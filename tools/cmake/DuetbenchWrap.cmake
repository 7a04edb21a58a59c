# duetbench_wrap_options(RESULT): the options with which the linker diverts the calls that
# duetbench/google_benchmark/wrap.cc stands for. Where the linker has no --wrap (macOS), none: functions of
# benchmark::State& are then refused when they are measured.
function(duetbench_wrap_options result)
  set(options "")
  if(CMAKE_SYSTEM_NAME MATCHES "Linux|FreeBSD|Android")
    set(list ${PROJECT_SOURCE_DIR}/duetbench/google_benchmark/wrapped_symbols.txt)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${list})
    file(STRINGS ${list} symbols REGEX "^[^#]")
    list(TRANSFORM symbols PREPEND "LINKER:--wrap=" OUTPUT_VARIABLE options)
  endif()
  set(${result} ${options} PARENT_SCOPE)
endfunction()
