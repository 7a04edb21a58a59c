#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "duetbench/gates/suite.h"
#include "duetbench/page/page.h"
#include "duetbench/report/comparison_format.h"
#include "duetbench/report/facts.h"
#include "duetbench/report/printable.h"
#include "duetbench/suite_report/repeat_command.h"
#include "duetbench/suite_report/suite_formats.h"
#include "duetbench/suite_report/suite_lines.h"
#include "duetbench/text/ratio_format.h"
#include "tools/duet_stat/output/outputs.h"

namespace duetbench::duet_stat {
namespace {

// Empty where the report does not say it.
std::string ContextText(const Report& report, const std::string& key) {
  for (const auto& [name, value] : report.context) {
    if (name == key) return value;
  }
  return "";
}

double MarginOf(const Report& report) {
  double margin = 0;
  return absl::SimpleAtod(ContextText(report, "duet_margin"), &margin) ? margin : 0;
}

std::string RepeatText(const Report& report, const std::string& name) {
  const std::string program = ContextText(report, "executable");
  if (program.empty()) return "";
  const std::string seed = ContextText(report, "duet_seed");
  return absl::StrCat(ShellQuoted(program), " ",
                      ShellQuoted(absl::StrCat("--benchmark_filter=", ExactFilter({name}))),
                      seed.empty() ? "" : absl::StrCat(" --duet_seed=", seed));
}

GateOutcome OutcomeOf(double number) {
  return number > 0   ? GateOutcome::kPass
         : number < 0 ? GateOutcome::kFail
                      : GateOutcome::kInconclusive;
}

// 0.99 of "p99".
std::optional<double> QuantileNamed(absl::string_view name) {
  double percent = 0;
  if (!absl::ConsumePrefix(&name, "p") || !absl::SimpleAtod(name, &percent) ||
      !(percent > 0 && percent < 100)) {
    return std::nullopt;
  }
  return percent / 100;
}

std::vector<page::ShownQuantile> ShownQuantiles(const Numbers& numbers) {
  std::map<double, page::ShownQuantile> quantiles;
  if (numbers.count("calls") == 0) return {};
  for (const auto& [key, value] : numbers) {
    absl::string_view name = key;
    const bool is_ratio = absl::ConsumePrefix(&name, "ratio_");
    if (!is_ratio && !absl::ConsumePrefix(&name, "gate.")) continue;
    const std::optional<double> quantile = QuantileNamed(name);
    if (!quantile.has_value()) continue;
    page::ShownQuantile& shown = quantiles[*quantile];
    shown.quantile = *quantile;
    shown.name = QuantileName(*quantile);
    if (is_ratio) {
      shown.interval = IntervalIn(numbers, key);
    } else {
      shown.gate = MarkOf(OutcomeOf(value));
      shown.gate_name = GateOutcomeName(OutcomeOf(value));
    }
  }
  std::vector<page::ShownQuantile> ascending;
  for (auto& [quantile, shown] : quantiles) {
    if (!shown.interval.has_value()) shown.gap = "no interval: too few calls or runs";
    ascending.push_back(std::move(shown));
  }
  return ascending;
}

page::ShownBenchmark ShownDuet(const DuetFacts& duet, const Report& report) {
  page::ShownBenchmark shown = ShownFacts(duet);
  shown.repeat = Printable(RepeatText(report, duet.name));
  if (!shown.error.empty()) return shown;
  shown.sentence = VerdictSentence(shown.interval, shown.verdict, MarginOf(report));
  const auto count = [&duet](const char* name) {
    const auto it = duet.numbers.find(name);
    return it == duet.numbers.end() ? 0 : it->second;
  };
  shown.effort = absl::StrFormat("%.0f runs, %.0f pairs, %.0f dropped", count("runs"),
                                 count("pairs"), count("pairs_dropped"));
  shown.quantiles = ShownQuantiles(duet.numbers);
  const auto ranking = report.rankings.find(duet.name);
  if (ranking != report.rankings.end()) shown.notes.push_back(Printable(ranking->second));
  return shown;
}

// Marks the gates of one report, which are a family of hypotheses. Returns a headline, empty
// without gates.
std::string MarkGates(const Report& report, page::ShownBenchmark* shown) {
  std::vector<SingleGate> gates;
  for (std::size_t i = 0; i < report.duets.size(); ++i) {
    const Numbers& numbers = report.duets[i].numbers;
    for (const auto& [key, value] : numbers) {
      absl::string_view of = key;
      if (!absl::ConsumePrefix(&of, "gate") || !(of.empty() || of[0] == '.')) continue;
      const auto p = numbers.find(absl::StrCat("gate_p", of));
      gates.push_back(
          {i, OutcomeOf(value), p == numbers.end() ? 1 : p->second, 1 - numbers.at("ratio_level")});
    }
  }
  const std::vector<GateStatus> statuses = JudgeTogether(gates, report.duets.size());
  for (std::size_t i = 0; i < statuses.size(); ++i) {
    shown[i].gate = MarkOf(statuses[i]);
    if (statuses[i] != GateStatus::kNoGate) shown[i].gate_name = GateStatusName(statuses[i]);
  }
  return SuiteHeadline(CountGates(gates));
}

void AddHeader(const Report& report, std::vector<std::string>* header) {
  const auto add = [&](std::vector<std::string> parts, const char* separator) {
    parts.erase(std::remove(parts.begin(), parts.end(), ""), parts.end());
    if (!parts.empty()) header->push_back(Printable(absl::StrJoin(parts, separator)));
  };
  const auto labeled = [&](const char* label, const char* key) {
    const std::string value = ContextText(report, key);
    return value.empty() ? "" : absl::StrCat(label, value);
  };
  add({ContextText(report, "date"), ContextText(report, "executable"),
       ContextText(report, "duet_cpu_relation")},
      ", ");
  add({absl::StrCat("EQUAL within ", absl::StrFormat("%g", 100 * MarginOf(report)), " %"),
       labeled("clock ", "duet_clock"), labeled("--duet_seed=", "duet_seed")},
      "; ");
  for (const auto& [key, value] : report.context) {
    if (key.rfind("duet_warning_", 0) == 0) add({absl::StrCat("warning: ", value)}, "");
  }
}

}  // namespace

std::string ReportPageHtml(const std::vector<NamedReport>& reports) {
  page::ShownSuite suite;
  std::vector<std::string> names;
  std::vector<std::string> headlines;
  for (const NamedReport& named : reports) {
    names.push_back(named.name);
    AddHeader(named.report, &suite.header);
    const std::size_t first = suite.benchmarks.size();
    for (const DuetFacts& duet : named.report.duets) {
      suite.benchmarks.push_back(ShownDuet(duet, named.report));
    }
    const std::string headline = MarkGates(named.report, suite.benchmarks.data() + first);
    if (!headline.empty()) headlines.push_back(headline);
  }
  suite.title = Printable(absl::StrJoin(names, ", "));
  suite.headline = absl::StrJoin(headlines, "; ");
  suite.header.emplace_back(
      "from JSON, which has no pairs: --duet_report makes a page with their pictures");
  return page::PageHtml(suite);
}

}  // namespace duetbench::duet_stat
