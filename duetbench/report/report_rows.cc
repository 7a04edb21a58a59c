#include "duetbench/report/report_rows.h"

#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "duetbench/report/complexity.h"
#include "duetbench/report/hidden_counters.h"
#include "duetbench/report/printable.h"
#include "duetbench/report/rows.h"
#include "duetbench/report/words.h"

namespace duetbench {
namespace {

using Run = benchmark::BenchmarkReporter::Run;
using Repetitions = std::vector<const Comparison*>;

// The rows of one call as they are made.
class RowMaker {
 public:
  explicit RowMaker(const ComparisonBook& book) : book_(book) {}

  void AddLibraryRow(const Run& run) { rows_.push_back({run, ReportRow::Kind::kLibrary, nullptr}); }

  void AddRepetition(const Run& run, const HiddenCounters& hidden) {
    const Comparison* comparison = book_.Find(hidden.number);
    if (comparison == nullptr) {
      AddLibraryRow(run);
    } else if (!comparison->error.cause.empty()) {
      AddLibraryRow(MakeErrorRow(run, *comparison));
    } else {
      AddDuet(MakeDuetRows(run, *comparison), *comparison);
    }
  }

  void AddStatistic(const Run& run, const HiddenCounters& hidden) {
    if (run.aggregate_name == "mean") repetitions_ = book_.Repetitions(hidden.group);
    for (int variant = 0; variant < 2; ++variant) {
      Run row = WithTimes(run, hidden, variant);
      row.counters = hidden.counters[variant];
      row.report_label = CommonLabel(variant);
      NameVariant(row, variant);
      AddLibraryRow(row);
    }
    Run ratio = WithTimes(run, hidden, 1);
    ratio.counters.clear();
    ratio.counters["ratio"] = benchmark::Counter(hidden.ratio);
    rows_.push_back({std::move(ratio), ReportRow::Kind::kRatioStatistic, nullptr});
  }

  // After the last statistic `run` of the repetitions.
  void AddPooled(const Run& run) {
    if (repetitions_.size() < 2) return;
    const Comparison pooled = PoolRepetitions(repetitions_);
    repetitions_.clear();
    if (!pooled.has_estimate) return;
    Run row = run;
    row.aggregate_name = "pooled";
    row.aggregate_unit = benchmark::kTime;
    DuetRows rows = MakeDuetRows(row, pooled);
    rows_.push_back({std::move(rows.comparison), ReportRow::Kind::kVerdict,
                     std::make_shared<const Comparison>(pooled)});
  }

  void AddComplexity(const Run& run, const ComparisonBook::Family& family) {
    for (int variant = 0; variant < 2; ++variant) {
      std::vector<ComplexityPoint> points;
      for (const Comparison* comparison : family.comparisons) {
        points.push_back({comparison->variants[variant].complexity_n,
                          comparison->time_ns[variant] * 1e-9, comparison->cpu_ns[variant] * 1e-9});
      }
      const std::optional<ComplexityFit> fit =
          FitComplexity(points, family.complexity, family.lambda);
      if (!fit.has_value()) continue;
      Run row = run;
      row.counters.clear();
      row.report_label.clear();
      row.complexity = fit->complexity;
      row.real_accumulated_time = fit->real_coefficient;
      row.cpu_accumulated_time = fit->cpu_coefficient;
      if (run.report_rms) {
        // A relative error, which the reporters multiply as if it were a time.
        const double multiplier = benchmark::GetTimeUnitMultiplier(run.time_unit);
        row.real_accumulated_time = fit->real_rms / multiplier;
        row.cpu_accumulated_time = fit->cpu_rms / multiplier;
      }
      NameVariant(row, variant);
      AddLibraryRow(row);
    }
  }

  std::vector<ReportRow> Take() { return std::move(rows_); }

 private:
  void AddDuet(DuetRows rows, const Comparison& comparison) {
    AddLibraryRow(rows.variants[0]);
    AddLibraryRow(rows.variants[1]);
    // Not owned: the book outlives every report.
    rows_.push_back({std::move(rows.comparison), ReportRow::Kind::kVerdict,
                     std::shared_ptr<const Comparison>(std::shared_ptr<void>(), &comparison)});
  }

  static Run WithTimes(const Run& run, const HiddenCounters& hidden, int variant) {
    Run row = run;
    // Reporters divide times by the number of iterations, which is that of the repetitions, but not
    // percentages.
    const double scale =
        run.aggregate_unit == benchmark::kTime ? static_cast<double>(run.iterations) : 1;
    row.real_accumulated_time = hidden.real_seconds[variant] * scale;
    row.cpu_accumulated_time = hidden.cpu_seconds[variant] * scale;
    return row;
  }

  std::string CommonLabel(int variant) const {
    std::string label;
    for (const Comparison* repetition : repetitions_) {
      if (repetition == repetitions_.front()) label = repetition->variants[variant].label;
      if (repetition->variants[variant].label != label) return "";
    }
    return Printable(label);
  }

  const ComparisonBook& book_;
  Repetitions repetitions_;  // of the statistics at hand
  std::vector<ReportRow> rows_;
};

bool IsStatistic(const Run& run) {
  return run.run_type == Run::RT_Aggregate && !run.report_big_o && !run.report_rms;
}

}  // namespace

std::vector<ReportRow> MakeReportRows(const std::vector<Run>& runs, const ComparisonBook& book) {
  RowMaker rows(book);
  for (size_t i = 0; i < runs.size(); ++i) {
    const ComparisonBook::Family* family = book.FindFamily(runs[i].run_name.function_name);
    Run run = runs[i];
    if (family != nullptr) run.run_name.function_name = Printable(run.run_name.function_name);
    if (run.report_big_o || run.report_rms) {
      if (family == nullptr || family->complexity == benchmark::oNone) {
        rows.AddLibraryRow(run);
      } else {
        rows.AddComplexity(run, *family);
      }
      continue;
    }
    const std::optional<HiddenCounters> hidden = DecodeHiddenCounters(run.counters);
    if (!hidden.has_value()) {
      rows.AddLibraryRow(run);
    } else if (!IsStatistic(run)) {
      rows.AddRepetition(run, *hidden);
    } else {
      if (hidden->has_numbers) rows.AddStatistic(run, *hidden);
      const bool is_last = i + 1 == runs.size() || !IsStatistic(runs[i + 1]) ||
                           runs[i + 1].run_name.str() != runs[i].run_name.str();
      if (is_last) rows.AddPooled(run);
    }
  }
  return rows.Take();
}

}  // namespace duetbench
