#ifndef DUETBENCH_CODE_LAYOUT_EXECUTABLE_FILE_H_
#define DUETBENCH_CODE_LAYOUT_EXECUTABLE_FILE_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "duetbench/platform/spawn.h"

// System calls for files of programs.
namespace duetbench {

// The bytes of a file, mapped for reading until the end.
class MappedFile {
 public:
  static absl::StatusOr<MappedFile> Open(const std::string& path);
  ~MappedFile();
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&&) = delete;

  absl::Span<const uint8_t> bytes() const { return bytes_; }

 private:
  explicit MappedFile(absl::Span<const uint8_t> bytes) : bytes_(bytes) {}
  absl::Span<const uint8_t> bytes_;
};

// The path of a file, whatever links lead to it; `path` itself if that is not known.
std::string PathOfFile(const std::string& path);
std::string FolderOf(const std::string& path_of_file);

// OK if a copy of the file can take its place: no rights belong to the file itself (set-user-ID,
// capabilities), which a copy would not have.
absl::Status CheckHasNoRights(const std::string& path);

// A new executable file with these bytes and without a name: it is gone with the last process that
// has it open or executes it. It lies in `folder`, so that its process sees that as the folder of
// its executable; or in memory if there is no place for it and `needs_folder` is false. Closed on
// exec. Executed as PathOfDescriptor.
absl::StatusOr<Descriptor> MakeExecutable(absl::Span<const uint8_t> bytes,
                                          const std::string& folder, bool needs_folder);

// Gives such a file, which no process executes any more, these bytes in place: writing to pages
// that it has takes a tenth of the time. False: it has not got them, and is of no use.
bool RewriteExecutable(const Descriptor& file, absl::Span<const uint8_t> bytes);

// "/proc/self/fd/N".
std::string PathOfDescriptor(int fd);

}  // namespace duetbench

#endif  // DUETBENCH_CODE_LAYOUT_EXECUTABLE_FILE_H_
