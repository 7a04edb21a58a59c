#include "tests/fuzz/readers.h"

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "duetbench/report/pairs_file.h"
#include "duetbench/stats/pairs.h"
#include "nlohmann/json.hpp"
#include "tools/duet_stat/input/pairs_file.h"
#include "tools/duet_stat/input/times_file.h"
#include "tools/duet_stat/program.h"

namespace duetbench::duet_stat {
namespace {

constexpr char kFile[] = "fuzz.csv";
constexpr std::size_t kMaxForAnalysis = 4096;  // bytes; keeps one input within milliseconds

void Check(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "the readers broke a promise: %s\n", what);
  std::abort();
}

void CheckError(const absl::Status& status) {
  Check(absl::StrContains(status.message(), kFile), "an error names the file");
}

// An input of these bytes; `stream` holds them.
Input InputOf(const std::string& text, std::istringstream* stream) {
  stream->str(text);
  Input input{kFile, stream, ""};
  std::getline(*stream, input.first_line);
  return input;
}

absl::StatusOr<PairsData> ReadPairs(const std::string& text) {
  std::istringstream stream;
  return duet_stat::ReadPairs({InputOf(text, &stream)});
}

absl::StatusOr<TimesData> ReadTimes(const std::string& text) {
  std::istringstream stream;
  return duet_stat::ReadTimes(InputOf(text, &stream));
}

void CheckPairsData(const PairsData& data) {
  Check(!data.benchmarks.empty(), "an accepted file has a benchmark");
  const std::string header = "benchmark,run,old_ns,new_ns,flags,assignment\n";
  std::string written = header;
  for (const BenchmarkPairs& benchmark : data.benchmarks) {
    Check(benchmark.runs.size() == benchmark.origins.size(), "each run has an origin");
    for (std::size_t r = 0; r < benchmark.runs.size(); ++r) {
      const RunOrigin& origin = benchmark.origins[r];
      Check(origin.machine >= 0, "machines are numbered from 0 on");
      if (!benchmark.runs[r].empty()) {
        Check(stats::CheckPairs(benchmark.runs[r]).ok(), "accepted pairs are usable");
      }
      for (const stats::Pair& pair : benchmark.runs[r]) {
        AppendCsvCell(benchmark.name, &written);
        absl::StrAppendFormat(&written, ",%d,%.17g,%.17g,0,%d\n", r, pair.old_time, pair.new_time,
                              pair.assignment);
      }
    }
  }
  if (written == header || written.size() > kMaxForAnalysis) return;
  const absl::StatusOr<PairsData> again = ReadPairs(written);
  Check(again.ok(), "what is written is accepted");
  std::size_t next = 0;
  for (const BenchmarkPairs& benchmark : data.benchmarks) {
    std::size_t pairs = 0;
    for (const stats::RunPairs& run : benchmark.runs) pairs += run.size();
    if (pairs == 0) continue;
    const BenchmarkPairs& copy = again->benchmarks[next++];
    Check(copy.name == benchmark.name, "what is written has its name again");
    std::size_t copied = 0;
    for (const stats::RunPairs& run : benchmark.runs) {
      if (run.empty()) continue;
      const stats::RunPairs& copied_run = copy.runs[copied++];
      Check(copied_run.size() == run.size(), "what is written has its pairs again");
      for (std::size_t i = 0; i < run.size(); ++i) {
        Check(copied_run[i].old_time == run[i].old_time &&
                  copied_run[i].new_time == run[i].new_time &&
                  copied_run[i].assignment == run[i].assignment,
              "what is written is read again");
      }
    }
  }
}

int RunProgram(const std::string& text, const std::vector<std::string>& arguments,
               std::string* output) {
  std::ostringstream out;
  std::ostringstream err;
  const auto open = [&](const std::string&) -> absl::StatusOr<std::unique_ptr<std::istream>> {
    return std::make_unique<std::istringstream>(text);
  };
  const int status = duet_stat::RunProgram(arguments, {open, out, err, false});
  Check(status == 0 || status == 2, "the exit status is 0 or 2");
  *output = out.str();
  if (output->empty()) {
    Check(status == 2 && absl::StartsWith(err.str(), "duet_stat: "), "a refusal says why");
  }
  return status;
}

void PrintJson(const std::string& text, const std::vector<std::string>& arguments) {
  std::string output;
  RunProgram(text, arguments, &output);
  if (!output.empty()) Check(nlohmann::json::accept(output), "the output is JSON");
}

}  // namespace

void FuzzReaders(absl::string_view input) {
  const std::string text(input);
  const absl::StatusOr<PairsData> data = ReadPairs(text);
  if (data.ok()) {
    CheckPairsData(*data);
  } else {
    CheckError(data.status());
  }
  const absl::StatusOr<TimesData> times = ReadTimes(text);
  if (!times.ok()) CheckError(times.status());

  if (text.size() > kMaxForAnalysis) return;
  if (data.ok()) {
    PrintJson(text, {"--ci=robust,t,percentile,hier", "--estimator=geomean", "--level=0.9",
                     "--winsorize=range20", "--rules=all", "--mds", "--shuffle", "--resamples=20",
                     "--format=json", kFile});
    PrintJson(text, {"--format=json", kFile});
  }
  if (times.ok()) {
    PrintJson(text, {"--compare", "a", "b", "--resamples=20", "--format=json"});
  }
}

}  // namespace duetbench::duet_stat
