#ifndef DUETBENCH_TOOLS_DUET_STAT_INPUT_REPORT_JSON_H_
#define DUETBENCH_TOOLS_DUET_STAT_INPUT_REPORT_JSON_H_

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "duetbench/stats/interval.h"
#include "duetbench/stats/verdict.h"
#include "tools/duet_stat/input/byte_source.h"

namespace duetbench::duet_stat {

// A gate as a report gives it, before the correction for the number of gates.
struct ReportedGate {
  int outcome;  // 1 it holds, -1 it fails, 0 undecided
  double p;
};

// A counter of both variants, per iteration where duetbench counted it; nothing where the report
// has no value.
struct ReportedCounter {
  std::string name;
  std::optional<double> old_value, new_value;
  std::optional<double> ratio, lo, hi;
};

// The ratio of a quantile of single calls.
struct ReportedQuantile {
  double quantile;  // in (0, 1)
  // Nothing where the report has only a gate: there were too few calls.
  std::optional<stats::RatioInterval> interval;
  std::optional<int> gate;  // as ReportedGate::outcome
};

// The row of a duet in a report, with those of its variants.
struct ReportedDuet {
  std::string name;
  std::string error;  // why there is no ratio; else empty
  stats::RatioInterval interval{};
  stats::Verdict verdict = stats::Verdict::kInconclusive;
  double runs = 0;
  double pairs = 0;
  double dropped = 0;
  double time_ns[2] = {0, 0};               // 0: not known
  std::vector<ReportedGate> gates;          // of the ratio, of quantiles and of counters
  double allowed_lo = 0;                    // ratios that the gate allows
  double allowed_hi = 0;                    // 0: the report does not say
  std::vector<ReportedQuantile> quantiles;  // ascending
  std::vector<ReportedCounter> counters;
};

struct Report {
  std::vector<std::pair<std::string, std::string>> context;  // as texts
  std::vector<ReportedDuet> duets;
};

// True if the input, of which nothing has been read, begins like a JSON object, after white space.
// Afterwards `source` gives the same bytes from the start. An error is that of the source.
absl::StatusOr<bool> BeginsLikeJson(ByteSource* source);

// Reads what programs with duets write with --benchmark_format=json and to --benchmark_out
// (tools/report.schema.json). Of repetitions each is a duet; where the report has aggregates only,
// the pooled ones are taken. Rows of ordinary benchmarks are ignored.
//
// InvalidArgument with `name` where the input is no such JSON, is larger than `memory_limit` bytes
// or has no duets.
absl::StatusOr<Report> ReadReportJson(const ByteSource& source, const std::string& name,
                                      std::size_t memory_limit);

}  // namespace duetbench::duet_stat

#endif  // DUETBENCH_TOOLS_DUET_STAT_INPUT_REPORT_JSON_H_
