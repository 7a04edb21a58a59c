#ifndef DUETBENCH_VARIANT_STATE_H_
#define DUETBENCH_VARIANT_STATE_H_

#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace duetbench {

class GoogleBenchmarkCalls;
class SampleLoop;

using IterationCount = int64_t;

// The argument of a variant. It has the interface of benchmark::State, so a function that takes
// `auto&` serves BENCHMARK and DUET_BENCHMARK alike.
//
//   static void BM_Find(duetbench::State& state) {
//     const auto map = MakeMap(state.range(0));                     // set-up: not timed
//     for (auto _ : state) benchmark::DoNotOptimize(map.find(42));  // iterations
//   }                                                               // tear-down: not timed
//
// Code before the loop runs once in every run, in a separate thread and process; the loop then
// executes as many iterations as the duet needs. An iteration costs one decrement and one branch,
// as in Google Benchmark; the rendezvous and the clock cost time once in a sample.
//
// One thread uses a State; it must not leave the variant.
class State {
 public:
  class Iterator;

  // The number of iterations that the loop executes. Only known, and then exactly, for a benchmark
  // that was registered with ->Iterations(n): any other duet ends by time, and reading this is an
  // error that says so.
  class MaxIterations {
   public:
    explicit MaxIterations(State* state) : state_(state) {}
    MaxIterations(const MaxIterations&) = delete;
    MaxIterations& operator=(const MaxIterations&) = delete;
    operator IterationCount() const { return state_->ReadMaxIterations(); }  // NOLINT: as a number

   private:
    State* const state_;
  };

  // `google_benchmark_state`, for fixtures, may be null; it and `loop` outlive this State.
  State(SampleLoop* loop, std::vector<int64_t> ranges, std::string name = "",
        const benchmark::State* google_benchmark_state = nullptr);
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  // for (auto _ : state) …  Once: another loop after it would execute nothing, and is an error.
  Iterator begin();
  Iterator end();

  // while (state.KeepRunning()) …: slower by a load and a store in each iteration.
  bool KeepRunning() { return KeepRunningBatch(1); }

  // while (state.KeepRunningBatch(n)) { n iterations }. A sample of this variant then has a
  // multiple of n iterations, rounded up; times are per iteration, so the ratio stays right.
  bool KeepRunningBatch(IterationCount n) {
    if (__builtin_expect(remaining_ >= n && n > 0, true)) {
      remaining_ -= n;
      return true;
    }
    return KeepRunningSlow(n);
  }

  // Takes what lies between the two out of the measured time. They cost two clock readings each
  // time: avoid them in iterations that are not much longer. Outside of the loop, or twice in a
  // row, they do nothing.
  void PauseTiming();
  void ResumeTiming();

  // With UseManualTime: the time of one iteration, in seconds, instead of the measured one.
  void SetIterationTime(double seconds);

  // Makes the whole benchmark an error that names this variant and shows `message`. The loop ends
  // at the next sample; leave it with `break` or `return`.
  void SkipWithError(const std::string& message);
  // The same, but the benchmark is left out, and no failure.
  void SkipWithMessage(const std::string& message);
  bool error_occurred() const { return skipped_ == Skipped::kWithError; }
  bool skipped() const { return skipped_ != Skipped::kNot; }
  const std::string& error_message() const { return error_message_; }

  // After the loop: what all iterations together processed, reported per second.
  void SetItemsProcessed(int64_t items);
  int64_t items_processed() const;
  void SetBytesProcessed(int64_t bytes);
  int64_t bytes_processed() const;

  // Shown beside the variant's row.
  void SetLabel(const std::string& label) { label_ = label; }
  const std::string& label() const { return label_; }

  void SetComplexityN(int64_t n) { complexity_n_ = n; }
  int64_t complexity_length_n() const { return complexity_n_; }

  // The arguments of this benchmark. Stops the program if there are fewer.
  int64_t range(std::size_t position = 0) const;
  std::size_t range_size() const { return ranges_.size(); }
  int64_t range_x() const { return range(0); }
  int64_t range_y() const { return range(1); }

  // The name with which the benchmark was registered, without arguments.
  std::string name() const { return name_; }

  // A variant runs on one thread, whatever runs beside it.
  int threads() const { return 1; }
  int thread_index() const { return 0; }

  // Iterations executed so far, those of calibration and warm-up included; after the loop: all.
  // Rates made from it are right, since they are divided by the time of as many iterations.
  IterationCount iterations() const { return executed_ - remaining_; }

  // The seed of this run, the same for all variants and another one in each run: for benchmarks
  // that draw their inputs. With a fixed seed all runs see the same inputs, and calls that are
  // rarer than those of one run are not seen.
  uint64_t seed();
  bool uses_seed() const { return uses_seed_; }  // seed() was called

  const MaxIterations max_iterations{this};

  benchmark::UserCounters counters;

  // The State of Google Benchmark in this process, with the same arguments; may be null. For
  // fixtures (api/fixture.h).
  const benchmark::State* google_benchmark_state() const { return google_benchmark_state_; }

  // The loop was `for (auto _ : state)`, of this State or Google Benchmark's; else KeepRunning.
  bool has_range_loop() const { return begun_; }

 private:
  friend class Iterator;
  friend class GoogleBenchmarkCalls;

  // The end of a sample and the start of the next one: how many iterations to execute, 0 to stop.
  IterationCount NextSample();
  bool KeepRunningSlow(IterationCount n);
  void BeginAgain();
  IterationCount ReadMaxIterations();

  enum class Skipped : char { kNot, kWithMessage, kWithError };

  IterationCount remaining_ = 0;  // of the sample, in KeepRunning loops
  IterationCount executed_ = 0;
  IterationCount batch_ = 0;  // iterations of the running sample
  SampleLoop* const loop_;
  Skipped skipped_ = Skipped::kNot;
  bool begun_ = false;  // a range loop
  bool uses_seed_ = false;
  int64_t complexity_n_ = 0;
  const std::vector<int64_t> ranges_;
  const std::string name_;
  const benchmark::State* const google_benchmark_state_;
  std::string error_message_;
  std::string label_;
};

class State::Iterator {
 public:
  struct Value {
    ~Value() {}  // not trivial, so that `auto _` is no unused variable
  };
  using iterator_category = std::forward_iterator_tag;
  using value_type = Value;
  using difference_type = std::ptrdiff_t;
  using pointer = Value*;
  using reference = Value;

  Iterator() : remaining_(0), state_(nullptr) {}
  explicit Iterator(State* state) : remaining_(0), state_(state) {}

  __attribute__((always_inline)) Value operator*() const { return Value(); }

  __attribute__((always_inline)) Iterator& operator++() { return *this; }

  // Compares with the end only, and counts. The count lives in a register; only when it is used up
  // does the loop leave for the rendezvous. As written here the count and the branch are two
  // instructions (sub, jae) in both compilers, as in Google Benchmark's loop; counted in operator++
  // they are three, and the code for g++ is three in clang 14. To the compiler the loop ends after
  // a sample, as Google Benchmark's does: else g++ 12 may make other code of the body
  // (tests/loop_code).
  __attribute__((always_inline)) bool operator!=(const Iterator&) {
#ifdef __clang__
    uint64_t left = 0;
    const bool none = __builtin_sub_overflow(static_cast<uint64_t>(remaining_), uint64_t{1}, &left);
    remaining_ = static_cast<IterationCount>(left);
    if (__builtin_expect(!none, true)) return true;
#else
    if (__builtin_expect(--remaining_ >= 0, true)) return true;
#endif
    remaining_ = state_->NextSample();
    return __builtin_expect(--remaining_ >= 0, false);
  }

 private:
  IterationCount remaining_;
  State* state_;
};

inline State::Iterator State::begin() {
  if (begun_) BeginAgain();
  begun_ = true;
  return Iterator(this);
}
inline State::Iterator State::end() { return Iterator(); }

}  // namespace duetbench

#endif  // DUETBENCH_VARIANT_STATE_H_
