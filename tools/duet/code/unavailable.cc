// In place of the other sources where there are no libraries that read ELF files and instructions.
#include <string>
#include <utility>

#include "tools/duet/code/unchanged.h"

namespace duetbench::duet {

class UnchangedCode::Proof {};

UnchangedCode::UnchangedCode(std::string old_program, std::string new_program, Lines lines)
    : programs_{std::move(old_program), std::move(new_program)}, lines_(std::move(lines)) {}

UnchangedCode::~UnchangedCode() = default;

const absl::Status& UnchangedCode::Status() {
  status_ = absl::UnimplementedError(
      "this duet was built without libdw and libzydis, or for another "
      "processor than x86-64");
  return *status_;
}

absl::StatusOr<bool> UnchangedCode::CompareFunctions(const uint64_t (&/*addresses*/)[2]) {
  return Status();
}

absl::Status UnchangedCode::Prove(const TracedBenchmark& benchmark) {
  (void)benchmark;
  return Status();
}

}  // namespace duetbench::duet
