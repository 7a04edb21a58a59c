#ifndef DUETBENCH_TESTS_PLATFORM_STUCK_ROLES_H_
#define DUETBENCH_TESTS_PLATFORM_STUCK_ROLES_H_

#include <functional>
#include <map>
#include <string>

namespace duetbench {

// The work of a child process; returns its exit status.
using Role = std::function<int(int result_fd)>;

// Children that never end, or whose end their parent does not see: `--child=NAME` of the program.
std::map<std::string, Role> StuckRoles();

}  // namespace duetbench

#endif  // DUETBENCH_TESTS_PLATFORM_STUCK_ROLES_H_
