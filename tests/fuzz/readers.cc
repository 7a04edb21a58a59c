#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "duetbench/decide/pairs.h"
#include "nlohmann/json.hpp"
#include "tests/fuzz/targets.h"
#include "tools/duet_stat/input/pairs_file.h"
#include "tools/duet_stat/input/times_file.h"
#include "tools/duet_stat/program.h"

namespace duetbench {
namespace {

constexpr char kFile[] = "fuzz.csv";
constexpr std::size_t kMaxForAnalysis = 4096;  // bytes; keeps one input within milliseconds

void CheckError(const absl::Status& status) {
  FuzzCheck(absl::StrContains(status.message(), kFile), "an error names the file");
}

// An input of these bytes; `stream` holds them.
duet_stat::Input InputOf(const std::string& text, std::istringstream* stream) {
  stream->str(text);
  duet_stat::Input input{kFile, stream, ""};
  std::getline(*stream, input.first_line);
  return input;
}

void CheckPairsData(const duet_stat::PairsData& data) {
  FuzzCheck(!data.benchmarks.empty(), "an accepted file has a benchmark");
  for (const duet_stat::BenchmarkPairs& benchmark : data.benchmarks) {
    FuzzCheck(benchmark.runs.size() == benchmark.origins.size(), "each run has an origin");
    for (const stats::RunPairs& run : benchmark.runs) {
      FuzzCheck(run.empty() || stats::CheckPairs(run).ok(), "accepted pairs are usable");
    }
  }
}

void PrintJson(const std::string& text, const std::vector<std::string>& arguments) {
  std::ostringstream out;
  std::ostringstream err;
  const auto open = [&](const std::string&) -> absl::StatusOr<std::unique_ptr<std::istream>> {
    return std::make_unique<std::istringstream>(text);
  };
  const int status = duet_stat::RunProgram(arguments, {open, out, err, false});
  FuzzCheck(status == 0 || status == 2, "the exit status is 0 or 2");
  if (out.str().empty()) {
    FuzzCheck(status == 2 && absl::StartsWith(err.str(), "duet_stat: "), "a refusal says why");
  } else {
    FuzzCheck(nlohmann::json::accept(out.str()), "the output is JSON");
  }
}

}  // namespace

void FuzzReaders(absl::string_view input) {
  const std::string text(input);
  std::istringstream stream;
  const auto data = duet_stat::ReadPairs({InputOf(text, &stream)});
  if (data.ok()) {
    CheckPairsData(*data);
  } else {
    CheckError(data.status());
  }
  std::istringstream stream_of_times;
  const auto times = duet_stat::ReadTimes(InputOf(text, &stream_of_times));
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

}  // namespace duetbench
