#include "duetbench/google_benchmark/name_filter.h"

#include <utility>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"

namespace duetbench {

absl::StatusOr<NameFilter> NameFilter::Parse(const std::string& text) {
  std::string expression = text.empty() || text == "all" ? "." : text;
  const bool negated = expression[0] == '-';
  if (negated) expression.erase(0, 1);
  try {
    return NameFilter(
        std::make_shared<const std::regex>(expression, std::regex_constants::extended), negated);
  } catch (const std::regex_error& error) {
    return absl::InvalidArgumentError(
        absl::StrCat("--benchmark_filter: '", text, "' is no regular expression: ", error.what()));
  }
}

bool NameFilter::Selects(const std::string& name) const {
  return !absl::StartsWith(name, "DISABLED_") && std::regex_search(name, *regex_) != negated_;
}

}  // namespace duetbench
