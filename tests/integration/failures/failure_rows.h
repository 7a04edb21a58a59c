#ifndef DUETBENCH_TESTS_INTEGRATION_FAILURES_FAILURE_ROWS_H_
#define DUETBENCH_TESTS_INTEGRATION_FAILURES_FAILURE_ROWS_H_

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <ostream>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/integration/program.h"
#include "tests/sanitized.h"

// Tables of failures: a row is a command of the shell with the exit status and what it prints.
namespace duetbench::integration {

// Where a row can be tried.
enum class Needs {
  kNothing,
  kRoot,   // other users
  kPlain,  // no sanitizer, which needs memory, descriptors and /proc
  kPlainRoot,
  kAddressSanitizer,  // of the programs, which are built as this test is
  kThreadSanitizer,
  kOptimization,
};

// The command is started in an empty folder. $suite, $trouble, $failures, $crashes, $gates, $duet
// and $duet_stat are programs, $refusing executes a command to which calls are refused, $build_old
// and $build_new two builds of one; `started` waits until a variant of $suite runs, `many_started`
// until 24 of its processes have, more than the pilots are, `old_started` until $duet has started
// ./p; `as_user UID COMMAND…` executes it as another user, who reaches `./copy` of $suite but
// perhaps not $suite; `with_mounts COMMAND…` where mounts are its own, in a user namespace if need
// be; a status of 99 leaves the row out. Afterwards every .json there is JSON, every .csv has whole
// lines, and every .xml has its end.
struct Row {
  const char* name;
  const char* command;
  int status;
  const char* said = "";  // on stdout or stderr
  Needs needs = Needs::kNothing;
};

inline void PrintTo(const Row& row, std::ostream* stream) { *stream << row.command; }

inline constexpr char kPrelude[] = R"(
started() { until test -s log; do sleep 0.01; done; }
many_started() { until [ $(cut -d' ' -f1 log | sort -u | wc -l) -ge 24 ]; do sleep 0.02; done; }
old_started() {
  until for pid in $(pgrep -x p); do [ "/proc/$pid/cwd" -ef . ] && echo; done | grep -q ''; do
    sleep 0.01
  done
}
left() {
  case $(ps -o stat= -p "$1") in ''|Z*) ;; *) echo "process $1 is left"; kill -9 "$1"; exit 98; esac
}
as_user() {
  user=$1 && shift
  setpriv --reuid=$user --clear-groups true || exit 99
  cp "$suite" copy && chmod 755 copy || exit 1
  setpriv --reuid=$user --clear-groups "$@"
}
with_mounts() {
  for namespaces in -m -rm; do
    if unshare $namespaces true; then unshare $namespaces "$@"; return; fi
  done
  exit 99
}
export once=--benchmark_filter=BM_Once
export no_leaks=ASAN_OPTIONS=detect_leaks=0  # the search for leaks needs a process
steps='--benchmark_filter=OldSteps_vs|BM_Apples'
long='--benchmark_min_time=20 --duet_runs=100'
outs='--benchmark_out=r.json --duet_out=p.csv --duet_junit=j.xml --duet_summary=s.md'
)";

inline bool CanBeTried(Needs needs) {
  switch (needs) {
    case Needs::kNothing:
      return true;
    case Needs::kRoot:
      return geteuid() == 0;
    case Needs::kPlain:
      return !kSanitized;
    case Needs::kPlainRoot:
      return !kSanitized && geteuid() == 0;
    case Needs::kAddressSanitizer:
      return kAddressSanitizer;
    case Needs::kThreadSanitizer:
      return kThreadSanitizer;
    case Needs::kOptimization:
      return kRemovesEmptyLoops;
  }
  return false;
}

inline void ExpectWholeFiles(const Folder& folder) {
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
    const std::string path = entry.path();
    const std::string text = TextOf(path);
    if (absl::EndsWith(path, ".json")) JsonOf(text);
    if (absl::EndsWith(path, ".xml")) {
      EXPECT_THAT(text, ::testing::EndsWith("</testsuites>\n"));
    }
    if (absl::EndsWith(path, ".csv")) {
      EXPECT_THAT(text, ::testing::StartsWith("benchmark,run,"));
      EXPECT_THAT(text, ::testing::EndsWith("\n"));
    }
    EXPECT_FALSE(absl::StartsWith(entry.path().filename().string(), ".duetbench"))
        << "a temporary file is left: " << path;
  }
}

// Starts the command of `row`, and checks what the row says.
inline void ExpectRow(const Row& row) {
  if (!CanBeTried(row.needs)) GTEST_SKIP() << "cannot be tried here";
  const Folder folder;
  Request request;
  request.program = "sh";
  request.arguments = {"-c", absl::StrCat(kPrelude, row.command)};
  request.folder = folder.path();
  request.environment = {{"INTEGRATION_LOG", "log"}, {"GITHUB_ACTIONS", "false"}};
  for (const char* program : {"suite", "trouble", "failures", "covered", "gates", "plain_main",
                              "duet_stat", "duet", "build_old", "build_new", "lto", "clock_steps",
                              "bare", "without_libraries", "refusing", "crashes"}) {
    // Not every build makes all of them.
    if (!HasPath(program)) continue;
    // Bazel names them relative to its folder.
    request.environment[program] = std::filesystem::absolute(PathOf(program));
  }
  const Outcome outcome = Execute(request);
  if (outcome.status == 99) GTEST_SKIP() << "cannot be tried here: " << outcome.err;
  EXPECT_EQ(outcome.status, row.status) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out + outcome.err, ::testing::HasSubstr(row.said));
  ExpectWholeFiles(folder);
}

inline std::string RowName(const ::testing::TestParamInfo<Row>& info) {
  std::string name = absl::StrCat(info.index, " ", info.param.name);
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

}  // namespace duetbench::integration

#endif  // DUETBENCH_TESTS_INTEGRATION_FAILURES_FAILURE_ROWS_H_
