#ifndef DUETBENCH_REPORT_WORKFLOW_COMMANDS_H_
#define DUETBENCH_REPORT_WORKFLOW_COMMANDS_H_

#include <streambuf>

namespace duetbench {

// A destination of text that goes on to `out`, in which no line is a command for GitHub Actions:
// "::error::…" at its begin (after spaces), "##[error]…" anywhere. Names and messages of the user
// may look like one. A backslash makes it another text: "\::error::…", "##\[error]…".
class WithoutWorkflowCommands final : public std::streambuf {
 public:
  // `out` lives longer than this.
  explicit WithoutWorkflowCommands(std::streambuf* out) : out_(out) {}

 protected:
  int overflow(int character) override;
  int sync() override;

 private:
  bool Put(char character);
  // The line so far has only spaces; then its last characters that may begin a command.
  bool is_at_begin_ = true;
  int colons_ = 0;
  int hashes_ = 0;
  std::streambuf* const out_;
};

}  // namespace duetbench

#endif  // DUETBENCH_REPORT_WORKFLOW_COMMANDS_H_
