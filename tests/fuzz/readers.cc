#include "tests/fuzz/readers.h"

#include <cstddef>
#include <cstdio>
#include <cstdlib>
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
#include "tests/tools/duet_stat/input/text_source.h"
#include "tools/duet_stat/input/pairs_csv.h"
#include "tools/duet_stat/input/times_csv.h"
#include "tools/duet_stat/program.h"

namespace duetbench::duet_stat {
namespace {

constexpr char kFile[] = "fuzz.csv";
constexpr std::size_t kMemoryLimit = 1 << 20;
constexpr std::size_t kMaxForAnalysis = 4096;  // bytes; keeps one input within milliseconds

void Check(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "the readers broke a promise: %s\n", what);
  std::abort();
}

void CheckError(const absl::Status& status) {
  Check(absl::StrContains(status.message(), kFile), "an error names the file");
}

absl::StatusOr<PairsData> ReadPairs(const std::string& text, std::size_t chunk) {
  PairsCsvOptions options;
  options.memory_limit = kMemoryLimit;
  PairsCsvReader reader(options);
  if (absl::Status status = reader.Add(TextSource(text, chunk), kFile); !status.ok()) return status;
  return reader.Take();
}

// All that the reader found, as one text.
std::string Summary(const absl::StatusOr<PairsData>& data) {
  if (!data.ok()) return data.status().ToString();
  std::string text;
  for (const BenchmarkPairs& benchmark : data->benchmarks) {
    absl::StrAppend(&text, "[", benchmark.name, "]", benchmark.interleaved);
    for (std::size_t r = 0; r < benchmark.runs.size(); ++r) {
      const RunOrigin& origin = benchmark.origins[r];
      absl::StrAppend(&text, " run ", origin.number, "@", origin.line, " of ", origin.machine, ": ",
                      origin.disturbed.size(), "+", origin.without_time);
      for (const stats::Pair& pair : benchmark.runs[r]) {
        absl::StrAppend(&text, " ", pair.old_time, "/", pair.new_time, "/", pair.assignment);
      }
    }
  }
  for (const std::string& notice : data->notices) absl::StrAppend(&text, "\n", notice);
  return text;
}

void CheckPairsData(const PairsData& data) {
  Check(!data.benchmarks.empty(), "an accepted file has a benchmark");
  const std::string header = "benchmark,run,old_ns,new_ns,flags,assignment\n";
  std::string written = header;
  for (const BenchmarkPairs& benchmark : data.benchmarks) {
    Check(benchmark.runs.size() == benchmark.origins.size(), "each run has an origin");
    for (std::size_t r = 0; r < benchmark.runs.size(); ++r) {
      const RunOrigin& origin = benchmark.origins[r];
      Check(origin.machine >= 0 && static_cast<std::size_t>(origin.machine) < data.machines.size(),
            "each machine has a name");
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
  if (written == header || written.size() > kMemoryLimit / 4) return;
  const absl::StatusOr<PairsData> again = ReadPairs(written, written.size());
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
  const auto open = [&](const std::string&) -> absl::StatusOr<ByteSource> {
    return TextSource(text);
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

void PrintPage(const std::string& text) {
  std::string output;
  const int status = RunProgram(text, {"--format=html", kFile}, &output);
  if (status == 0) Check(absl::StartsWith(output, "<!DOCTYPE html>"), "the output is a page");
}

}  // namespace

void FuzzReaders(absl::string_view input) {
  if (input.empty()) return;
  const std::size_t chunk = 1 + static_cast<unsigned char>(input[0]) % 64;
  const std::string text(input.substr(1));

  const absl::StatusOr<PairsData> data = ReadPairs(text, text.size() + 1);
  Check(Summary(data) == Summary(ReadPairs(text, chunk)), "blocks do not matter");
  if (data.ok()) {
    CheckPairsData(*data);
  } else {
    CheckError(data.status());
  }

  PairsCsvOptions options;
  options.memory_limit = kMemoryLimit;
  const absl::StatusOr<TimesData> times = ReadTimesCsv(TextSource(text, chunk), kFile, options);
  if (!times.ok()) CheckError(times.status());

  if (text.size() > kMaxForAnalysis) return;
  if (!data.ok()) PrintPage(text);  // it may be JSON
  if (data.ok()) {
    PrintJson(text,
              {"--ci=t,percentile,expanded,n-1,basic,bca,boot-t,hl,hier,anytime,ewc",
               "--estimator=trimmed,geomean,median", "--level=0.5,0.99", "--winsorize=range20",
               "--rules=all", "--mds", "--shuffle", "--resamples=20", "--format=json", kFile});
    PrintJson(text, {"--format=json", kFile});
  }
  if (times.ok()) {
    PrintJson(text, {"--compare=fuzz.csv,fuzz.csv", "--resamples=20", "--format=json"});
  }
}

}  // namespace duetbench::duet_stat
