#include <algorithm>
#include <cstddef>
#include <string>

#include "duetbench/measure/run_protocol.h"
#include "duetbench/platform/crash_report.h"
#include "tests/fuzz/targets.h"

namespace duetbench {
namespace {

void CheckTask(absl::string_view text) {
  const absl::StatusOr<RunTask> task = DecodeRunTask(text);
  if (!task.ok()) {
    FuzzCheck(!task.status().message().empty(), "a refused task has a message");
    return;
  }
  const std::string written = EncodeRunTask(*task);
  const absl::StatusOr<RunTask> again = DecodeRunTask(written);
  FuzzCheck(again.ok() && EncodeRunTask(*again) == written, "an accepted task is written and read");
}

void CheckRecord(absl::string_view bytes) {
  const absl::StatusOr<RunRecord> result = DecodeRunRecord(bytes);
  if (!result.ok()) {
    FuzzCheck(!result.status().message().empty(), "a refused result has a message");
    return;
  }
  FuzzCheck(result->error.variant >= -1 && result->error.variant < kMaxVariants,
            "an error is of a variant, or of none");
  const std::string written = EncodeRunRecord(*result);
  const absl::StatusOr<RunRecord> again = DecodeRunRecord(written);
  FuzzCheck(again.ok() && EncodeRunRecord(*again) == written,
            "an accepted result is written and read");
}

const std::string& ValidRecord() {
  static const auto* const bytes = [] {
    RunRecord record;
    record.notice = "a notice";
    record.loops.resize(2);
    for (LoopRecord& loop : record.loops) {
      loop.error = "threw std::runtime_error: no such file";
      loop.report.label = "a label";
      loop.report.counters.resize(2);
      loop.report.counters[1].name = "a counter";
      loop.samples.resize(3);
      loop.counts.resize(1);
    }
    return new std::string(EncodeRunRecord(record));
  }();
  return *bytes;
}

const std::string& ValidTask() {
  static const auto* const text = [] {
    RunTask task;
    task.parent = 4711;
    task.family = 3;
    task.ranges = {1, -2, 1 << 20};
    return new std::string(EncodeRunTask(task));
  }();
  return *text;
}

// `valid` with bytes replaced: two of `changes` are the place of each, and one is the byte. A last
// one or two are the number of bytes that are cut off.
std::string Changed(const std::string& valid, absl::string_view changes) {
  std::string text = valid;
  const auto number = [&changes](size_t at) {
    return static_cast<size_t>(static_cast<unsigned char>(changes[at]));
  };
  size_t i = 0;
  for (; i + 3 <= changes.size(); i += 3) {
    text[(256 * number(i) + number(i + 1)) % text.size()] = changes[i + 2];
  }
  for (; i < changes.size(); ++i) text.resize(text.size() - std::min(text.size(), number(i)));
  return text;
}

}  // namespace

void FuzzProtocol(absl::string_view input) {
  if (input.empty()) return;
  const absl::string_view rest = input.substr(1);
  switch (static_cast<unsigned char>(input[0]) % 5) {
    case 0:
      return CheckTask(rest);
    case 1:
      return CheckRecord(rest);
    case 2:
      return CheckTask(Changed(ValidTask(), rest));
    case 3:
      return CheckRecord(Changed(ValidRecord(), rest));
    default: {
      // A report as a signal handler writes it, with any cause.
      char buffer[kMaxCrashReportBytes];
      const int length = EncodeRunError(0, std::string(rest).c_str(), buffer);
      FuzzCheck(length > 0 && length <= kMaxCrashReportBytes, "a crash report fits");
      const absl::string_view report(buffer, static_cast<size_t>(length));
      FuzzCheck(DecodeRunRecord(report).ok(), "a crash report is a result");
    }
  }
}

}  // namespace duetbench
