#include <algorithm>
#include <cstddef>
#include <string>

#include "duetbench/experiment/run_protocol.h"
#include "duetbench/process/crash_report.h"
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

void CheckResult(absl::string_view bytes) {
  const absl::StatusOr<RunResult> result = DecodeRunResult(bytes);
  if (!result.ok()) {
    FuzzCheck(!result.status().message().empty(), "a refused result has a message");
    return;
  }
  FuzzCheck(result->error.variant >= -1 && result->error.variant <= 1,
            "an error is of old, of new, or of neither");
  const std::string written = EncodeRunResult(*result);
  const absl::StatusOr<RunResult> again = DecodeRunResult(written);
  FuzzCheck(again.ok() && EncodeRunResult(*again) == written,
            "an accepted result is written and read");
}

void CheckSide(absl::string_view bytes) {
  const absl::StatusOr<SideResult> result = DecodeSideResult(bytes);
  if (!result.ok()) {
    FuzzCheck(!result.status().message().empty(), "a refused result has a message");
    return;
  }
  const std::string written = EncodeSideResult(*result);
  const absl::StatusOr<SideResult> again = DecodeSideResult(written);
  FuzzCheck(again.ok() && EncodeSideResult(*again) == written,
            "an accepted result is written and read");
}

const std::string& ValidSide() {
  static const auto* const bytes = new std::string(EncodeSideResult(SideResult()));
  return *bytes;
}

const std::string& ValidResult() {
  static const auto* const bytes = [] {
    RunResult result;
    result.error = {1, "threw std::runtime_error: no such file"};
    result.notice = "a notice";
    result.events.resize(2);
    result.pairs.resize(3);
    for (VariantReport& variant : result.variants) {
      variant.label = "a label";
      variant.counters.resize(2);
      variant.counters[1].name = "a counter";
    }
    return new std::string(EncodeRunResult(result));
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
  switch (static_cast<unsigned char>(input[0]) % 7) {
    case 0:
      return CheckTask(rest);
    case 1:
      return CheckResult(rest);
    case 2:
      return CheckTask(Changed(ValidTask(), rest));
    case 3:
      return CheckResult(Changed(ValidResult(), rest));
    case 4:
      return CheckSide(rest);
    case 5:
      return CheckSide(Changed(ValidSide(), rest));
    default: {
      // What a signal handler writes, with any cause.
      char buffer[kMaxCrashReportBytes];
      const int length = EncodeRunError(0, std::string(rest).c_str(), buffer);
      FuzzCheck(length > 0 && length <= kMaxCrashReportBytes, "a crash report fits");
      const absl::string_view report(buffer, static_cast<size_t>(length));
      FuzzCheck(DecodeRunResult(report).ok(), "a crash report is a result");
    }
  }
}

}  // namespace duetbench
