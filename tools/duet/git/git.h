#ifndef TOOLS_DUET_GIT_GIT_H_
#define TOOLS_DUET_GIT_GIT_H_

#include <string>
#include <vector>

namespace duetbench::duet {

// `duet git BASE [NEW] …`; `arguments` without the word git. Prints everything, and returns how to
// end.
int GitMain(const std::string& program, const std::vector<std::string>& arguments);

}  // namespace duetbench::duet

#endif  // TOOLS_DUET_GIT_GIT_H_
