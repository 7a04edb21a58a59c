#ifndef DUETBENCH_REGISTRY_PLAIN_ROW_H_
#define DUETBENCH_REGISTRY_PLAIN_ROW_H_

#include <benchmark/benchmark.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "duetbench/runner/comparison.h"

namespace duetbench {

// The one row of a duet under the library's own main, which knows none of our reporters: the time
// of new, the ratio and its interval as counters, the verdict as label.
//
// The library shows what its own timer measured between the start and the end of a benchmark's
// loop, divided by the number of iterations that the loop says it made. There is no other way to a
// time (UseManualTime changes the name), and it takes a row for finished only when this has lasted
// for
// --benchmark_min_time. So the loop is one that lasts as long, in real time and in CPU time, as so
// many operations of new did in the duet; then Time and CPU are those of new. It costs
// --benchmark_min_time (0.5 s) for each row. While other threads want the CPU the CPU time comes
// out too short; the real time is always right.

// How the library decides that a row is finished.
struct RowDemand {
  double min_time = 0.5;     // seconds
  bool real_time = false;    // UseRealTime: they are real time
  bool manual_time = false;  // UseManualTime
};

// Seconds for which a loop must last so that the library finds it long enough.
struct LoopTime {
  double cpu = 0;
  double real = 0;
};

// `cpu` : `real` is that of an operation. The library is content with min_time of CPU time, or with
// five times as much real time.
LoopTime PlanLoop(double operation_real, double operation_cpu, const RowDemand& demand);

// The rows of one duet benchmark.
class PlainRow {
 public:
  // Shows `comparison` as the row of the benchmark with these arguments. The loop of `state` is
  // over afterwards. `repetitions`: how often this is going to be called for the same row; with
  // more than one the ends of the intervals stand in the label only, as the library would show
  // statistics of every counter.
  void Show(const Comparison& comparison, const std::vector<int64_t>& ranges, int repetitions,
            const RowDemand& demand, benchmark::State& state);

  // If the library found the last row too short, and only wants it once more with more iterations:
  // shows it so, and returns true.
  bool ShowAgain(const std::vector<int64_t>& ranges, const RowDemand& demand,
                 benchmark::State& state);

 private:
  struct Shown {
    double real = 0;  // seconds per operation
    double cpu = 0;
    int64_t asked = 0;       // iterations that the library asked for
    int64_t iterations = 0;  // that the row has; the same in all repetitions
    std::string label;
    benchmark::UserCounters counters;
  };

  static void RunLoop(const RowDemand& demand, Shown* shown, benchmark::State& state);

  std::map<std::vector<int64_t>, Shown> shown_;
};

}  // namespace duetbench

#endif  // DUETBENCH_REGISTRY_PLAIN_ROW_H_
