#ifndef DUETBENCH_TESTS_TOOLS_DUET_CODE_STATE_H_
#define DUETBENCH_TESTS_TOOLS_DUET_CODE_STATE_H_

// A State of three iterations, with the name that benchmarks take by reference, for small programs
// without Google Benchmark.
namespace benchmark {
class State {
 public:
  bool Next() { return left_-- > 0; }

 private:
  int left_ = 3;
};
}  // namespace benchmark

#endif  // DUETBENCH_TESTS_TOOLS_DUET_CODE_STATE_H_
