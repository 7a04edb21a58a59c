// Each run starts from a copy of the program with another code layout.
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "duetbench/platform/process.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/integration/program.h"
#include "tests/integration/rows.h"
#include "tests/sanitized.h"

namespace duetbench::integration {
namespace {

class CodeLayoutTest : public ::testing::Test {
 protected:
  Outcome Measure(const std::vector<std::string>& arguments, bool crashes_elsewhere = false) {
    std::filesystem::remove(log_);
    Request request;
    request.program = PathOf(program_);
    request.arguments = {"--duet_runs=6", kNoPilots, "--benchmark_format=json"};
    request.arguments.insert(request.arguments.end(), arguments.begin(), arguments.end());
    request.environment["INTEGRATION_LOG"] = log_;
    if (crashes_elsewhere) request.environment["CRASH_ELSEWHERE"] = "1";
    if (!library_.empty()) request.environment["INTEGRATION_LIBRARY"] = library_;
    return Execute(request);
  }
  // Where a variant was in the image; or where its memory was (old_memory).
  std::set<std::string> PlacesOf(const std::string& variant) const {
    std::set<std::string> places;
    for (const auto& note : NotesOf(log_)) {
      const size_t colon = note.what.find(':');
      if (note.what.substr(0, colon) == variant) places.insert(note.what.substr(colon + 1));
    }
    return places;
  }

  // And that old and new take each other's places.
  void ExpectAnotherForEachRun() {
    const Outcome outcome = Measure({"--duet_seed=7"});
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_THAT(outcome.err, ::testing::Not(Says("where they are linked")));
    EXPECT_EQ(JsonOf(outcome.out)["context"]["duet_layout"], "random");
    const std::set<std::string> places = PlacesOf("old");
    // Three pairs of runs have two places each; the run that calibrates may have others.
    EXPECT_GE(places.size(), 6u);
    EXPECT_THAT(PlacesOf("new"), ::testing::IsSupersetOf(places)) << TextOf(log_);
    ASSERT_EQ(Measure({"--duet_seed=7"}).status, 0);
    EXPECT_EQ(PlacesOf("old"), places) << "the same seed";
  }

  std::string program_ = "addresses", library_;
  const Folder folder_;
  const std::string log_ = folder_.File("log");
};

TEST_F(CodeLayoutTest, EachRunHasAnother) {
  if (kSanitized) GTEST_SKIP() << "programs with a sanitizer are measured as linked";
  ExpectAnotherForEachRun();
}

TEST_F(CodeLayoutTest, EachRunHasAnotherOfItsSharedLibraries) {
  if (kSanitized || !HasPath("addresses_library")) GTEST_SKIP() << "it is measured as linked";
  program_ = "addresses_library";
  ExpectAnotherForEachRun();
}

TEST_F(CodeLayoutTest, EachLayoutHasAnotherOfLibrariesThatTheProgramLoads) {
  if (kSanitized || !HasPath("places")) GTEST_SKIP() << "it is measured as linked";
  library_ = PathOf("places");
  const Outcome outcome = Measure({});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.err, ::testing::Not(Says("where they are linked")));
  EXPECT_GE(PlacesOf("old").size(), 3u) << "of two runs each";
  EXPECT_GE(PlacesOf("new").size(), 3u);
}

TEST_F(CodeLayoutTest, ProcessesOfARunHaveTheSameMemoryLayoutAndOtherRunsOtherOnes) {
  if (kSanitized) GTEST_SKIP() << "programs with a sanitizer are measured as linked";
  if (!MayFixLayout()) GTEST_SKIP() << "random addresses cannot be switched off here";
  const Outcome outcome = Measure({"--duet_isolation=process"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_GE(PlacesOf("old_memory").size(), 6u);
  EXPECT_EQ(PlacesOf("new_memory"), PlacesOf("old_memory"));
}

TEST_F(CodeLayoutTest, AsLinkedAllRunsHaveTheSame) {
  const Outcome outcome = Measure({"--duet_layout=linked"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(JsonOf(outcome.out)["context"]["duet_layout"], "linked");
  EXPECT_EQ(PlacesOf("old").size(), 1u);
}

TEST_F(CodeLayoutTest, AProgramThatFailsElsewhereIsMeasuredAsLinked) {
  if (kSanitized) GTEST_SKIP() << "programs with a sanitizer are measured as linked";
  const Outcome outcome = Measure({}, /*crashes_elsewhere=*/true);
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.err, Says("functions lie where they are linked: run "));
  EXPECT_THAT(outcome.err, ::testing::Not(Says("the last output"))) << "it is no failure";
  ExpectMeasured(JsonOf(outcome.out), "Addresses");
}

}  // namespace
}  // namespace duetbench::integration
