#ifndef DUETBENCH_TOOLS_DUET_STAT_INPUT_REPORT_JSON_H_
#define DUETBENCH_TOOLS_DUET_STAT_INPUT_REPORT_JSON_H_

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "duetbench/page/benchmark.h"
#include "duetbench/report/facts.h"
#include "tools/duet_stat/input/byte_source.h"

namespace duetbench::duet_stat {

struct Report {
  std::vector<std::pair<std::string, std::string>> context;  // as texts
  std::vector<DuetFacts> duets;
  std::map<std::string, std::string> rankings = {};  // sentences, by the last duet of their group
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
