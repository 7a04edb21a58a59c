#include "tools/duet_stat/report_page.h"

#include <algorithm>
#include <cstddef>
#include <optional>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "duetbench/gates/suite.h"
#include "duetbench/page/page.h"
#include "duetbench/report/printable.h"
#include "duetbench/report/quantile_format.h"
#include "duetbench/report/repeat_command.h"
#include "duetbench/report/suite_formats.h"
#include "duetbench/report/suite_lines.h"
#include "duetbench/stats/ratio_format.h"

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

page::ShownCounter ShownCounterOf(const ReportedCounter& counter) {
  const auto text = [](const std::optional<double>& value) {
    return value.has_value() ? absl::StrFormat("%.4g", *value) : "";
  };
  std::string ratio = counter.ratio.has_value() ? absl::StrFormat("%.4g x", *counter.ratio) : "";
  if (counter.lo.has_value() && counter.hi.has_value()) {
    absl::StrAppendFormat(&ratio, " [%.4g, %.4g]", *counter.lo, *counter.hi);
  }
  return {Printable(counter.name), text(counter.old_value), text(counter.new_value), ratio};
}

GateOutcome OutcomeOf(int outcome) {
  return outcome > 0   ? GateOutcome::kPass
         : outcome < 0 ? GateOutcome::kFail
                       : GateOutcome::kInconclusive;
}

page::ShownQuantile ShownQuantileOf(const ReportedQuantile& quantile) {
  page::ShownQuantile shown;
  shown.quantile = quantile.quantile;
  shown.name = QuantileName(quantile.quantile);
  shown.interval = quantile.interval;
  if (!quantile.interval.has_value()) shown.gap = "no interval: too few calls or runs";
  if (quantile.gate.has_value()) {
    const GateOutcome outcome = OutcomeOf(*quantile.gate);
    shown.gate = MarkOf(outcome);
    shown.gate_name = GateOutcomeName(outcome);
  }
  return shown;
}

page::ShownBenchmark ShownDuet(const ReportedDuet& duet, const Report& report) {
  page::ShownBenchmark shown;
  shown.name = Printable(duet.name);
  shown.repeat = Printable(RepeatText(report, duet.name));
  shown.error = Printable(duet.error);
  if (!shown.error.empty()) return shown;
  shown.interval = duet.interval;
  shown.verdict = duet.verdict;
  shown.sentence = VerdictSentence(duet.interval, duet.verdict, MarginOf(report));
  shown.effort =
      absl::StrFormat("%.0f runs, %.0f pairs, %.0f dropped", duet.runs, duet.pairs, duet.dropped);
  std::copy(std::begin(duet.time_ns), std::end(duet.time_ns), std::begin(shown.time_ns));
  for (const ReportedQuantile& quantile : duet.quantiles) {
    shown.quantiles.push_back(ShownQuantileOf(quantile));
  }
  for (const ReportedCounter& counter : duet.counters) {
    shown.counters.push_back(ShownCounterOf(counter));
  }
  shown.allowed_lo = duet.allowed_lo;
  shown.allowed_hi = duet.allowed_hi;
  if (duet.allowed_hi > 0) {
    shown.gate_limit = duet.allowed_lo > 0 ? absl::StrFormat("limits %.4g to %.4g ×",
                                                             duet.allowed_lo, duet.allowed_hi)
                                           : absl::StrFormat("limit %.4g ×", duet.allowed_hi);
  }
  return shown;
}

// Marks the gates of one report, which are a family of hypotheses. Returns a headline, empty
// without gates.
std::string MarkGates(const Report& report, page::ShownBenchmark* shown) {
  std::vector<SingleGate> gates;
  for (std::size_t i = 0; i < report.duets.size(); ++i) {
    const double alpha = 1 - report.duets[i].interval.level;
    for (const ReportedGate& gate : report.duets[i].gates) {
      gates.push_back({i, OutcomeOf(gate.outcome), gate.p, alpha});
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
    for (const ReportedDuet& duet : named.report.duets) {
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
