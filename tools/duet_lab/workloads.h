#ifndef DUETBENCH_TOOLS_DUET_LAB_WORKLOADS_H_
#define DUETBENCH_TOOLS_DUET_LAB_WORKLOADS_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace duetbench::lab {

// The workloads with which the lab measures duetbench: operations whose length is a number of
// units, so that the true ratio of two lengths is known. A unit takes 10 ns to some microseconds.

// A workload with its data. One thread uses it.
class Work {
 public:
  virtual ~Work() = default;
  // Executes `units` units. The call is virtual, once in an iteration of 100 us and more.
  virtual void Run(int64_t units) = 0;
};

struct Workload {
  const char* name;
  std::unique_ptr<Work> (*make)();
  bool is_held_out = false;  // nothing of duetbench was chosen with it in view
};

// integer (in registers), float (in the level 1 cache), cache (linear walk over 4 MiB) and memory
// (random walk over 64 MiB), the four of the duet paper (Bulej et al., ICPE 2020, section 4.4);
// sort (32 random numbers), which has branches that nobody predicts; look-ups in a map, strings,
// and allocate; and four that are held out.
const std::vector<Workload>& Workloads();

std::vector<std::string> WorkloadNames();

// NotFound lists the names that exist.
absl::StatusOr<const Workload*> FindWorkload(absl::string_view name);

// Time of a unit here, in nanoseconds: the median of five measurements of 4 ms, made in this
// thread. The first one warms up.
double MeasureUnitNs(const Workload& workload);

}  // namespace duetbench::lab

#endif  // DUETBENCH_TOOLS_DUET_LAB_WORKLOADS_H_
