#ifndef DUETBENCH_CODE_LAYOUT_SHARED_LIBRARIES_H_
#define DUETBENCH_CODE_LAYOUT_SHARED_LIBRARIES_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace duetbench {

// A shared library as a program demands it, and the path of the file that the loader takes.
struct SharedLibrary {
  std::string name, path;
};

// True for files in the folders of the system, /lib and /usr/lib, which builds of a program have in
// common.
bool IsOfSystem(absl::string_view path);

// The shared libraries of an executable that the loader of glibc starts, which is asked for them
// (LD_TRACE_LOADED_OBJECTS) in `folder`, or in this one if that is empty. About 2 ms. Empty if the
// loader does not say.
std::vector<SharedLibrary> SharedLibrariesOf(const std::string& executable,
                                             const std::string& folder);

// The same for the text that the loader prints there.
std::vector<SharedLibrary> LibrariesInTrace(absl::string_view trace, const std::string& folder);

// The names of the libraries that the file of a library demands; empty if it cannot be read.
std::vector<std::string> DemandsOfLibrary(const std::string& path);

}  // namespace duetbench

#endif  // DUETBENCH_CODE_LAYOUT_SHARED_LIBRARIES_H_
