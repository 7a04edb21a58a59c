#include "duetbench/runner/explaining_runs.h"

#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <future>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "duetbench/decision/decision.h"
#include "duetbench/estimate/select_pairs.h"
#include "duetbench/explain/code_listing.h"
#include "duetbench/explain/why_lines.h"
#include "duetbench/process/subprocess.h"
#include "duetbench/report/printable.h"
#include "duetbench/runner/interrupt.h"
#include "duetbench/text/ratio_format.h"

namespace duetbench {
namespace {

// Chosen: by this share of itself, the difference may be another one in the explaining runs.
constexpr double kOtherShare = 0.5;

// Empty if the runs show the difference of `estimate` again, else their ratio.
std::string WhyNotAgain(const std::vector<RunResult>& results, const ExperimentOptions& options,
                        double ns_per_tick, const Estimate& estimate) {
  const SelectedPairs selected = SelectPairs(results, options, ns_per_tick);
  stats::DecisionPolicy policy = PolicyOf(options, 1);
  policy.estimand = estimate.total_decides ? stats::Estimand::kTotal : stats::Estimand::kTypical;
  const auto again = stats::Decide(selected, policy);
  if (!again.ok()) return std::string(again.status().message());
  const stats::RatioInterval& first = estimate.interval;
  const stats::RatioInterval& shown = again->interval;
  const double allowed = std::exp(kOtherShare * std::abs(std::log(first.ratio)));
  const bool differs = first.ratio > 1 ? shown.lo > 1 : shown.hi < 1;
  if (differs && shown.lo <= first.hi * allowed && shown.hi >= first.lo / allowed) return "";
  return absl::StrCat("the runs that recorded stacks do not show the difference again: ",
                      RatioText(shown), " ", IntervalText(shown));
}

}  // namespace

Explanation ExplainByRuns(
    std::vector<RunResult> results, const ExperimentOptions& options, double ns_per_tick,
    const Estimate& estimate, CodeNames* names,
    const std::function<absl::StatusOr<std::vector<InstructionCounts>>()>& count) {
  Explanation failed;
  failed.error = WhyNotAgain(results, options, ns_per_tick, estimate);
  if (!failed.error.empty()) return failed;
  std::vector<RunStacks> runs;
  for (RunResult& result : results) {
    RunStacks& stacks = runs.emplace_back();
    for (int v = 0; v < 2; ++v) stacks.variants[v] = std::move(result.stacks[v]);
  }
  // Beside the search for names, and not beside samples: counts are exact there, times are not.
  auto counting = std::async(std::launch::async, count);
  Explanation explanation = Explain(runs, estimate.time_ns, estimate.interval.level, names);
  const auto counts = counting.get();
  if (counts.ok()) {
    AddCounts((*counts)[0], (*counts)[1], &explanation);
  } else if (static bool has_told = false; !std::exchange(has_told, true)) {
    std::fprintf(stderr, "duetbench: explained without exact counts: %s\n",
                 Printable(std::string(counts.status().message())).c_str());
  }
  return explanation;
}

namespace {

// The output of objdump for a function; empty if it was not seen.
absl::StatusOr<std::string> Disassemble(const FunctionCode& code) {
  if (code.file.empty() || code.size == 0) return std::string();
  ChildRequest request;
  request.executable = "/usr/bin/objdump";
  request.argv = {
    "objdump",
    "--disassemble",
    "--demangle",
    "--no-show-raw-insn",
    absl::StrFormat("--start-address=0x%x", code.begin),
    absl::StrFormat("--stop-address=0x%x", code.begin + code.size),
#if defined(__x86_64__)
    "-Mintel",
#endif
    code.file
  };
  request.tail_bytes = size_t{4} << 20;
  request.interrupted = InterruptSignal();
  const absl::StatusOr<ChildOutcome> outcome = RunSelf(request);
  if (!outcome.ok()) {
    return absl::UnavailableError(
        absl::StrCat("the machine code is listed with objdump of "
                     "binutils: ",
                     outcome.status().message()));
  }
  if (outcome->end != ChildOutcome::End::kExited || outcome->exit_code != 0) {
    return absl::UnavailableError(
        absl::StrCat("the machine code is not listed: objdump ", DescribeEnd(*outcome)));
  }
  return outcome->output_tail;
}

}  // namespace

void CompareNamedCode(Explanation* explanation) {
  ForNamedCode(explanation, [](DifferencePart* part) {
    const FunctionCode(&code)[2] = part->code;
    if (code[0].file.empty() || code[0].file != code[1].file) return;
    const bool is_same = code[0].begin == code[1].begin;
    if (is_same || !part->is_variant) part->same_code = is_same;
  });
}

void ListHottestLoop(Explanation* explanation) {
  bool lacks_symbol = false;
  ForNamedCode(explanation, [&](DifferencePart* part) {
    if (!explanation->listing.empty()) return;
    if (part->code[0].size == 0 && part->code[1].size == 0) {
      lacks_symbol = true;
      return;
    }
    std::vector<Instruction> loops[2];
    std::map<uint64_t, uint64_t> moments[2];
    for (int side = 0; side < 2; ++side) {
      moments[side] = part->code[side].moments;
      const absl::StatusOr<std::string> text = Disassemble(part->code[side]);
      if (!text.ok()) {
        explanation->listing = {std::string(text.status().message())};
        return;
      }
      loops[side] = HottestLoop(ReadInstructions(*text), moments[side]);
    }
    explanation->listing = {absl::StrCat("hottest loop of ", part->function,
                                         ": share of its moments and code of old and new")};
    for (std::string& line : SideBySide(loops, moments)) {
      explanation->listing.push_back(std::move(line));
    }
  });
  if (explanation->listing.empty() && lacks_symbol) {
    explanation->listing = {"the machine code is not listed: the function has no symbol (strip?)"};
  }
  for (std::string& line : explanation->listing) line = Printable(line);
}

}  // namespace duetbench
