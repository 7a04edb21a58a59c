#include "duetbench/experiment/report_tool.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "duetbench/platform/process.h"
#include "duetbench/platform/report_tool_path.h"
#include "duetbench/platform/spawn.h"
#include "duetbench/platform/subprocess.h"
#include "duetbench/platform/text_file.h"

namespace duetbench {
namespace {

constexpr char kVariable[] = "DUET_REPORT_TOOL";

bool IsExecutable(const std::string& path) { return access(path.c_str(), X_OK) == 0; }

std::vector<std::string> PathsOfReportTool() {
  const std::string program = PathOfThisProgram();
  std::vector<std::string> paths = {
      absl::StrCat(program.substr(0, program.rfind('/') + 1), "duet_report")};
  if (internal::report_tool_path != nullptr) paths.emplace_back(internal::report_tool_path);
  if (internal::public_header != nullptr) {
    const std::filesystem::path headers =
        std::filesystem::path(internal::public_header).parent_path();
    paths.push_back(headers.parent_path().parent_path() / "bin/duet_report");
  }
  const char* const runfiles = std::getenv("RUNFILES_DIR");
  for (const std::string& folder :
       {runfiles == nullptr ? "" : std::string(runfiles), absl::StrCat(program, ".runfiles")}) {
    for (const std::string& repository : ListFolder(folder)) {
      paths.push_back(absl::StrCat(folder, "/", repository, "/tools/duet_report/duet_report"));
    }
  }
  return paths;
}

}  // namespace

absl::StatusOr<std::string> FindReportTool() {
  if (const char* const named = std::getenv(kVariable)) {
    if (IsExecutable(named)) return named;
    return absl::NotFoundError(absl::StrCat(kVariable, ": ", named, " cannot be executed"));
  }
  const std::vector<std::string> paths = PathsOfReportTool();
  for (const std::string& path : paths) {
    if (IsExecutable(path)) return path;
  }
  std::string path = FindInPath("duet_report");
  if (!path.empty()) return path;
  return absl::NotFoundError(
      absl::StrCat("duet_report, which is installed with duetbench, is neither ",
                   absl::StrJoin(paths, " nor "), " nor in PATH; ", kVariable, " can name it"));
}

absl::StatusOr<std::string> RunReportTool(const std::string& command, absl::string_view recording) {
  const absl::StatusOr<std::string> tool = FindReportTool();
  if (!tool.ok()) return tool.status();
  const Descriptor file(memfd_create("recording", MFD_CLOEXEC));
  if (const int error = WriteAll(file.get(), recording); error != 0) {
    return absl::ErrnoToStatus(error, "the recording is not handed over");
  }
  ChildRequest request;
  request.executable = *tool;
  request.argv = {*tool, command, absl::StrCat("/proc/self/fd/", file.get())};
  request.inherited_fd = file.get();
  request.tail_bytes = std::string().max_size();
  absl::StatusOr<ChildOutcome> outcome = RunSelf(request);
  if (!outcome.ok()) return outcome.status();
  if (outcome->end == ChildOutcome::End::kExited && outcome->exit_code == 0) {
    return std::move(outcome->output_tail);
  }
  return absl::UnavailableError(
      absl::StrCat(*tool, " ", DescribeEnd(*outcome), ": ",
                   absl::StripTrailingAsciiWhitespace(outcome->output_tail)));
}

}  // namespace duetbench
