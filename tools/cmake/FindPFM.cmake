# Finds libpfm4, which has neither a CMake configuration nor a .pc file. Defines PFM_FOUND and the target
# PFM::libpfm, which has the same name in Google Benchmark.
find_path(PFM_INCLUDE_DIR perfmon/pfmlib_perf_event.h)
find_library(PFM_LIBRARY pfm)
mark_as_advanced(PFM_INCLUDE_DIR PFM_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(PFM REQUIRED_VARS PFM_LIBRARY PFM_INCLUDE_DIR)

if(PFM_FOUND AND NOT TARGET PFM::libpfm)
  add_library(PFM::libpfm UNKNOWN IMPORTED)
  set_target_properties(PFM::libpfm PROPERTIES
    IMPORTED_LOCATION "${PFM_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${PFM_INCLUDE_DIR}")
endif()
