#include "duetbench/report/words.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "duetbench/report/gate_words.h"

namespace duetbench {
namespace {

std::string SecondsText(double seconds) { return absl::StrFormat("%g s", seconds); }

}  // namespace

std::string VerdictSentence(const Comparison& comparison) {
  if (comparison.dry_run) return "DRY RUN: one operation of each, no verdict";
  std::string gate;
  if (comparison.gate.has_value()) {
    gate = absl::StrCat(std::string(stats::GateOutcomeName(comparison.gate->outcome)), " (",
                        DemandText(comparison.gate->demand), "), ");
  }
  return gate + VerdictSentence(comparison.interval, comparison.verdict, comparison.margin);
}

std::string EffortText(const Comparison& comparison) {
  std::string text = absl::StrCat(comparison.runs, comparison.runs == 1 ? " run, " : " runs, ",
                                  comparison.pairs, " pairs, ", comparison.dropped, " dropped");
  if (comparison.cpu_time) absl::StrAppend(&text, "; of CPU times");
  if (comparison.kept_disturbed) absl::StrAppend(&text, "; disturbed pairs kept");
  if (comparison.schedule == Schedule::kInterleaved) {
    absl::StrAppend(&text, "; not a duet: interleaved on one CPU");
  }
  if (comparison.this_process_only) {
    absl::StrAppend(&text, "; this process only");
  } else if (comparison.runs == 1) {
    absl::StrAppend(&text, "; one process only");
  }
  if (comparison.interrupted) {
    absl::StrAppend(&text, "; interrupted, ", comparison.runs_planned, " runs were planned");
  }
  return text;
}

std::vector<std::string> HeaderLines(const Machine& machine, const ExperimentOptions& options) {
  constexpr char kPrefix[] = "duetbench: ";
  std::string cpus = DescribeCpuPair(machine.cpus);
  if (options.schedule == Schedule::kInterleaved && machine.cpus.relation != CpuRelation::kOneCpu) {
    cpus = absl::StrCat("CPU ", machine.cpus.cpus[0],
                        " (not a duet: the variants are interleaved on it)");
  } else if (machine.probed) {
    absl::StrAppendFormat(&cpus, ", measured %.2fx together", machine.probe_slow_down);
  }
  std::string runs = "10 to 40 runs";
  if (options.runs == 1) {
    runs = "1 run, in this process";
  } else if (options.runs > 1) {
    runs = absl::StrCat(options.runs, " runs");
  }
  std::vector<std::string> lines;
  lines.push_back(absl::StrCat(kPrefix, cpus, "; clock ", machine.clock));
  if (options.dry_run) {
    lines.push_back(
        absl::StrCat(kPrefix, "dry run: every benchmark once, duets as one pair; no verdicts"));
    return lines;
  }
  lines.push_back(
      absl::StrFormat("%s%s, %s a benchmark, %g %% intervals of new/old (%s time), EQUAL within "
                      "%g %%%s, --duet_seed=%d",
                      kPrefix, runs, SecondsText(options.min_time), options.level * 100,
                      options.cpu_time ? "CPU" : "real", options.margin * 100,
                      options.fill ? ", filled" : "", options.seed));
  for (const std::string& warning : machine.warnings) {
    lines.push_back(absl::StrCat(kPrefix, "warning: ", warning));
  }
  return lines;
}

std::string ErrorText(const Comparison& comparison) {
  constexpr const char* kNames[] = {"old ", "new "};
  const RunError& error = comparison.error;
  std::string text = absl::StrCat(
      error.variant == 0 || error.variant == 1 ? kNames[error.variant] : "", error.cause);
  if (comparison.error_run >= 0) {
    absl::StrAppend(&text, " (in run ", comparison.error_run + 1, ")");
  }
  return text;
}

}  // namespace duetbench
