#ifndef TOOLS_DUET_CODE_UNCHANGED_H_
#define TOOLS_DUET_CODE_UNCHANGED_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "duetbench/run/run_process.h"

namespace duetbench::duet {

// A benchmark of both programs, as it is started.
struct TracedBenchmark {
  RunCommand sides[2];
  std::vector<int64_t> ranges;
  bool calls = false;        // RunPlan::calls
  bool manual_time = false;  // RunPlan::manual_time
};

// Finds the benchmarks that execute the same code in two programs (same_code.h says how, and why
// that is a proof).
class UnchangedCode {
 public:
  // The lines in which a benchmark is registered in old and in new.
  using Lines = std::set<std::pair<uint32_t, uint32_t>>;

  // The executable files of old and new.
  UnchangedCode(std::string old_program, std::string new_program, Lines lines);
  ~UnchangedCode();
  UnchangedCode(const UnchangedCode&) = delete;
  UnchangedCode& operator=(const UnchangedCode&) = delete;

  // Ok: the benchmark executes the same code. Else the message says why that is not known. The
  // first call decodes both programs, about 0.1 s for 1 MB of code; each call executes both
  // programs, with an untimed call of the benchmark.
  absl::Status Prove(const TracedBenchmark& benchmark);
  // SameCode::CompareFunctions of the two programs.
  absl::StatusOr<bool> CompareFunctions(const uint64_t (&addresses)[2]);

 private:
  // Why it is known of no benchmark, whichever it is; Ok: it may be known of some.
  const absl::Status& Status();

  class Proof;
  const std::string programs_[2];
  const Lines lines_;
  std::optional<absl::Status> status_;
  std::unique_ptr<Proof> proof_;
};

}  // namespace duetbench::duet

#endif  // TOOLS_DUET_CODE_UNCHANGED_H_
