#include "duetbench/main/reports_options.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "duetbench/api/flag_readers.h"

namespace duetbench {
namespace {

bool UseColor(const std::string& flag) {
  if (flag != "auto" && !flag.empty()) return IsTruthy(flag);
  const char* terminal = std::getenv("TERM");
  return isatty(STDOUT_FILENO) != 0 && terminal != nullptr && std::string(terminal) != "dumb";
}

// The width of the terminal that stdout is; 0 if it is none.
int TerminalColumns() {
  winsize size{};
  return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

}  // namespace

ReportsOptions MakeReportsOptions(const Flags& flags, const OwnArguments& own) {
  ReportsOptions reports;
  reports.own_display = own.display;
  reports.own_file = own.file;
  reports.format = flags.format;
  reports.out = flags.benchmark_out;
  reports.out_format = flags.out_format;
  reports.console.color = UseColor(flags.color);
  reports.console.tabular = flags.counters_tabular;
  reports.console.columns = TerminalColumns();
  const char* const in_workflow = std::getenv("GITHUB_ACTIONS");
  reports.console.is_workflow_log = in_workflow != nullptr && std::string(in_workflow) == "true";
  return reports;
}

}  // namespace duetbench
