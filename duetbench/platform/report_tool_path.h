#ifndef DUETBENCH_PLATFORM_REPORT_TOOL_PATH_H_
#define DUETBENCH_PLATFORM_REPORT_TOOL_PATH_H_

namespace duetbench::internal {

// duet_report of the build tree that this program belongs to; null: it belongs to none
// (tools/cmake/report_tool_path.cc).
inline const char* report_tool_path = nullptr;
#ifdef DUETBENCH_REPORT_TOOL
[[maybe_unused]] inline const bool knows_report_tool =
    (report_tool_path = DUETBENCH_REPORT_TOOL, true);
#endif

// PREFIX/include/duetbench/duetbench.h, or gtest.h, as the compiler of this program found it: a
// package has PREFIX/bin/duet_report, wherever it was moved. Null: no source includes it.
inline const char* public_header = nullptr;

}  // namespace duetbench::internal

#endif  // DUETBENCH_PLATFORM_REPORT_TOOL_PATH_H_
