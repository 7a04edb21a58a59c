# `cmake --install` and `cpack`: a relocatable CMake package, a pkg-config file, the public headers, the
# tools, and a .deb.

include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

# duetbench_public_headers(RESULT HEADER…): HEADER… and all headers of this tree that they include,
# directly or not, as paths from its top. Only these are installed; all others are private.
function(duetbench_public_headers result)
  set(pending ${ARGN})
  set(found "")
  while(pending)
    list(POP_FRONT pending header)
    if(header IN_LIST found)
      continue()
    endif()
    list(APPEND found ${header})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${header})
    file(STRINGS ${PROJECT_SOURCE_DIR}/${header} lines REGEX "^ *# *include +[<\"]duetbench/")
    foreach(line IN LISTS lines)
      string(REGEX REPLACE ".*[<\"](duetbench/[^>\"]+)[>\"].*" "\\1" included "${line}")
      list(APPEND pending ${included})
    endforeach()
  endwhile()
  list(SORT found)
  set(${result} ${found} PARENT_SCOPE)
endfunction()

# duetbench_install_headers(HEADER…)
function(duetbench_install_headers)
  duetbench_public_headers(headers ${ARGN})
  foreach(header IN LISTS headers)
    get_filename_component(folder ${header} DIRECTORY)
    install(FILES ${PROJECT_SOURCE_DIR}/${header}
      DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/${folder})
  endforeach()
endfunction()

# duetbench.pc. A program that links the static library links its dependencies too; with the shared
# library only those that its headers include.
function(duetbench_install_pkg_config)
  set(requires "")
  set(pc_libs_private -pthread)
  foreach(library IN LISTS DUETBENCH_ABSEIL)
    string(REPLACE "absl::" "absl_" library ${library})
    list(APPEND requires ${library})
  endforeach()
  foreach(library IN LISTS CMAKE_DL_LIBS)
    list(APPEND pc_libs_private -l${library})
  endforeach()
  list(JOIN requires ", " requires)
  list(JOIN pc_libs_private " " pc_libs_private)
  get_target_property(type duetbench TYPE)
  if(type STREQUAL "STATIC_LIBRARY")
    set(pc_requires "benchmark, ${requires}")
    # The two static libraries need each other. Of two equal options pkg-config keeps one.
    set(pc_libs " -l:libduetbench.a ${pc_libs_private}")
  else()
    set(pc_requires benchmark)
    set(pc_libs "")
  endif()
  include(DuetbenchWrap)
  duetbench_wrap_options(wrap)
  list(TRANSFORM wrap REPLACE "^LINKER:" " -Wl,")
  list(JOIN wrap "" pc_wrap)
  # Relative to the folder of the .pc file: the prefix can be moved.
  set(pc_folder ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
  file(RELATIVE_PATH pc_prefix "/${pc_folder}" "/")
  string(REGEX REPLACE "/$" "" pc_prefix "${pc_prefix}")
  configure_file(${CMAKE_CURRENT_FUNCTION_LIST_DIR}/duetbench.pc.in
    ${PROJECT_BINARY_DIR}/duetbench.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/duetbench.pc DESTINATION ${pc_folder})
endfunction()

# Installs everything. Called after all targets are declared.
function(duetbench_install)
  set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/duetbench)
  set(modules ${CMAKE_CURRENT_FUNCTION_LIST_DIR})

  install(TARGETS duetbench duetbench_wrap duetbench_main EXPORT duetbenchTargets
    INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  install(EXPORT duetbenchTargets NAMESPACE duetbench:: DESTINATION ${package_folder})
  duetbench_install_headers(duetbench/duetbench.h)
  # A separate export set, which is read only where GoogleTest is found.
  if(TARGET duetbench_gtest)
    install(TARGETS duetbench_gtest EXPORT duetbenchGTestTargets
      INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
    install(EXPORT duetbenchGTestTargets NAMESPACE duetbench:: DESTINATION ${package_folder})
    duetbench_install_headers(${DUETBENCH_GTEST_HEADERS})
  endif()
  if(DUETBENCH_BUILD_TOOLS)
    file(RELATIVE_PATH libraries /${CMAKE_INSTALL_BINDIR} /${CMAKE_INSTALL_LIBDIR})
    set_target_properties(duet duet_stat duet_lab PROPERTIES INSTALL_RPATH "$ORIGIN/${libraries}")
    install(TARGETS duet duet_stat duet_lab)
  endif()
  install(TARGETS duet_report)

  get_target_property(library_type duetbench TYPE)
  get_target_property(is_imported benchmark::benchmark IMPORTED)
  set(duetbench_layout "")
  if(is_imported)
    include(DuetbenchGoogleBenchmarkLayout)
    duetbench_google_benchmark_layout(duetbench_layout ${PROJECT_SOURCE_DIR})
  endif()
  configure_package_config_file(${modules}/duetbenchConfig.cmake.in
    ${PROJECT_BINARY_DIR}/duetbenchConfig.cmake INSTALL_DESTINATION ${package_folder}
    PATH_VARS CMAKE_INSTALL_INCLUDEDIR)
  # Before 1.0.0 a minor version may change what is public.
  write_basic_package_version_file(${PROJECT_BINARY_DIR}/duetbenchConfigVersion.cmake
    COMPATIBILITY SameMinorVersion)
  install(FILES
    ${PROJECT_BINARY_DIR}/duetbenchConfig.cmake ${PROJECT_BINARY_DIR}/duetbenchConfigVersion.cmake
    DESTINATION ${package_folder})
  foreach(module IN ITEMS DuetbenchDiscoverBenchmarks.cmake DuetbenchAddBenchmarks.cmake
      DuetbenchGoogleBenchmarkLayout.cmake DuetbenchAbseil.cmake google_benchmark_layout.cc)
    if(EXISTS ${modules}/${module})
      install(FILES ${modules}/${module} DESTINATION ${package_folder})
    endif()
  endforeach()
  install(FILES
    ${PROJECT_SOURCE_DIR}/tools/report.schema.json ${PROJECT_SOURCE_DIR}/tools/duet_stat.schema.json
    DESTINATION ${CMAKE_INSTALL_DATADIR}/duetbench)
  duetbench_install_pkg_config()
endfunction()

# duetbench_package(): cpack makes duetbench_VERSION_ARCHITECTURE.deb.
macro(duetbench_package)
  set(CPACK_GENERATOR DEB)
  set(CPACK_PACKAGE_NAME duetbench)
  set(CPACK_PACKAGE_CONTACT "The duetbench authors <duetbench@example.org>")
  set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
  set(CPACK_PACKAGE_DESCRIPTION "duetbench extends Google Benchmark: it runs two variants of some \
code at the same time, on two pinned threads that synchronize before every sample, and reports an \
interval of the ratio of their times and a verdict.")
  set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
  set(CPACK_STRIP_FILES ON)
  set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
  set(CPACK_DEBIAN_PACKAGE_SECTION libdevel)
  # dpkg-shlibdeps finds the dependencies of the tools and of a shared library. What programs need in
  # order to link the library is listed here. find_package and programs compare the layout of later
  # versions of Google Benchmark.
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
  set(CPACK_DEBIAN_PACKAGE_DEPENDS "libbenchmark-dev (>= ${benchmark_VERSION})")
  get_target_property(type duetbench TYPE)
  if(type STREQUAL "STATIC_LIBRARY")
    string(APPEND CPACK_DEBIAN_PACKAGE_DEPENDS ", libabsl-dev (>= ${absl_VERSION})")
  endif()
  if(TARGET PFM::libpfm)
    set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "libpfm4")
  endif()
  if(TARGET duetbench_gtest)
    set(CPACK_DEBIAN_PACKAGE_SUGGESTS "libgtest-dev, libgmock-dev")
  endif()
  include(CPack)
endmacro()
