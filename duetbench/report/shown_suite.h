#ifndef DUETBENCH_REPORT_SHOWN_SUITE_H_
#define DUETBENCH_REPORT_SHOWN_SUITE_H_

#include <optional>
#include <string>
#include <vector>

#include "duetbench/stats/interval.h"
#include "duetbench/stats/pair_digest.h"
#include "duetbench/stats/verdict.h"

namespace duetbench::page {

// The outcome of a gate, as shown: a mark and a word.
enum class GateMark { kNone, kPass, kFail, kUndecided, kError };

// A counter of both variants.
struct ShownCounter {
  std::string name;
  std::string old_value;
  std::string new_value;
  std::string ratio;  // with its interval; empty: there is none
};

// A quantile of the times of single calls.
struct ShownQuantile {
  double quantile = 0;                           // in (0, 1)
  std::string name;                              // "p99"
  std::optional<stats::RatioInterval> interval;  // of new/old, simultaneous with the others
  std::string gap;                               // why there is none; else empty
  double time_ns[2] = {0, 0};                    // of old and new; 0: not known
  GateMark gate = GateMark::kNone;
  std::string gate_name;   // "PASS"
  std::string gate_limit;  // "limit 1.1 ×"; may be empty
  double allowed_hi = 0;   // 0: not known
};

// All that the page shows of one benchmark. Texts are UTF-8 without control characters, and not
// escaped.
struct ShownBenchmark {
  std::string name;
  std::string error;  // why there is no ratio; else empty
  // The ratio new/old, valid without an error.
  stats::RatioInterval interval{};
  stats::Verdict verdict = stats::Verdict::kInconclusive;
  std::string sentence;  // the verdict in words
  std::string effort;    // runs, pairs and so on

  GateMark gate = GateMark::kNone;
  std::string gate_name;   // "PASS"
  std::string gate_limit;  // "limit 1.05 ×"
  double allowed_lo = 0;   // ratios that the gate allows
  double allowed_hi = 0;   // 0: there is no gate; infinite: no upper limit

  double time_ns[2] = {0, 0};
  bool cpu_time = false;
  bool one_at_a_time = false;  // the samples of a pair were taken one after the other
  std::vector<double> run_log_ratios;
  stats::PairDigest digest;              // empty where the pairs are not known
  std::vector<ShownQuantile> quantiles;  // ascending
  std::vector<ShownCounter> counters;
  std::vector<std::string> notes;
  std::vector<std::string> listing;
  std::string explanation;  // Explanation::json
  std::string source;       // "bench/parse.cc:12"; may be empty
  std::string repeat;       // the command that measures it again; may be empty
};

// A line about all benchmarks.
struct ShownLine {
  std::string text;
  bool is_detail = false;  // of the line before
  bool is_command = false;
};

// A page about the benchmarks of a program.
struct ShownSuite {
  std::string title;                // the program
  std::string headline;             // "2 of 31 gates failed"; may be empty
  std::vector<std::string> header;  // about the machine and the options
  std::vector<ShownBenchmark> benchmarks;
  std::vector<ShownLine> summary = {};
};

}  // namespace duetbench::page

#endif  // DUETBENCH_REPORT_SHOWN_SUITE_H_
