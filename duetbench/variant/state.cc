#include "duetbench/variant/state.h"

#include <cstdio>
#include <cstdlib>
#include <utility>

#include "duetbench/platform/ticks.h"
#include "duetbench/variant/sample_loop.h"

namespace duetbench {
namespace {

// More would take years, and overflow what is added up.
constexpr IterationCount kMaxIterationsOfGroup = IterationCount{1} << 48;

constexpr char kItems[] = "items_per_second";
constexpr char kBytes[] = "bytes_per_second";

int64_t NumberOf(const benchmark::UserCounters& counters, const char* name) {
  const auto it = counters.find(name);
  return it == counters.end() ? 0 : static_cast<int64_t>(it->second.value);
}

}  // namespace

State::State(SampleLoop* loop, std::vector<int64_t> ranges, std::string name,
             const benchmark::State* google_benchmark_state)
    : loop_(loop),
      ranges_(std::move(ranges)),
      name_(std::move(name)),
      google_benchmark_state_(google_benchmark_state) {}

IterationCount State::NextSample() {
  const uint64_t stop = ticks::Stop();
  const IterationCount done = batch_;
  if (skipped()) loop_->EndEarly();
  batch_ = static_cast<IterationCount>(loop_->NextSample(stop, static_cast<uint64_t>(done)));
  executed_ += batch_;
  return batch_;
}

void State::BeginAgain() {
  SkipWithError("a second `for (auto _ : state)` executes nothing: write one loop");
}

bool State::KeepRunningSlow(IterationCount n) {
  if (n <= 0 || n > kMaxIterationsOfGroup) {
    std::fprintf(stderr,
                 "duetbench: KeepRunningBatch(%lld): the number must be positive, and at most "
                 "%lld\n",
                 static_cast<long long>(n), static_cast<long long>(kMaxIterationsOfGroup));
    std::abort();
  }
  if (remaining_ > 0) {
    // The last group of the sample goes beyond it.
    batch_ += n - remaining_;
    executed_ += n - remaining_;
    remaining_ = 0;
    return true;
  }
  const IterationCount batch = NextSample();
  if (batch == 0) return false;
  if (batch < n) {
    batch_ += n - batch;
    executed_ += n - batch;
    return true;
  }
  remaining_ = batch - n;
  return true;
}

void State::PauseTiming() { loop_->Pause(); }

void State::ResumeTiming() { loop_->Resume(); }

void State::SetIterationTime(double seconds) { loop_->AddManualTime(seconds); }

void State::SkipWithError(const std::string& message) {
  if (!error_occurred()) error_message_ = message;
  skipped_ = Skipped::kWithError;
  remaining_ = 0;
}

void State::SkipWithMessage(const std::string& message) {
  if (!skipped()) {
    error_message_ = message;
    skipped_ = Skipped::kWithMessage;
  }
  remaining_ = 0;
}

uint64_t State::seed() {
  uses_seed_ = true;
  return loop_->seed();
}

IterationCount State::ReadMaxIterations() {
  if (loop_->fixed_iterations() == 0) {
    SkipWithError(
        "max_iterations is known for a benchmark with ->Iterations(n) only: a duet executes as "
        "many iterations as its time allows");
    return 1;
  }
  return static_cast<IterationCount>(loop_->fixed_iterations());
}

void State::SetItemsProcessed(int64_t items) {
  counters[kItems] = benchmark::Counter(static_cast<double>(items), benchmark::Counter::kIsRate);
}

int64_t State::items_processed() const { return NumberOf(counters, kItems); }

void State::SetBytesProcessed(int64_t bytes) {
  counters[kBytes] = benchmark::Counter(static_cast<double>(bytes), benchmark::Counter::kIsRate,
                                        benchmark::Counter::kIs1024);
}

int64_t State::bytes_processed() const { return NumberOf(counters, kBytes); }

int64_t State::range(std::size_t position) const {
  if (position >= ranges_.size()) {
    std::fprintf(stderr,
                 "duetbench: range(%zu): this benchmark was registered with %zu argument%s; "
                 "add ->Arg(…), ->Args(…) or ->Range(…)\n",
                 position, ranges_.size(), ranges_.size() == 1 ? "" : "s");
    std::abort();
  }
  return ranges_[position];
}

}  // namespace duetbench
