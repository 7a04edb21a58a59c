#ifndef DUETBENCH_RUNNER_STATE_H_
#define DUETBENCH_RUNNER_STATE_H_

#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <vector>

namespace duetbench {

class Side;

using IterationCount = int64_t;

// What a variant is given: the interface of benchmark::State, so that a function that takes `auto&`
// serves BENCHMARK and DUET_BENCHMARK alike.
//
//   static void BM_Find(duetbench::State& state) {
//     const auto map = MakeMap(state.range(0));                     // set-up: not timed
//     for (auto _ : state) benchmark::DoNotOptimize(map.find(42));  // operations
//   }                                                               // tear-down: not timed
//
// What comes before the loop runs once in every run, in a thread and a process of its own; the loop
// then executes as many operations as the duet needs. Per operation the loop costs one decrement
// and one branch, as Google Benchmark's; the rendezvous and the clock are met once a batch.
//
// One thread uses a State; it must not leave the variant.
class State {
 public:
  class Iterator;

  State(Side* side, std::vector<int64_t> ranges);
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  // for (auto _ : state) …
  Iterator begin();
  Iterator end();

  // while (state.KeepRunning()) …: slower by a load and a store per operation.
  bool KeepRunning() { return KeepRunningBatch(1); }

  // while (state.KeepRunningBatch(n)) { n operations }. An iteration is then rounded up to a
  // multiple of n on either side; times are per operation, so that the ratio stays right.
  bool KeepRunningBatch(IterationCount n) {
    if (__builtin_expect(remaining_ >= n, true)) {
      remaining_ -= n;
      return true;
    }
    return KeepRunningSlow(n);
  }

  // Takes what lies between the two out of the measured time. They cost two clock readings each
  // time: avoid them around operations that are not much longer. Outside of the loop, or twice in a
  // row, they do nothing.
  void PauseTiming();
  void ResumeTiming();

  // With UseManualTime: the time of one operation, in seconds, instead of the measured one.
  void SetIterationTime(double seconds);

  // Makes the whole benchmark an error that names this variant and shows `message`. The loop ends
  // at the next iteration; leave it with `break` or `return`.
  void SkipWithError(const std::string& message);
  bool error_occurred() const { return error_occurred_; }
  const std::string& error_message() const { return error_message_; }
  bool skipped() const { return error_occurred_; }

  // After the loop: what all operations together processed, reported per second.
  void SetItemsProcessed(int64_t items);
  int64_t items_processed() const;
  void SetBytesProcessed(int64_t bytes);
  int64_t bytes_processed() const;

  // Shown beside the variant's row.
  void SetLabel(const std::string& label) { label_ = label; }
  const std::string& label() const { return label_; }

  void SetComplexityN(int64_t n) { complexity_n_ = n; }
  int64_t complexity_length_n() const { return complexity_n_; }

  // The arguments of this benchmark. Stops the program if there are not so many.
  int64_t range(std::size_t position = 0) const;
  std::size_t range_size() const { return ranges_.size(); }

  // A variant runs on one thread, whatever runs beside it.
  int threads() const { return 1; }
  int thread_index() const { return 0; }

  // Operations executed so far, those of calibration and warm-up included; after the loop: all.
  // Rates made from it are right, since they are divided by the time of as many operations.
  IterationCount iterations() const { return executed_ - remaining_; }

  benchmark::UserCounters counters;

 private:
  friend class Iterator;

  // The end of a batch and the start of the next one: how many operations to execute, 0 to stop.
  IterationCount NextBatch();
  bool KeepRunningSlow(IterationCount n);

  IterationCount remaining_ = 0;  // of the batch, in KeepRunning loops
  IterationCount executed_ = 0;
  IterationCount batch_ = 0;  // operations given out with the last call of NextBatch
  Side* const side_;
  bool error_occurred_ = false;
  int64_t complexity_n_ = 0;
  const std::vector<int64_t> ranges_;
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

  __attribute__((always_inline)) Iterator& operator++() {
    --remaining_;
    return *this;
  }

  // Compares with the end only. The count lives in a register; only when it is used up does the
  // loop leave for the rendezvous.
  __attribute__((always_inline)) bool operator!=(const Iterator&) {
    if (__builtin_expect(remaining_ != 0, true)) return true;
    remaining_ = state_->NextBatch();
    return remaining_ != 0;
  }

 private:
  IterationCount remaining_;
  State* state_;
};

inline State::Iterator State::begin() { return Iterator(this); }
inline State::Iterator State::end() { return Iterator(); }

}  // namespace duetbench

#endif  // DUETBENCH_RUNNER_STATE_H_
