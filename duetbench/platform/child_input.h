#ifndef DUETBENCH_PLATFORM_CHILD_INPUT_H_
#define DUETBENCH_PLATFORM_CHILD_INPUT_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "duetbench/platform/spawn.h"

namespace duetbench {

// stdin of a child process that is to read what every other one reads, too: each run starts the
// program again. A file is opened again, at the place where it was when this process began. What
// can be read only once (a pipe, a socket) is replaced by a line without text; whether the child
// has read it tells that the child needs the data. A terminal is replaced by /dev/null.
class ChildInput {
 public:
  // `is_shared`: as above, else /dev/null. Unavailable if there is none.
  absl::Status Open(bool is_shared);

  int get() const { return input_.get(); }
  // FailedPrecondition if the child has read what stands for a pipe.
  absl::Status Check() const;

 private:
  Descriptor input_;
  bool is_pipe_ = false;
};

// FailedPrecondition, with its name, if a word of `argv`, or the value of a variable of the
// environment, names a pipe: a process that opens it waits for a writer forever, or finds it empty.
absl::Status CheckNamedInputs(const std::vector<std::string>& argv);

}  // namespace duetbench

#endif  // DUETBENCH_PLATFORM_CHILD_INPUT_H_
