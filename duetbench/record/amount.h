#ifndef DUETBENCH_RECORD_AMOUNT_H_
#define DUETBENCH_RECORD_AMOUNT_H_

#include <cstdint>
#include <string>
#include <type_traits>

#include "absl/strings/string_view.h"

// Amounts that a run has of each variant, and not of its iterations: memory, the CPU time of a
// command. Gates and reports treat them as counters.
namespace duetbench {

// Bytes: the most that the iterations had allocated at once, as a memory manager counts it.
inline constexpr char kPeakHeap[] = "PEAK-HEAP";
// Bytes: the most memory that was resident. Of a variant in a process that was forked for it, over
// and above the memory that the process began with; of a command, that of its largest process.
inline constexpr char kPeakRss[] = "PEAK-RSS";
// Seconds of one execution of a command, with the processes that it waited for.
inline constexpr char kUserTime[] = "USER-TIME";
inline constexpr char kSystemTime[] = "SYSTEM-TIME";
inline constexpr char kExitStatus[] = "EXIT-STATUS";

struct Amount {
  char name[24];   // one of those above
  uint32_t shown;  // 1: always; 0: if the variants differ notably, or a gate asks for it
  double of[2];    // old, new
};
static_assert(std::is_trivially_copyable_v<Amount>);

Amount MakeAmount(absl::string_view name, double of_old, double of_new, bool shown);

// It is the name of an amount, and not of something that is counted per iteration.
bool IsAmount(absl::string_view name);

// A value of the amount `name` with its unit: "1.5 MiB", "0.25 s", "1".
std::string AmountText(absl::string_view name, double value);

}  // namespace duetbench

#endif  // DUETBENCH_RECORD_AMOUNT_H_
