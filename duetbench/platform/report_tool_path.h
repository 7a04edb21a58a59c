#ifndef DUETBENCH_PLATFORM_REPORT_TOOL_PATH_H_
#define DUETBENCH_PLATFORM_REPORT_TOOL_PATH_H_

namespace duetbench::internal {

// Where the build system of this program knows duet_report to be; null: it does not say. Packages
// define the macro for the sources of their users: the path is that of their prefix, wherever it
// was moved. In the build tree of duetbench itself tools/cmake/report_tool_path.cc has it.
inline const char* report_tool_path = nullptr;
#ifdef DUETBENCH_REPORT_TOOL
[[maybe_unused]] inline const bool knows_report_tool =
    (report_tool_path = DUETBENCH_REPORT_TOOL, true);
#endif

}  // namespace duetbench::internal

#endif  // DUETBENCH_PLATFORM_REPORT_TOOL_PATH_H_
