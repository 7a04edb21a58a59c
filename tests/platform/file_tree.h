#ifndef DUETBENCH_TESTS_PLATFORM_FILE_TREE_H_
#define DUETBENCH_TESTS_PLATFORM_FILE_TREE_H_

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "gtest/gtest.h"

namespace duetbench {

// A temporary folder that plays the root of a file system: tests put the files of /proc and /sys
// into it that the machine in question would have.
class FileTree {
 public:
  FileTree() {
    std::string pattern = testing::TempDir() + "/duetbench_tree_XXXXXX";
    if (mkdtemp(pattern.data()) == nullptr) abort();
    root_ = pattern;
  }
  FileTree(const FileTree&) = delete;
  FileTree& operator=(const FileTree&) = delete;
  ~FileTree() { std::filesystem::remove_all(root_); }

  const std::string& root() const { return root_; }

  // Writes `text` and a line end, as the kernel does, to root() + path; makes the folders.
  void Write(const std::string& path, const std::string& text) {
    const std::filesystem::path file = root_ + path;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text << "\n";
  }

 private:
  std::string root_;
};

}  // namespace duetbench

#endif  // DUETBENCH_TESTS_PLATFORM_FILE_TREE_H_
