#include "duetbench/report/progress.h"

#include <unistd.h>

#include <cstdio>

#include "absl/strings/str_format.h"

namespace duetbench {

ProgressLine::ProgressLine() : enabled_(isatty(STDERR_FILENO) != 0 && isatty(STDOUT_FILENO) != 0) {}

void ProgressLine::Show(const std::string& name, int done, int runs, double seconds_left) {
  Show(runs == 0 || done == 0
           ? absl::StrFormat("%s: starting, %.1f s to measure", name, seconds_left)
           : absl::StrFormat("%s: run %d of %d, %.1f s left", name, done + 1, runs, seconds_left));
}

bool ProgressLine::Show(const std::string& text) {
  if (!enabled_) return false;
  std::fprintf(stderr, "\r\033[K%s", text.c_str());
  std::fflush(stderr);
  shown_ = true;
  return true;
}

void ProgressLine::Clear() {
  if (!shown_) return;
  std::fputs("\r\033[K", stderr);
  std::fflush(stderr);
  shown_ = false;
}

}  // namespace duetbench
