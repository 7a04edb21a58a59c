# duetbench_google_benchmark_layout(RESULT HEADERS): the numbers of google_benchmark_layout.cc for the
# version of Google Benchmark that the imported target benchmark::benchmark has, as hexadecimal digits.
# HEADERS is the folder with the headers of duetbench. Empty if it does not compile, or if the object
# file is none (link-time optimization).
function(duetbench_google_benchmark_layout result headers)
  set(${result} "" PARENT_SCOPE)
  set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
  set(file ${CMAKE_CURRENT_BINARY_DIR}/duetbench_google_benchmark_layout)
  try_compile(compiled ${CMAKE_CURRENT_BINARY_DIR}
    SOURCES ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/google_benchmark_layout.cc
    CMAKE_FLAGS "-DINCLUDE_DIRECTORIES=${headers}"
    LINK_LIBRARIES benchmark::benchmark
    CXX_STANDARD 17 CXX_STANDARD_REQUIRED ON
    COPY_FILE ${file} COPY_FILE_ERROR error)
  if(NOT compiled OR error)
    return()
  endif()
  file(READ ${file} bytes HEX)
  # "duet layout v1:" and "duet layout end", each with its zero.
  string(FIND "${bytes}" 64756574206c61796f75742076313a00 begin)
  string(FIND "${bytes}" 64756574206c61796f757420656e6400 end)
  if(begin LESS 0 OR end LESS begin)
    return()
  endif()
  math(EXPR length "${end} - ${begin}")
  string(SUBSTRING "${bytes}" ${begin} ${length} layout)
  set(${result} ${layout} PARENT_SCOPE)
endfunction()
