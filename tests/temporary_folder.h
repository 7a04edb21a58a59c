#ifndef DUETBENCH_TESTS_TEMPORARY_FOLDER_H_
#define DUETBENCH_TESTS_TEMPORARY_FOLDER_H_

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <system_error>

#include "gtest/gtest.h"

namespace duetbench {

// A folder that is removed with all that it holds at the end of its life.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string path = std::filesystem::temp_directory_path() / "duetbench-XXXXXX";
    if (mkdtemp(path.data()) == nullptr) ADD_FAILURE() << "no temporary folder " << path;
    path_ = std::filesystem::canonical(path);
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::string& path() const { return path_; }
  std::string File(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

// The text of a file; empty if there is none.
inline std::string TextOf(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

}  // namespace duetbench

#endif  // DUETBENCH_TESTS_TEMPORARY_FOLDER_H_
