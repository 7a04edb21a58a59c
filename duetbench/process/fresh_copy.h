#ifndef DUETBENCH_PROCESS_FRESH_COPY_H_
#define DUETBENCH_PROCESS_FRESH_COPY_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"

namespace duetbench {

// A copy of an executable in memory, for one child: all processes of a file share the physical
// pages of its code, which decide what their addresses share in caches; those of a copy lie
// elsewhere. Lasts as long as the object, and as the processes that execute it.
//
// The child does not find shared libraries that its program looks for beside itself ($ORIGIN), and
// /proc/self/exe does not name the program.
class FreshCopy {
 public:
  // Costs reading and writing the file once. An error if there is no memfd_create, or the file
  // cannot be read.
  static absl::StatusOr<std::unique_ptr<FreshCopy>> Of(const std::string& executable);
  ~FreshCopy();
  FreshCopy(const FreshCopy&) = delete;
  FreshCopy& operator=(const FreshCopy&) = delete;

  // ChildRequest::executable.
  const std::string& path() const { return path_; }

 private:
  explicit FreshCopy(int fd);

  const int fd_;
  const std::string path_;
};

}  // namespace duetbench

#endif  // DUETBENCH_PROCESS_FRESH_COPY_H_
