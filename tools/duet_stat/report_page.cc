#include "tools/duet_stat/report_page.h"

#include <algorithm>
#include <cstddef>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "duetbench/page/page.h"
#include "duetbench/report/printable.h"
#include "duetbench/report/repeat_command.h"
#include "duetbench/stats/hypothesis_tests.h"
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
                      ShellQuoted(absl::StrCat("--benchmark_filter=", ExactFilter(name))),
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

void MarkGate(page::GateMark mark, const char* name, page::ShownBenchmark* shown) {
  // The worst of several gates; marks ascend from none by way of PASS to FAIL, but undecided.
  const auto weight = [](page::GateMark of) {
    return of == page::GateMark::kFail        ? 3
           : of == page::GateMark::kUndecided ? 2
           : of == page::GateMark::kPass      ? 1
                                              : 0;
  };
  if (weight(mark) <= weight(shown->gate)) return;
  shown->gate = mark;
  shown->gate_name = name;
}

// Of one report: its gates are a family of hypotheses. Returns a headline, empty without gates.
std::string MarkGates(const Report& report, page::ShownBenchmark* shown) {
  std::vector<double> p;
  double least_alpha = 1;
  for (const ReportedDuet& duet : report.duets) {
    if (!duet.gates.empty()) least_alpha = std::min(least_alpha, 1 - duet.interval.level);
  }
  for (const ReportedDuet& duet : report.duets) {
    for (const ReportedGate& gate : duet.gates) {
      p.push_back(std::clamp(gate.p * least_alpha / (1 - duet.interval.level), 0.0, 1.0));
    }
  }
  const std::vector<double> adjusted = stats::HolmAdjusted(p);
  std::size_t next = 0;
  for (std::size_t i = 0; i < report.duets.size(); ++i) {
    for (const ReportedGate& gate : report.duets[i].gates) {
      const bool proven = adjusted[next++] <= least_alpha * (1 + 1e-9);
      if (gate.outcome > 0) MarkGate(page::GateMark::kPass, "PASS", &shown[i]);
      if (gate.outcome == 0) MarkGate(page::GateMark::kUndecided, "INCONCLUSIVE", &shown[i]);
      if (gate.outcome >= 0) continue;
      if (proven) {
        MarkGate(page::GateMark::kFail, "FAIL", &shown[i]);
      } else {
        MarkGate(page::GateMark::kUndecided, "UNPROVEN", &shown[i]);
      }
    }
  }
  int marks[3] = {0, 0, 0};  // passed, failed, undecided
  for (std::size_t i = 0; i < report.duets.size(); ++i) {
    if (shown[i].gate == page::GateMark::kPass) ++marks[0];
    if (shown[i].gate == page::GateMark::kFail) ++marks[1];
    if (shown[i].gate == page::GateMark::kUndecided) ++marks[2];
  }
  const int all = marks[0] + marks[1] + marks[2];
  if (all == 0) return "";
  return absl::StrCat(marks[0], " of ", all, all == 1 ? " gate holds" : " gates hold",
                      marks[1] > 0 ? absl::StrCat(", ", marks[1], " failed") : "",
                      marks[2] > 0 ? absl::StrCat(", ", marks[2], " undecided") : "");
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
