#ifndef DUETBENCH_TESTS_INTEGRATION_ROWS_H_
#define DUETBENCH_TESTS_INTEGRATION_ROWS_H_

#include <unistd.h>

#include <cctype>
#include <filesystem>
#include <ostream>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/integration/program.h"
#include "tests/sanitized.h"

// Tables of commands of the shell: a row has a command, its exit status and what it prints.
namespace duetbench::integration {

// The parts of `pattern` that [...] separates stand in the text in this order.
MATCHER_P(Says, pattern, "") {
  size_t at = 0;
  for (const absl::string_view part :
       absl::StrSplit(absl::string_view(pattern), absl::string_view("[...]"))) {
    at = std::string(arg).find(std::string(part), at);
    if (at == std::string::npos) {
      *result_listener << "without '" << part << "' where it is expected";
      return false;
    }
    at += part.size();
  }
  return true;
}

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

// The command is started in an empty folder. $suite, $trouble and so on are the programs of
// program.h, as far as this build has them, of which $refusing executes a command to which
// calls are refused; `started` waits until a variant of $suite runs, `many_started` until 24 of its
// processes have, more than the pilots are, `old_started` until $duet has started ./p; `as_user UID
// COMMAND…` executes it as another user, who reaches `./copy` of $suite but perhaps not $suite;
// `with_mounts COMMAND…` where mounts are its own, in a user namespace if need be; `free COMMAND…`
// without the number of runs and the time that tests have; a status of 99 leaves the row out.
// Afterwards every .json there is JSON, every .csv has whole lines, and every .xml has its end.
struct Row {
  const char* name;
  const char* command;
  int status;
  const char* said = "";  // on stdout and then stderr: Says()
  Needs needs = Needs::kNothing;
  const char* unsaid = nullptr;  // on neither
};

inline void PrintTo(const Row& row, std::ostream* stream) { *stream << row.command; }

inline constexpr char kPrelude[] = R"(
started() { until test -s log; do sleep 0.01; done; }
many_started() { until [ $(cut -d' ' -f1 log | sort -u | wc -l) -ge 24 ]; do sleep 0.02; done; }
old_started() {
  until for pid in $(pgrep -f '^\./p( |$)'); do [ "/proc/$pid/cwd" -ef . ] && echo; done | grep -q ''; do
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
free() { env -u DUET_RUNS -u BENCHMARK_MIN_TIME "$@"; }
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
    if (absl::EndsWith(path, ".md")) {
      EXPECT_THAT(text, ::testing::EndsWith("\n"));
    }
    if (absl::EndsWith(path, ".xml")) {
      EXPECT_THAT(text, ::testing::EndsWith("</testsuites>\n"));
    }
    if (absl::EndsWith(path, ".csv")) {
      EXPECT_THAT(text, ::testing::StartsWith("benchmark,run,"));
      EXPECT_THAT(text, ::testing::EndsWith("\n"));
    }
    EXPECT_FALSE(absl::EndsWith(path, ".part")) << "a temporary file is left: " << path;
  }
}

// Starts the command of `row`, and checks what the row says.
inline void ExpectRow(const Row& row) {
  if (!CanBeTried(row.needs)) GTEST_SKIP() << "cannot be tried here";
  const Folder folder;
  Request request = InShell(absl::StrCat(kPrelude, row.command), folder.path());
  request.max_seconds = 300;
  request.environment = {{"INTEGRATION_LOG", "log"}, {"GITHUB_ACTIONS", "false"}};
  for (const auto& [name, path] : Programs()) {
    // Bazel names them relative to its folder.
    request.environment[name] = std::filesystem::absolute(path);
  }
  const Outcome outcome = Execute(request);
  if (outcome.status == 99) GTEST_SKIP() << "cannot be tried here: " << outcome.err;
  EXPECT_EQ(outcome.status, row.status) << outcome.out << outcome.err;
  const std::string printed = outcome.out + outcome.err;
  EXPECT_THAT(printed, Says(row.said));
  if (row.unsaid != nullptr) {
    EXPECT_THAT(printed, ::testing::Not(Says(row.unsaid)));
  }
  ExpectWholeFiles(folder);
}

inline std::string RowName(const ::testing::TestParamInfo<Row>& info) {
  std::string name = absl::StrCat(info.index, " ", info.param.name);
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

// The tests `suite` of the rows of a table.
#define TEST_ROWS(suite, rows)                               \
  class suite : public ::testing::TestWithParam<Row> {};     \
  TEST_P(suite, IsAsTheTableSays) { ExpectRow(GetParam()); } \
  INSTANTIATE_TEST_SUITE_P(Rows, suite, ::testing::ValuesIn(rows), RowName)

}  // namespace duetbench::integration

#endif  // DUETBENCH_TESTS_INTEGRATION_ROWS_H_
