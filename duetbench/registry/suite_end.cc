#include "duetbench/registry/suite_end.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "duetbench/registry/session.h"
#include "duetbench/report/annotations.h"
#include "duetbench/report/calibration.h"
#include "duetbench/report/repeat_command.h"
#include "duetbench/report/self_comparison.h"
#include "duetbench/report/suite.h"
#include "duetbench/report/suite_junit.h"
#include "duetbench/report/suite_markdown.h"

namespace duetbench {
namespace {

absl::Status Write(const std::string& flag, const std::string& path, std::ios::openmode mode,
                   const std::string& text) {
  errno = 0;
  std::ofstream file(path, mode | std::ios::binary);
  file << text << std::flush;
  if (file.good()) return absl::OkStatus();
  return absl::UnavailableError(absl::StrCat("--duet_", flag, ": cannot write to '", path,
                                             "': ", std::strerror(errno != 0 ? errno : EIO)));
}

// The flags that the environment gives.
std::vector<std::pair<std::string, std::string>> FlagVariables() {
  std::vector<std::pair<std::string, std::string>> variables;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string text = *variable;
    const size_t equals = text.find('=');
    if (equals == std::string::npos) continue;
    if (!absl::StartsWith(text, "DUET_") && !absl::StartsWith(text, "BENCHMARK_")) continue;
    variables.emplace_back(text.substr(0, equals), text.substr(equals + 1));
  }
  return variables;
}

std::string Variable(const char* name) {
  const char* const value = std::getenv(name);
  return value != nullptr ? value : "";
}

std::string NameOfProgram(const Session& session) {
  const std::string& path = session.argv().empty() ? "" : session.argv()[0];
  return path.substr(path.rfind('/') + 1);
}

}  // namespace

absl::Status CheckSuiteFiles(const Session& session) {
  const Flags& flags = session.flags();
  for (const auto& [flag, path] :
       {std::pair("summary", flags.summary), std::pair("junit", flags.junit)}) {
    if (path.empty()) continue;
    if (absl::Status status = Write(flag, path, std::ios::app, ""); !status.ok()) return status;
  }
  return absl::OkStatus();
}

int EndSuite(Session& session) {
  const Flags& flags = session.flags();
  std::vector<SuiteEntry> suite = session.suite().entries();
  const auto variables = FlagVariables();
  for (SuiteEntry& entry : suite) {
    entry.repeat = RepeatCommand(session.argv(), variables, entry.name, session.options().seed);
  }
  const std::vector<Standing> standings = SettleSuite(suite);
  const CpuPairChoice cpus =
      !suite.empty() && session.machine().ok() ? session.machine()->cpus : CpuPairChoice();

  std::vector<std::string> lines;
  if (flags.aa) {
    lines = SelfComparisonLines(suite, cpus);
  } else {
    lines = ClosingLines(suite, standings, flags.inconclusive, cpus);
    if (flags.calibrate) {
      for (std::string& line : CalibrationLines(suite, flags.detect)) {
        lines.push_back(std::move(line));
      }
    }
    if (Variable("GITHUB_ACTIONS") == "true") {
      for (std::string& line :
           Annotations(suite, standings, flags.inconclusive, cpus, Variable("GITHUB_WORKSPACE"))) {
        lines.push_back(std::move(line));
      }
    }
  }
  const std::string format = session.GoogleBenchmarkFlag("format");
  std::FILE* const out = format.empty() || format == "console" ? stdout : stderr;
  std::fflush(stdout);
  for (const std::string& line : lines) std::fprintf(out, "%s\n", line.c_str());
  std::fflush(out);

  const std::string program = NameOfProgram(session);
  std::vector<absl::Status> written;
  if (!flags.summary.empty()) {
    written.push_back(Write("summary", flags.summary, std::ios::app,
                            SuiteMarkdown(suite, standings, program, cpus)));
  }
  if (!flags.junit.empty()) {
    written.push_back(Write("junit", flags.junit, std::ios::trunc,
                            SuiteJunit(suite, standings, flags.inconclusive, program, cpus)));
  }
  for (const absl::Status& status : written) {
    if (status.ok()) continue;
    std::fprintf(stderr, "duetbench: %s\n", std::string(status.message()).c_str());
    session.CountError();
  }
  return SuiteStatus(CountStandings(standings), session.errors(), flags.inconclusive);
}

}  // namespace duetbench
