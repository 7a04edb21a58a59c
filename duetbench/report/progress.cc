#include "duetbench/report/progress.h"

#include <unistd.h>

#include <cstdio>

namespace duetbench {

ProgressLine::ProgressLine() : enabled_(isatty(STDERR_FILENO) != 0 && isatty(STDOUT_FILENO) != 0) {}

void ProgressLine::Show(const std::string& name, int done, int runs, double seconds_left) {
  if (!enabled_) return;
  if (runs == 0 || done == 0) {
    std::fprintf(stderr, "\r\033[K%s: starting, %.1f s to measure", name.c_str(), seconds_left);
  } else {
    std::fprintf(stderr, "\r\033[K%s: run %d of %d, %.1f s left", name.c_str(), done + 1, runs,
                 seconds_left);
  }
  std::fflush(stderr);
  shown_ = true;
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
