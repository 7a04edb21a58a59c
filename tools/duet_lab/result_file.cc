#include "tools/duet_lab/result_file.h"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace duetbench::lab {

absl::StatusOr<ResultFile> ResultFile::Create() {
  const char* directory = std::getenv("TMPDIR");
  std::string path = absl::StrCat(directory != nullptr ? directory : "/tmp", "/duet_lab_XXXXXX");
  const int descriptor = mkstemp(path.data());
  if (descriptor < 0) {
    return absl::ErrnoToStatus(errno, absl::StrCat("cannot create the file ", path));
  }
  close(descriptor);
  return ResultFile(std::move(path));
}

ResultFile::~ResultFile() {
  if (!path_.empty()) unlink(path_.c_str());
}

std::string ResultFile::Read() const {
  std::ifstream file(path_, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

}  // namespace duetbench::lab
