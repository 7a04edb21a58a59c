#include "duetbench/platform/event.h"

#include <linux/perf_event.h>

namespace duetbench {

bool IsSoftware(const EventCode& code) { return code.type == PERF_TYPE_SOFTWARE; }

}  // namespace duetbench
