#include "duetbench/report/suite_gobench.h"

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "duetbench/report/printable.h"

namespace duetbench {
namespace {

// A line of a benchmark begins with "Benchmark" and no lower-case letter after it.
std::string GoName(const std::string& name) {
  std::string result = "Benchmark";
  if (!name.empty() && absl::ascii_islower(static_cast<unsigned char>(name[0]))) result += '_';
  for (const char c : Printable(name)) result += c == ' ' ? '_' : c;
  return result;
}

}  // namespace

std::string SuiteGobench(absl::Span<const SuiteEntry> suite, const std::string& program) {
  std::string text = absl::StrCat("pkg: ", Printable(program), "\n");
  for (const SuiteEntry& entry : suite) {
    if (entry.comparison.estimate() == nullptr) continue;
    const std::string name = GoName(entry.name);
    for (const stats::RunTimes& run : entry.run_times) {
      for (int v = 0; v < 2; ++v) {
        absl::StrAppendFormat(&text, "%s/variant=%s %d %.9g ns/op\n", name, v == 0 ? "old" : "new",
                              run.pairs, run.mean[v]);
      }
    }
  }
  return text;
}

}  // namespace duetbench
