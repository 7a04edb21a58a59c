#ifndef DUETBENCH_EXPERIMENT_REPORT_TOOL_H_
#define DUETBENCH_EXPERIMENT_REPORT_TOOL_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

// The program duet_report (tools/duet_report/) makes what programs need not contain. It is
// installed and built with this library.
namespace duetbench {

// The path of duet_report: the first one that exists of $DUET_REPORT_TOOL, the folder of this
// program, report_tool_path.h, the runfiles of Bazel, and PATH. NotFound names them all; a
// $DUET_REPORT_TOOL that cannot be executed is an error.
absl::StatusOr<std::string> FindReportTool();

// The output of `duet_report COMMAND` for `recording`. Errors: those of FindReportTool, or what
// duet_report says. Costs the start of a process.
absl::StatusOr<std::string> RunReportTool(const std::string& command, absl::string_view recording);

}  // namespace duetbench

#endif  // DUETBENCH_EXPERIMENT_REPORT_TOOL_H_
