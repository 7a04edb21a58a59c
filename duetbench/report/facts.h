#ifndef DUETBENCH_REPORT_FACTS_H_
#define DUETBENCH_REPORT_FACTS_H_

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "duetbench/decide/interval.h"
#include "duetbench/record/verdict.h"

namespace duetbench {

using Numbers = std::map<std::string, double>;

// A pair as a picture shows it.
struct ShownPair {
  double time[2] = {0, 0};  // of an iteration of old and new, in ns
  bool disturbed = false;   // it, or one of those that follow it and are not shown
};

// One run over time, of which every `step`-th pair is kept.
struct RunPicture {
  size_t run = 0;    // from 0
  size_t pairs = 0;  // with times, of which `disturbed` are disturbed
  size_t disturbed = 0;
  size_t step = 1;
  std::vector<ShownPair> shown;
};

// All that outputs say of a duet: made once (suite_facts.h), after its decision.
// Texts are UTF-8 without control characters, and not escaped.
struct Facts {
  // A counter of both variants.
  struct Counter {
    std::string name;
    std::string old_value;
    std::string new_value;
    std::string ratio;  // with its interval; empty: there is none
  };
  // A quantile of the times of single calls.
  struct Quantile {
    double quantile = 0;                           // in (0, 1)
    std::string name;                              // "p99"
    std::optional<stats::RatioInterval> interval;  // of new/old, simultaneous with the others
    std::string gap;                               // why there is none; else empty
    double time_ns[2] = {0, 0};                    // of old and new; 0: not known
    GateStatus gate = GateStatus::kNoGate;
    std::string gate_limit;  // "limit 1.1 ×"; may be empty
    double allowed_hi = 0;   // 0: not known
  };

  struct OtherGate {
    GateStatus outcome = GateStatus::kNoGate;
    std::string text;
  };
  struct Notice {
    std::string text;
    std::string key;  // the same for notices of which one is enough
  };

  std::string name;
  std::string file;    // of the DUET_BENCHMARK; empty if it is not known
  int line = 0;        // in it
  std::string repeat;  // the command that measures it again; may be empty
  double wall_s = 0;
  GateStatus gate = GateStatus::kNoGate;  // the worst one, among all of the suite
  std::string message;                    // of its gates or error; empty: has neither
  std::string error;                      // why there is no ratio; else empty
  bool unchanged = false;                 // that is why

  // The ratio new/old, valid without an error.
  stats::RatioInterval interval{};
  stats::Verdict verdict = stats::Verdict::kInconclusive;
  std::string sentence;  // the verdict in words; of a dry run that there is none
  // That of the gate on times or, without one, the verdict; with what would decide it.
  std::string meaning;
  std::vector<OtherGate> other_gates;  // on other metrics
  std::vector<std::string> details;    // quantiles and counters, in lines
  std::string effort;                  // runs, pairs and so on
  Numbers numbers;

  GateStatus time_gate = GateStatus::kNoGate;  // on times, by itself
  std::string gate_limit;                      // of it: "limit 1.05 ×"
  double allowed_lo = 0;                       // ratios that it allows
  double allowed_hi = 0;                       // 0: there is no gate; infinite: no upper limit

  double time_ns[2] = {0, 0};
  bool cpu_time = false;
  bool one_at_a_time = false;  // the samples of a pair were taken one after the other
  std::vector<double> run_log_ratios;
  RunPicture picture;               // empty where the pairs are not known
  std::vector<Quantile> quantiles;  // ascending
  std::vector<Counter> counters;

  std::vector<std::string> diagnosis;
  std::vector<std::string> why;      // Explanation::lines
  std::vector<std::string> listing;  // of the code, likewise
  std::string explanation;           // Explanation::json
  std::string ranking;               // of its group; may be empty
  std::vector<Notice> notices;
};

// A line of the summary of a suite. Those below a heading are details of it.
struct SummaryLine {
  std::string text;
  bool is_detail = false;
  bool is_command = false;
};

// All that outputs say of the duets of a program.
struct SuiteFacts {
  std::string program;
  std::string headline;  // "2 of 31 gates failed"; empty: there are no gates
  int undecided_gates = 0;
  std::vector<std::string> header;  // about the machine and the options
  std::string cpus;                 // "CPUs 0 and 1 (separate cores)"
  std::vector<Facts> duets;
  std::vector<SummaryLine> summary = {};
};

}  // namespace duetbench

#endif  // DUETBENCH_REPORT_FACTS_H_
