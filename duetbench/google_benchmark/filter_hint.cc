#include "duetbench/google_benchmark/filter_hint.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "duetbench/google_benchmark/duet_instance.h"
#include "duetbench/google_benchmark/name_filter.h"

namespace duetbench {

std::string HintForRowName(const std::string& filter, const std::vector<const DuetSpec*>& specs) {
  absl::string_view name = filter;
  absl::ConsumePrefix(&name, "^");
  absl::ConsumeSuffix(&name, "$");
  if (!absl::ConsumeSuffix(&name, "/old") && !absl::ConsumeSuffix(&name, "/new")) return "";
  const std::string suggested = absl::StrCat("^", name, "$");
  const absl::StatusOr<NameFilter> parsed = NameFilter::Parse(suggested);
  if (!parsed.ok() || SelectDuets(specs, *parsed, /*default_repetitions=*/1).empty()) return "";
  return absl::StrCat("; a duet is selected as a whole: --benchmark_filter='", suggested, "'");
}

}  // namespace duetbench
