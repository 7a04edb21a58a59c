#include "duetbench/gtest/test_place.h"

#include <cstdlib>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "duetbench/measure/this_process.h"
#include "gtest/gtest.h"

namespace duetbench {
namespace {

constexpr char kPlaceVariable[] = "DUETBENCH_TEST";

int calls_in_this_test = 0;

class CallCounter : public testing::EmptyTestEventListener {
 public:
  void OnTestStart(const testing::TestInfo&) override { calls_in_this_test = 0; }
};

// The place that this process was started for; empty: it is no run. Read before
// main, so that a run dies with its parent from the beginning on.
const std::string& PlaceOfThisRun() {
  static const std::string* const place = [] {
    const char* const text = std::getenv(kPlaceVariable);
    auto* const copy = new std::string(text != nullptr ? text : "");
    unsetenv(kPlaceVariable);
    RunOfThisProcess();
    return copy;
  }();
  return *place;
}

[[maybe_unused]] const bool started = [] {
  testing::UnitTest::GetInstance()->listeners().Append(new CallCounter);
  PlaceOfThisRun();
  return true;
}();

}  // namespace

std::string TestPlace::Text() const { return absl::StrCat(test, "#", call); }

std::optional<TestPlace> NextPlace() {
  const testing::TestInfo* const test = testing::UnitTest::GetInstance()->current_test_info();
  if (test == nullptr) return std::nullopt;
  return TestPlace{absl::StrCat(test->test_suite_name(), ".", test->name()), ++calls_in_this_test};
}

RunCommand CommandFor(const TestPlace& place, std::vector<std::string> argv) {
  std::string filter = place.test;
  for (char& character : filter) {
    if (absl::string_view("*?:-").find(character) != absl::string_view::npos) character = '?';
  }
  RunCommand command;
  command.argv = std::move(argv);
  // An unknown flag makes GoogleTest print its help: these flags exist in all versions.
  command.argv.insert(
      command.argv.end(),
      {absl::StrCat("--gtest_filter=", filter), "--gtest_also_run_disabled_tests=true",
       "--gtest_list_tests=false", "--gtest_repeat=1", "--gtest_shuffle=false",
       "--gtest_output=", "--gtest_stream_result_to=", "--gtest_color=no",
       "--gtest_break_on_failure=false", "--gtest_throw_on_failure=false"});
  command.environment = {{kPlaceVariable, place.Text()},
                         {"GTEST_TOTAL_SHARDS", "1"},
                         {"GTEST_SHARD_INDEX", "0"},
                         {"GTEST_SHARD_STATUS_FILE", "/dev/null"},
                         {"TEST_PREMATURE_EXIT_FILE", ""}};
  command.did_not_arrive = kDidNotArrive;
  return command;
}

bool IsPlaceOfThisRun(const TestPlace& place) { return place.Text() == PlaceOfThisRun(); }

}  // namespace duetbench
