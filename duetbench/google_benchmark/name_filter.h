#ifndef DUETBENCH_GOOGLE_BENCHMARK_NAME_FILTER_H_
#define DUETBENCH_GOOGLE_BENCHMARK_NAME_FILTER_H_

#include <memory>
#include <regex>
#include <string>

#include "absl/status/statusor.h"

namespace duetbench {

// --benchmark_filter as Google Benchmark reads it: an extended regular expression that is searched
// for in the whole name of a benchmark; with a leading '-' it selects the others. "" and "all"
// select every benchmark. Names that begin with "DISABLED_" are never selected.
class NameFilter {
 public:
  // InvalidArgument for what is no regular expression.
  static absl::StatusOr<NameFilter> Parse(const std::string& text);

  bool Selects(const std::string& name) const;

 private:
  NameFilter(std::shared_ptr<const std::regex> regex, bool negated)
      : regex_(std::move(regex)), negated_(negated) {}

  std::shared_ptr<const std::regex> regex_;
  bool negated_;
};

}  // namespace duetbench

#endif  // DUETBENCH_GOOGLE_BENCHMARK_NAME_FILTER_H_
