#ifndef TOOLS_DUET_COMPARE_H_
#define TOOLS_DUET_COMPARE_H_

#include <string>
#include <vector>

namespace duetbench::duet {

// `duet OLD NEW …`; `arguments` without argv[0]. Prints everything, and returns how to end.
int CompareMain(const std::string& program, const std::vector<std::string>& arguments);

}  // namespace duetbench::duet

#endif  // TOOLS_DUET_COMPARE_H_
