#ifndef DUETBENCH_RUNNER_GUARDED_H_
#define DUETBENCH_RUNNER_GUARDED_H_

#include <functional>
#include <string>

namespace duetbench {

// Calls a function of the user's. Returns what it threw, as in "threw std::out_of_range: index 7",
// or an empty string. The cancellation of a thread passes through.
std::string Guarded(const std::function<void()>& function);

}  // namespace duetbench

#endif  // DUETBENCH_RUNNER_GUARDED_H_
