#ifndef DUETBENCH_MEASURE_CALL_CATCHING_EXCEPTIONS_H_
#define DUETBENCH_MEASURE_CALL_CATCHING_EXCEPTIONS_H_

#include <functional>
#include <string>

namespace duetbench {

// Calls a function of the user's. Returns what it threw, as in "threw std::out_of_range: index 7",
// or an empty string. The cancellation of a thread passes through.
std::string CallCatchingExceptions(const std::function<void()>& function);

}  // namespace duetbench

#endif  // DUETBENCH_MEASURE_CALL_CATCHING_EXCEPTIONS_H_
