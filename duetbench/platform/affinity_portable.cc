// One CPU, wherever that may be: the operating system moves threads as it likes.
#include "duetbench/platform/affinity.h"
#include "duetbench/platform/stand_ins.h"

#if DUETBENCH_STAND_INS

#include "absl/strings/str_cat.h"

namespace duetbench {

absl::StatusOr<std::vector<int>> AllowedCpus() { return std::vector<int>{0}; }

absl::Status PinThisThread(int cpu) {
  if (cpu == 0) return absl::OkStatus();
  return absl::UnavailableError(
      absl::StrCat("cannot pin a thread to CPU ", cpu, ": this build knows of no CPU but 0"));
}

int CurrentCpu() { return -1; }

}  // namespace duetbench

#endif
