# Functions for programs of duets about the addresses of their code. A part of a difference between two
# functions is not theirs: it comes from where the linker has placed them.

# duet_target_layouts(TARGET LAYOUTS [SEED N])
#
# Links the program TARGET LAYOUTS times in all, each time with its functions in another order and at
# other distances. TARGET itself is as without this; the others lie in the folder TARGET.layouts beside
# it, and are linked whenever TARGET is. It divides its runs among them: the ratio that it reports is that
# of the code, and how much the layout adds is reported too. LAYOUTS is from 3 to 64; 8 or more give
# intervals that are not much wider than those of one layout. SEED fixes the orders (default: 1).
#
# It needs the generator Ninja or Makefiles, a shell, nm and awk, and GNU ld, gold, lld or mold. Call it
# where TARGET is added. A program that is changed after its link (strip, patchelf) measures with its own
# layout alone, and says so.
function(duet_target_layouts target layouts)
  cmake_parse_arguments(arg "" "SEED" "" ${ARGN})
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "duet_target_layouts(${target}): unknown ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT layouts MATCHES "^[0-9]+$" OR layouts LESS 3 OR layouts GREATER 64)
    message(FATAL_ERROR "duet_target_layouts(${target}): ${layouts} should be a number from 3 to 64")
  endif()
  if(NOT DEFINED arg_SEED)
    set(arg_SEED 1)
  endif()
  if(NOT arg_SEED MATCHES "^[0-9]+$" OR arg_SEED GREATER 1000000)
    message(FATAL_ERROR "duet_target_layouts(${target}): SEED ${arg_SEED} should be a number up to "
      "1000000")
  endif()
  get_target_property(type ${target} TYPE)
  if(NOT type STREQUAL "EXECUTABLE")
    message(FATAL_ERROR "duet_target_layouts(${target}): it is no program")
  endif()
  if(NOT CMAKE_GENERATOR MATCHES "^Ninja|Makefiles" OR NOT CMAKE_NM OR
     NOT CMAKE_EXECUTABLE_FORMAT STREQUAL "ELF")
    message(WARNING "duet_target_layouts(${target}): one layout only; more need Ninja or Makefiles, nm "
      "and a linker for ELF")
    return()
  endif()
  # A variable of the file is not known where another project calls this.
  set(script "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/duet_link_layouts.sh")
  target_compile_options(${target} PRIVATE -ffunction-sections)
  set_property(TARGET ${target} PROPERTY CXX_LINKER_LAUNCHER
    sh "${script}" ${layouts} ${arg_SEED} "${CMAKE_NM}")
  set_property(TARGET ${target} APPEND PROPERTY ADDITIONAL_CLEAN_FILES
    "$<TARGET_FILE:${target}>.layouts")
  set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS "${script}")
endfunction()

# duet_target_aligned(TARGET…)
#
# Compiles the sources of TARGET so that functions and loops begin at multiples of 64 bytes, where the
# compiler can do that: the same code then measures more alike wherever it lies. Alignment is not how the
# code is deployed: small functions grow.
function(duet_target_aligned)
  include(CheckCXXCompilerFlag)
  foreach(flag IN ITEMS functions loops)
    check_cxx_compiler_flag(-falign-${flag}=64 duetbench_has_align_${flag})
    if(duetbench_has_align_${flag})
      foreach(target IN LISTS ARGN)
        target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-falign-${flag}=64>)
      endforeach()
    endif()
  endforeach()
endfunction()
