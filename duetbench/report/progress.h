#ifndef DUETBENCH_REPORT_PROGRESS_H_
#define DUETBENCH_REPORT_PROGRESS_H_

#include <string>

namespace duetbench {

// The progress of a benchmark in one line on a terminal, which is cleared at the end. Nothing is
// written to a pipe or a file.
class ProgressLine {
 public:
  // Writes to stderr if both stderr and stdout are terminals.
  ProgressLine();
  explicit ProgressLine(bool enabled) : enabled_(enabled) {}
  ~ProgressLine() { Clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  // "duet 2 of 12, BM_A_vs_BM_B/64: run 3 of 40, 0.9 s left". `runs` 0: calibrating.
  void Show(const std::string& name, int done, int runs, double seconds_left);
  // This text; false: there is no terminal.
  bool Show(const std::string& text);
  void Clear();

 private:
  bool enabled_;
  bool shown_ = false;
};

}  // namespace duetbench

#endif  // DUETBENCH_REPORT_PROGRESS_H_
