#include "duetbench/experiment/suite_runs.h"

#include <algorithm>
#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace duetbench {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// The events, in order: the number of the job of each run, and what was finished and reported.
struct History {
  std::vector<int> runs;
  std::vector<double> limits;  // of runs
  std::vector<std::string> ends;
};

constexpr int kFirstRuns = 3;

class FakeJob final : public SuiteJob {
 public:
  FakeJob(int number, int runs, double bytes, History* history)
      : number_(number), left_(runs), bytes_(bytes), history_(*history) {}

  bool LaunchNext(double most_s) override {
    begun_ = true;
    history_.limits.push_back(most_s);
    EXPECT_GT(left_, 0);
    history_.runs.push_back(number_);
    ++done_;
    return --left_ > 0;
  }
  void Finish(End end) override {
    EXPECT_TRUE(left_ == 0 || end != End::kComplete);
    if (end == End::kOutOfTime) history_.ends.push_back(absl::StrCat("ended ", number_));
    if (begun_) history_.ends.push_back(absl::StrCat("finished ", number_));
  }
  void Report() override {
    history_.ends.push_back(absl::StrCat(begun_ ? "reported " : "not measured ", number_));
  }
  double RunsLeft() const override { return left_; }
  double Bytes() const override { return bytes_; }
  Prospect prospect() const override {
    Prospect prospect;
    prospect.first_runs = std::max(0, kFirstRuns - done_);
    prospect.runs_to_decide = prospect.runs_to_end = left_;
    prospect.run_s = 1;
    return prospect;
  }

 private:
  const int number_;
  int left_;
  const double bytes_;
  History& history_;
  bool begun_ = false;
  int done_ = 0;
};

struct FakeSuite {
  History history;
  std::vector<std::unique_ptr<FakeJob>> jobs;

  void Add(int runs, double bytes = 1) {
    const int number = static_cast<int>(jobs.size());
    jobs.push_back(std::make_unique<FakeJob>(number, runs, bytes, &history));
  }
  void Make(SuiteOrder order, size_t interrupted_after = 1'000'000) {
    std::vector<SuiteJob*> all;
    for (const auto& job : jobs) all.push_back(job.get());
    MakeSuiteRuns(all, order, [&] { return history.runs.size() >= interrupted_after; });
  }
  // Each run takes a second.
  void MakeWithin(double budget_s, uint64_t seed = 1) {
    SuiteOrder order;
    order.budget_s = budget_s;
    order.seed = seed;
    order.clock = [this] { return static_cast<double>(history.runs.size()); };
    Make(order);
  }
  std::vector<std::string> Reports() const {
    std::vector<std::string> reports;
    for (const std::string& end : history.ends) {
      if (end.compare(0, 8, "finished") != 0 && end.compare(0, 5, "ended") != 0)
        reports.push_back(end);
    }
    return reports;
  }
  // The mean place of the runs of a job, as a part of all.
  double MeanPlace(int job) const {
    double sum = 0;
    double count = 0;
    for (size_t i = 0; i < history.runs.size(); ++i) {
      if (history.runs[i] != job) continue;
      sum += static_cast<double>(i);
      count += 1;
    }
    return sum / count / static_cast<double>(history.runs.size() - 1);
  }
};

TEST(SuiteRuns, SequentiallyAreJobByJob) {
  FakeSuite suite;
  for (const int runs : {2, 3, 1}) suite.Add(runs);
  SuiteOrder order;
  order.interleaved = false;
  suite.Make(order);
  EXPECT_THAT(suite.history.runs, ElementsAre(0, 0, 1, 1, 1, 2));
  EXPECT_THAT(suite.history.ends, ElementsAre("finished 0", "reported 0", "finished 1",
                                              "reported 1", "finished 2", "reported 2"));
}

// However many runs a job has, they spread over the whole time: the mean place is in the middle.
TEST(SuiteRuns, InterleavedSpreadEachJobOverTheWholeTime) {
  constexpr int kSuites = 200;
  const std::vector<int> runs = {5, 18, 18, 40};
  std::vector<double> places(runs.size());
  std::vector<double> last(runs.size());
  for (uint64_t seed = 0; seed < kSuites; ++seed) {
    FakeSuite suite;
    for (const int count : runs) suite.Add(count);
    SuiteOrder order;
    order.seed = seed;
    suite.Make(order);
    for (size_t job = 0; job < runs.size(); ++job) {
      const int number = static_cast<int>(job);
      EXPECT_EQ(std::count(suite.history.runs.begin(), suite.history.runs.end(), number),
                runs[job]);
      places[job] += suite.MeanPlace(number) / kSuites;
    }
    EXPECT_THAT(suite.Reports(),
                ElementsAre("reported 0", "reported 1", "reported 2", "reported 3"));
  }
  // The standard error of the mean of five places is 0.01 at most.
  for (const double place : places) EXPECT_NEAR(place, 0.5, 0.05);
}

TEST(SuiteRuns, TheSeedMakesTheOrder) {
  std::vector<std::vector<int>> runs;
  for (const uint64_t seed : {7, 7, 8}) {
    FakeSuite suite;
    for (int i = 0; i < 4; ++i) suite.Add(10);
    SuiteOrder order;
    order.seed = seed;
    suite.Make(order);
    runs.push_back(suite.history.runs);
  }
  EXPECT_EQ(runs[0], runs[1]);
  EXPECT_NE(runs[0], runs[2]);
}

TEST(SuiteRuns, JobsAreReportedInTheirOrderAsSoonAsTheyCan) {
  FakeSuite suite;
  suite.Add(1);
  suite.Add(200);
  suite.Add(1);
  suite.Make({});
  const std::vector<std::string>& ends = suite.history.ends;
  const auto place = [&](const std::string& end) {
    return std::find(ends.begin(), ends.end(), end) - ends.begin();
  };
  EXPECT_EQ(place("reported 0"), place("finished 0") + 1);
  EXPECT_LT(place("finished 2"), place("finished 1"));
  EXPECT_GT(place("reported 2"), place("reported 1"));
}

TEST(SuiteRuns, MemoryBoundsTheJobsInProgress) {
  for (const double max_bytes : {0.0, 3.0, 100.0}) {
    FakeSuite suite;
    for (int i = 0; i < 20; ++i) suite.Add(10);
    SuiteOrder order;
    order.max_bytes = max_bytes;
    suite.Make(order);
    EXPECT_EQ(suite.history.runs.size(), 200u);
    // Jobs that had a run and are not reported, at each moment.
    size_t most = 0;
    for (size_t i = 0; i < suite.history.runs.size(); ++i) {
      const auto reached = *std::max_element(suite.history.runs.begin(),
                                             suite.history.runs.begin() + static_cast<long>(i) + 1);
      int unfinished = reached;
      for (int job = 0; job <= reached; ++job) {
        const bool has_left = std::count(suite.history.runs.begin() + static_cast<long>(i) + 1,
                                         suite.history.runs.end(), job) > 0;
        if (!has_left) continue;
        unfinished = job;
        break;
      }
      most = std::max(most, static_cast<size_t>(reached - unfinished + 1));
    }
    EXPECT_LE(most, max_bytes < 1 ? 1u : max_bytes == 3 ? 3u : 20u);
    EXPECT_GE(most, max_bytes < 1 ? 1u : max_bytes == 3 ? 3u : 10u);
  }
}

TEST(SuiteRuns, AnInterruptReportsAll) {
  FakeSuite suite;
  for (int i = 0; i < 4; ++i) suite.Add(100, /*bytes=*/1);
  SuiteOrder order;
  order.max_bytes = 2;
  suite.Make(order, /*interrupted_after=*/50);
  EXPECT_EQ(suite.history.runs.size(), 50u);
  EXPECT_THAT(suite.Reports(),
              ElementsAre("reported 0", "reported 1", "not measured 2", "not measured 3"));
  FakeSuite none;
  none.Add(3);
  none.Make({}, /*interrupted_after=*/0);
  EXPECT_THAT(none.history.runs, IsEmpty());
  EXPECT_THAT(none.history.ends, ElementsAre("not measured 0"));
}

// --- With a budget ---

TEST(SuiteRunsInBudget, EachJobHasItsFirstRunsBeforeAnyHasMore) {
  FakeSuite suite;
  for (const int runs : {100, 20, 50}) suite.Add(runs);
  suite.MakeWithin(100);
  for (int job = 0; job < 3; ++job) {
    EXPECT_EQ(std::count(suite.history.runs.begin(), suite.history.runs.begin() + 9, job),
              kFirstRuns);
  }
}

TEST(SuiteRunsInBudget, ARunMayTakeTheShareOfItsJob) {
  FakeSuite suite;
  for (int job = 0; job < 4; ++job) suite.Add(100);
  suite.MakeWithin(40);
  EXPECT_EQ(suite.history.limits.front(), 10);
}

TEST(SuiteRunsInBudget, TheTimeGoesToThoseThatItCanDecide) {
  FakeSuite suite;
  for (const int runs : {1000, 20, 50, 5000}) suite.Add(runs);
  suite.MakeWithin(120);
  const auto runs_of = [&](int job) {
    return std::count(suite.history.runs.begin(), suite.history.runs.end(), job);
  };
  EXPECT_EQ(runs_of(1), 20);
  EXPECT_EQ(runs_of(2), 50);
  EXPECT_EQ(suite.history.runs.size(), 120u) << "what is left is for the others";
  EXPECT_GT(runs_of(0), kFirstRuns);
  EXPECT_GT(runs_of(3), kFirstRuns);
  EXPECT_THAT(suite.Reports(), ElementsAre("reported 0", "reported 1", "reported 2", "reported 3"));
  EXPECT_THAT(suite.history.ends, testing::IsSupersetOf({"ended 0", "ended 3"}));
}

TEST(SuiteRunsInBudget, EndsWhenAllAreDecided) {
  FakeSuite suite;
  for (const int runs : {4, 5}) suite.Add(runs);
  suite.MakeWithin(1000);
  EXPECT_EQ(suite.history.runs.size(), 9u);
}

TEST(SuiteRunsInBudget, TooLittleTimeLeavesSomeUnmeasured) {
  FakeSuite suite;
  for (int i = 0; i < 10; ++i) suite.Add(100);
  suite.MakeWithin(5);
  EXPECT_EQ(suite.history.runs.size(), 5u);
  const std::vector<std::string> reports = suite.Reports();
  EXPECT_EQ(reports.size(), 10u);
  EXPECT_GE(std::count_if(reports.begin(), reports.end(),
                          [](const std::string& text) { return text[0] == 'n'; }),
            5);
}

TEST(SuiteRunsInBudget, CtrlCEndsAll) {
  FakeSuite suite;
  for (int i = 0; i < 3; ++i) suite.Add(100);
  SuiteOrder order;
  order.budget_s = 200;
  order.clock = [&] { return static_cast<double>(suite.history.runs.size()); };
  suite.Make(order, /*interrupted_after=*/70);
  EXPECT_EQ(suite.history.runs.size(), 70u);
  EXPECT_THAT(suite.history.ends, ElementsAre("finished 0", "reported 0", "finished 1",
                                              "reported 1", "finished 2", "reported 2"));
}

}  // namespace
}  // namespace duetbench
