#include "duetbench/report/rows.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>
#include <utility>

#include "duetbench/report/counter_words.h"
#include "duetbench/report/google_benchmark.h"
#include "duetbench/report/printable.h"
#include "duetbench/report/words.h"

namespace duetbench {
namespace {

using Run = benchmark::BenchmarkReporter::Run;

Run VariantRow(const Run& row, const Comparison& comparison, int variant) {
  Run result = row;
  result.counters.clear();
  result.memory_result = {};  // measured in a call that did nothing (registry/library_call.h)
  result.allocs_per_iter = 0;
  for (const CounterValue& counter : comparison.variants[variant].counters) {
    // The flags have been applied; reporters look at kIsRate for the unit only.
    result.counters[counter.name] =
        benchmark::Counter(counter.value, static_cast<benchmark::Counter::Flags>(counter.flags),
                           static_cast<benchmark::Counter::OneK>(counter.one_k));
  }
  // Events by their plain names, per operation, as the library itself reports them.
  for (const CounterComparison& counter : comparison.counters.counters) {
    if (!counter.requested || !counter.counted) continue;
    result.counters[counter.name] = benchmark::Counter(counter.per_operation[variant]);
  }
  result.report_label = Printable(comparison.variants[variant].label);
  result.complexity_n = comparison.variants[variant].complexity_n;
  result.iterations =
      static_cast<benchmark::IterationCount>(std::max<uint64_t>(1, comparison.operations[variant]));
  const auto operations = static_cast<double>(result.iterations);
  result.real_accumulated_time = comparison.time_ns[variant] * 1e-9 * operations;
  result.cpu_accumulated_time = comparison.cpu_ns[variant] * 1e-9 * operations;
  return result;
}

}  // namespace

void NameVariant(Run& row, int variant) {
  // Behind all other parts of the name.
  std::string& last = row.run_name.threads;
  last += last.empty() ? "" : "/";
  last += variant == 0 ? "old" : "new";
}

std::map<std::string, double> ComparisonCounters(const Comparison& comparison) {
  if (comparison.dry_run) return {};
  std::map<std::string, double> counters = {
      {"ratio", comparison.interval.ratio},
      {"ratio_lo", comparison.interval.lo},
      {"ratio_hi", comparison.interval.hi},
      {"ratio_level", comparison.interval.level},
      {"runs", comparison.runs},
      {"pairs", static_cast<double>(comparison.pairs)},
      {"pairs_dropped", static_cast<double>(comparison.dropped)},
  };
  if (comparison.diagnosis.has_value()) {
    counters["pairing_gain"] = comparison.diagnosis->pairing_gain_all.value_or(NAN);
  }
  if (comparison.gate.has_value()) {
    const GateResult& gate = *comparison.gate;
    counters["gate"] = gate.outcome == stats::GateOutcome::kPass   ? 1
                       : gate.outcome == stats::GateOutcome::kFail ? -1
                                                                   : 0;
    counters["gate_p"] = gate.p;
    counters["gate_looks"] = gate.looks;
    counters["gate_seconds"] = comparison.wall_s;
  }
  if (comparison.schedule == Schedule::kDuet) counters["skew_ns"] = comparison.skew_p50_ns;
  for (const auto& [key, value] : CounterKeys(comparison.counters)) counters[key] = value;
  for (auto it = counters.begin(); it != counters.end();) {
    it = std::isfinite(it->second) ? std::next(it) : counters.erase(it);
  }
  return counters;
}

DuetRows MakeDuetRows(const Run& row, const Comparison& comparison) {
  DuetRows rows{{VariantRow(row, comparison, 0), VariantRow(row, comparison, 1)},
                VariantRow(row, comparison, 1)};
  for (int variant = 0; variant < 2; ++variant) NameVariant(rows.variants[variant], variant);

  Run& result = rows.comparison;
  result.counters.clear();
  for (const auto& [name, value] : ComparisonCounters(comparison)) {
    result.counters[name] = benchmark::Counter(value);
  }
  result.report_label = comparison.dry_run ? VerdictSentence(comparison)
                                           : std::string(stats::VerdictName(comparison.verdict));
  return rows;
}

Run MakeErrorRow(const Run& row, const Comparison& comparison) {
  Run result = row;
  result.counters.clear();
  const std::string text = Printable(ErrorText(comparison));
  if (comparison.error.skipped) {
    internal::SetSkipped(result, text, 0);
  } else {
    internal::SetError(result, text);
  }
  return result;
}

}  // namespace duetbench
