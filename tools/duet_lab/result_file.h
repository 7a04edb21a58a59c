#ifndef DUETBENCH_TOOLS_DUET_LAB_RESULT_FILE_H_
#define DUETBENCH_TOOLS_DUET_LAB_RESULT_FILE_H_

#include <string>
#include <utility>

#include "absl/status/statusor.h"

namespace duetbench::lab {

// An empty temporary file that a program writes its results to, removed with this. In TMPDIR, or
// else in /tmp.
class ResultFile {
 public:
  static absl::StatusOr<ResultFile> Create();
  ~ResultFile();
  ResultFile(ResultFile&& other) noexcept : path_(std::move(other.path_)) { other.path_.clear(); }
  ResultFile& operator=(ResultFile&&) = delete;

  const std::string& path() const { return path_; }
  std::string Read() const;

 private:
  explicit ResultFile(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

}  // namespace duetbench::lab

#endif  // DUETBENCH_TOOLS_DUET_LAB_RESULT_FILE_H_
