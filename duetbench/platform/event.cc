#include "duetbench/platform/event.h"

#include <linux/perf_event.h>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"

namespace duetbench {
namespace {

EventRole RoleOfHardware(uint64_t config) {
  switch (config) {
    case PERF_COUNT_HW_CPU_CYCLES:
      return EventRole::kCycles;
    case PERF_COUNT_HW_INSTRUCTIONS:
      return EventRole::kInstructions;
    case PERF_COUNT_HW_BRANCH_INSTRUCTIONS:
      return EventRole::kBranches;
    case PERF_COUNT_HW_BRANCH_MISSES:
      return EventRole::kBranchMisses;
    case PERF_COUNT_HW_CACHE_MISSES:
      return EventRole::kMisses;
    default:
      return EventRole::kOther;
  }
}

// PERF_TYPE_HW_CACHE: cache | operation << 8 | result << 16.
EventRole RoleOfCache(uint64_t config) {
  if ((config >> 16 & 0xff) != PERF_COUNT_HW_CACHE_RESULT_MISS) return EventRole::kOther;
  return (config & 0xff) == PERF_COUNT_HW_CACHE_BPU ? EventRole::kBranchMisses : EventRole::kMisses;
}

struct NamedRole {
  absl::string_view name;
  EventRole role;
};

// Without the name of the PMU, and with '_' for '-'.
constexpr NamedRole kNamedRoles[] = {
    {"INST_RETIRED", EventRole::kInstructions},
    {"INSTRUCTION_RETIRED", EventRole::kInstructions},
    {"INSTRUCTIONS_RETIRED", EventRole::kInstructions},
    {"RETIRED_INSTRUCTIONS", EventRole::kInstructions},
    {"CPU_CLK_UNHALTED", EventRole::kCycles},
    {"UNHALTED_CORE_CYCLES", EventRole::kCycles},
    {"CYCLES_NOT_IN_HALT", EventRole::kCycles},
    {"CPU_CYCLES", EventRole::kCycles},
    {"BR_INST_RETIRED", EventRole::kBranches},
    {"BRANCH_INSTRUCTIONS_RETIRED", EventRole::kBranches},
    {"RETIRED_BRANCH_INSTRUCTIONS", EventRole::kBranches},
    {"BR_RETIRED", EventRole::kBranches},
    {"BR_MISP_RETIRED", EventRole::kBranchMisses},
    {"MISPREDICTED_BRANCH_RETIRED", EventRole::kBranchMisses},
    {"RETIRED_BRANCH_INSTRUCTIONS_MISPREDICTED", EventRole::kBranchMisses},
    {"BR_MIS_PRED_RETIRED", EventRole::kBranchMisses},
};

EventRole RoleOfName(absl::string_view name) {
  const size_t pmu = name.rfind("::");
  if (pmu != absl::string_view::npos) name.remove_prefix(pmu + 2);
  // Other unit masks make other events: CPU_CLK_UNHALTED:REF_TSC.
  std::string event = absl::StrReplaceAll(absl::AsciiStrToUpper(name), {{"-", "_"}});
  for (const absl::string_view default_mask :
       {":THREAD", ":THREAD_P", ":ANY_P", ":ALL_BRANCHES", ":U"}) {
    if (absl::EndsWith(event, default_mask)) event.resize(event.size() - default_mask.size());
  }
  for (const NamedRole& known : kNamedRoles) {
    if (event == known.name) return known.role;
  }
  return EventRole::kOther;
}

}  // namespace

bool IsSoftware(const EventCode& code) { return code.type == PERF_TYPE_SOFTWARE; }

EventRole RoleOf(const EventCode& code, const std::string& name) {
  if (code.exclude_user != 0 || code.exclude_kernel == 0) return EventRole::kOther;
  switch (code.type) {
    case PERF_TYPE_HARDWARE:
      return RoleOfHardware(code.config);
    case PERF_TYPE_HW_CACHE:
      return RoleOfCache(code.config);
    case PERF_TYPE_SOFTWARE:
    case PERF_TYPE_TRACEPOINT:
    case PERF_TYPE_BREAKPOINT:
      return EventRole::kOther;
    default:
      return RoleOfName(name);
  }
}

}  // namespace duetbench
