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

// Tells a process of a run which copies take the places of libraries that its program loads: lines
// of the path, the name (DT_SONAME) and the copy, with tabs between them.
inline constexpr char kLoadedLibrariesVariable[] = "DUETBENCH_LIBRARIES";

// The library that dlopen(`name`) is to load: a copy, or `name` itself.
std::string LibraryToLoad(const std::string& name);

}  // namespace duetbench

#endif  // DUETBENCH_CODE_LAYOUT_SHARED_LIBRARIES_H_
