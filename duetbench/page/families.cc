#include "duetbench/page/families.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "duetbench/page/html.h"

namespace duetbench::page {
namespace {

std::string WithoutArguments(const std::string& name) {
  std::vector<std::string> kept;
  for (const absl::string_view part : absl::StrSplit(name, '/')) {
    const std::size_t colon = part.rfind(':');
    int64_t value = 0;
    const bool is_argument =
        absl::SimpleAtoi(colon == absl::string_view::npos ? part : part.substr(colon + 1), &value);
    if (kept.empty() || !is_argument) kept.emplace_back(part);
  }
  return absl::StrJoin(kept, "/");
}

// `mean` is a sum of logarithms until Finish.
void AddRatio(const ShownBenchmark& benchmark, FamilySummary* family) {
  const double ratio = benchmark.interval.ratio;
  family->least = family->count == 0 ? ratio : std::min(family->least, ratio);
  family->largest = std::max(family->largest, ratio);
  family->mean += std::log(ratio);
  ++family->verdicts[static_cast<std::size_t>(benchmark.verdict)];
  ++family->count;
}

void FinishMean(FamilySummary* family) {
  family->mean = std::exp(family->mean / static_cast<double>(family->count));
}

bool HasShownRatio(const ShownBenchmark& benchmark) {
  return benchmark.error.empty() && benchmark.interval.ratio > 0;
}

std::string VerdictCounts(const FamilySummary& family) {
  std::vector<std::string> counts;
  for (const stats::Verdict verdict : {stats::Verdict::kFaster, stats::Verdict::kSlower,
                                       stats::Verdict::kEqual, stats::Verdict::kInconclusive}) {
    const std::size_t count = family.verdicts[static_cast<std::size_t>(verdict)];
    if (count > 0) counts.push_back(absl::StrCat(count, " ", stats::VerdictName(verdict)));
  }
  return absl::StrJoin(counts, ", ");
}

std::string FamilyRow(const FamilySummary& family, const char* row_class) {
  return absl::StrCat("<tr", row_class, "><th scope=\"row\">", Breakable(family.name),
                      "</th><td class=\"num\">", family.count, "</td><td class=\"num\">",
                      absl::StrFormat("%.3g x", family.mean), "</td><td class=\"num soft\">",
                      absl::StrFormat("%.3g to %.3g x", family.least, family.largest), "</td><td>",
                      VerdictCounts(family), "</td></tr>\n");
}

}  // namespace

std::vector<FamilySummary> SummariesOf(const std::vector<ShownBenchmark>& benchmarks) {
  std::vector<FamilySummary> families;
  for (const ShownBenchmark& benchmark : benchmarks) {
    if (!HasShownRatio(benchmark)) continue;
    const std::string name = WithoutArguments(benchmark.name);
    auto family = std::find_if(families.begin(), families.end(),
                               [&](const FamilySummary& known) { return known.name == name; });
    if (family == families.end()) {
      family = families.emplace(family);
      family->name = name;
    }
    AddRatio(benchmark, &*family);
  }
  for (FamilySummary& family : families) FinishMean(&family);
  return families;
}

std::string FamilyTable(const std::vector<ShownBenchmark>& benchmarks) {
  FamilySummary all;
  for (const ShownBenchmark& benchmark : benchmarks) {
    if (HasShownRatio(benchmark)) AddRatio(benchmark, &all);
  }
  if (all.count < 2) return "";
  FinishMean(&all);
  all.name = "all benchmarks";
  std::string html =
      "<div class=\"card scroll\"><table class=\"families\"><thead><tr><th "
      "scope=\"col\">family</th><th scope=\"col\">benchmarks</th><th scope=\"col\">geometric mean "
      "of new/old</th><th scope=\"col\">from, to</th><th "
      "scope=\"col\">verdicts</th></tr></thead><tbody>\n";
  const std::vector<FamilySummary> families = SummariesOf(benchmarks);
  for (const FamilySummary& family : families) {
    if (family.count > 1 && families.size() > 1) html += FamilyRow(family, "");
  }
  return absl::StrCat(html, FamilyRow(all, " class=\"sum\""), "</tbody></table></div>\n");
}

}  // namespace duetbench::page
