#include "tools/duet/git/bisect.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "absl/strings/str_cat.h"

namespace duetbench::duet {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

std::vector<std::string> Commits(int count) {
  std::vector<std::string> commits;
  for (int i = 0; i < count; ++i) commits.push_back(absl::StrCat(i));
  return commits;
}

// Commits from `first_bad` on take 1.21 times as long; those in `broken` cannot be measured.
struct History {
  int first_bad;
  std::set<std::string> broken;
  std::vector<std::string> probed;

  absl::StatusOr<Probe> operator()(const std::string& commit, double) {
    probed.push_back(commit);
    if (broken.count(commit) > 0) return absl::FailedPreconditionError("broken");
    const double ratio = std::stoi(commit) >= first_bad ? 1.21 : 1.0;
    return Probe{ratio, ratio - 0.01, ratio + 0.01, true};
  }
};

absl::StatusOr<BisectResult> Search(int count, History& history) {
  return Bisect(Commits(count), [&history](const std::string& commit, double limit) {
    return history(commit, limit);
  });
}

TEST(Bisect, FindsEveryFirstCommit) {
  for (int first_bad = 0; first_bad < 20; ++first_bad) {
    History history{first_bad, {}, {}};
    const auto result = Search(20, history);
    ASSERT_TRUE(result.ok()) << result.status();
    EXPECT_EQ(result->first_bad, absl::StrCat(first_bad));
    EXPECT_EQ(result->last_good, first_bad == 0 ? "" : absl::StrCat(first_bad - 1));
    EXPECT_NEAR(result->limit, 1.1, 1e-9);
    EXPECT_LE(history.probed.size(), 1u + 5u);
  }
}

TEST(Bisect, SkipsWhatCannotBeMeasured) {
  History history{7, {"5", "6"}, {}};
  const auto result = Search(12, history);
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(result->first_bad, "7");
  EXPECT_EQ(result->last_good, "4");
  EXPECT_THAT(result->untestable, ElementsAre("5", "6"));
}

TEST(Bisect, WithoutADifferenceThereIsNothingToFind) {
  History history{100, {}, {}};
  EXPECT_THAT(std::string(Search(5, history).status().message()), HasSubstr("is not slower"));
  EXPECT_THAT(history.probed, SizeIs(1));
  EXPECT_FALSE(Search(0, history).ok());
}

}  // namespace
}  // namespace duetbench::duet
