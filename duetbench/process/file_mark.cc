#include "duetbench/process/file_mark.h"

#include <sys/stat.h>

#include "absl/strings/str_cat.h"

namespace duetbench {

std::string MarkOfFile(const std::string& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) return "";
  return absl::StrCat(status.st_dev, ":", status.st_ino, ":", status.st_size, ":",
                      status.st_mtim.tv_sec, ".", status.st_mtim.tv_nsec);
}

}  // namespace duetbench
