#include "duetbench/code_layout/shared_libraries.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "duetbench/code_layout/elf_file.h"
#include "duetbench/code_layout/executable_file.h"
#include "duetbench/platform/subprocess.h"

namespace duetbench {

bool IsOfSystem(absl::string_view path) {
  constexpr absl::string_view kFolders[] = {"/lib/", "/lib64/", "/usr/lib/", "/usr/lib64/"};
  return std::any_of(std::begin(kFolders), std::end(kFolders),
                     [&](absl::string_view folder) { return absl::StartsWith(path, folder); });
}

std::vector<SharedLibrary> LibrariesInTrace(absl::string_view trace, const std::string& folder) {
  std::vector<SharedLibrary> libraries;
  for (const absl::string_view line : absl::StrSplit(trace, '\n')) {
    // "\tNAME => PATH (0xADDRESS)"; or "\tPATH (0xADDRESS)", demanded by its path.
    const size_t end = line.rfind(" (0x");
    if (!absl::StartsWith(line, "\t") || end == absl::string_view::npos) continue;
    const std::vector<std::string> parts =
        absl::StrSplit(line.substr(1, end - 1), absl::MaxSplits(" => ", 1));
    SharedLibrary library{parts.front(), parts.back()};
    if (!absl::StrContains(library.path, '/')) continue;  // of the kernel
    if (!absl::StartsWith(library.path, "/") && !folder.empty()) {
      library.path = absl::StrCat(folder, "/", library.path);
    }
    libraries.push_back(std::move(library));
  }
  return libraries;
}

std::vector<SharedLibrary> SharedLibrariesOf(const std::string& executable,
                                             const std::string& folder) {
  ChildRequest request;
  request.argv = {executable};
  request.executable = executable;
  request.folder = folder;
  request.environment = {{"LD_TRACE_LOADED_OBJECTS", "1"}};
  request.result_fd_variable = "DUET_RESULT_FD";
  request.timeout = std::chrono::seconds(10);
  request.tail_bytes = 1 << 20;
  const absl::StatusOr<ChildOutcome> outcome = RunSelf(request);
  if (!outcome.ok() || outcome->end != ChildOutcome::End::kExited) return {};
  return LibrariesInTrace(outcome->output_tail, folder);
}

std::vector<std::string> DemandsOfLibrary(const std::string& path) {
  std::vector<std::string> names;
  const absl::StatusOr<MappedFile> bytes = MappedFile::Open(path);
  if (!bytes.ok()) return names;
  const absl::StatusOr<ElfFile> file = ElfFile::Parse(bytes->bytes());
  if (!file.ok()) return names;
  for (const Elf64_Dyn& entry : file->dynamic()) {
    if (entry.d_tag == DT_NEEDED) names.push_back(file->DynamicText(entry.d_un.d_val));
  }
  return names;
}

std::string LibraryToLoad(const std::string& name) {
  const char* const lines = std::getenv(kLoadedLibrariesVariable);
  if (lines == nullptr) return name;
  const std::string path = PathOfFile(name);
  for (const absl::string_view line : absl::StrSplit(lines, '\n')) {
    const std::vector<std::string> parts = absl::StrSplit(line, '\t');
    if (parts.size() == 3 && (parts[0] == path || parts[1] == name)) return parts[2];
  }
  return name;
}

}  // namespace duetbench
