// Runs that do not end.
#include <pthread.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "duetbench/platform/thread.h"
#include "gtest/gtest.h"
#include "tests/measure/short_run.h"

namespace duetbench {
namespace {

enum class StuckIn { kSetUp, kIteration, kTearDown };

// A variant that stays for ever in one place.
class Stays {
 public:
  explicit Stays(StuckIn place) : place_(place) {}
  void operator()(State& state) const {
    if (place_ == StuckIn::kSetUp) Stay();
    int64_t n = 0;
    for (auto _ : state) {
      if (place_ == StuckIn::kIteration && ++n == 10) Stay();
      Work();
    }
    if (place_ == StuckIn::kTearDown) Stay();
  }

 private:
  [[noreturn]] static void Stay() {
    for (;;) pause();
  }
  StuckIn place_;
};

struct StuckRun {
  RunPlan plan;
  DuetFunctions functions;
  std::string expected;  // "[variant] cause"
};

// Each run in a separate process, all at the same time; a process says what its run is stuck in
// and ends, as the caller of such a run must.
void ExpectStuck(std::vector<StuckRun> runs) {
  std::vector<int> answers;
  std::vector<pid_t> children;
  for (StuckRun& run : runs) {
    run.plan.timeout_ns = 3e9;
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    const pid_t child = fork();
    if (child == 0) {
      const RunResult result = ExecuteRun(run.plan, run.functions);
      const std::string answer = absl::StrCat("[", result.error.variant, "] ", result.error.cause);
      const bool written =
          write(ends[1], answer.data(), answer.size()) == static_cast<ssize_t>(answer.size());
      _exit(result.pairs.empty() && written ? 0 : 1);
    }
    ASSERT_GT(child, 0);
    close(ends[1]);
    answers.push_back(ends[0]);
    children.push_back(child);
  }
  for (size_t i = 0; i < runs.size(); ++i) {
    char answer[1000];
    const ssize_t length = read(answers[i], answer, sizeof(answer));
    EXPECT_EQ(std::string(answer, length > 0 ? static_cast<size_t>(length) : 0), runs[i].expected)
        << "run " << i;
    close(answers[i]);
    int status = -1;
    waitpid(children[i], &status, 0);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << "was not stuck: " << status;
  }
}

DuetFunctions Functions(const std::shared_ptr<const Variant>& old_variant,
                        const std::shared_ptr<const Variant>& new_variant) {
  return {{old_variant, new_variant}, {}};
}

TEST(StuckRun, TheVariantAndWhatItIsInAreNamed) {
  const std::string after = " after 3 s (--duet_timeout)";
  const std::shared_ptr<const Variant> works = MakeVariant(WorkLoop);
  std::vector<StuckRun> runs;
  for (const auto& [place, doing] :
       std::vector<std::pair<StuckIn, std::string>>{{StuckIn::kSetUp, "in its set-up"},
                                                    {StuckIn::kIteration, "executing iterations"},
                                                    {StuckIn::kTearDown, "in its tear-down"}}) {
    const std::string was = absl::StrCat("was still ", doing, after);
    const std::shared_ptr<const Variant> stays = MakeVariant(Stays(place));
    for (const Schedule schedule : {Schedule::kDuet, Schedule::kInterleaved}) {
      runs.push_back({ShortPlan(schedule), Functions(stays, works), "[0] " + was});
      runs.push_back({ShortPlan(schedule), Functions(works, stays), "[1] " + was});
    }
  }
  const std::shared_ptr<const Variant> stays = MakeVariant(Stays(StuckIn::kIteration));
  // The partner is busy too, but only to fill the time.
  RunPlan fill = ShortPlan();
  fill.fill = 1;
  const std::string was = absl::StrCat("was still executing iterations", after);
  runs.push_back({fill, Functions(stays, works), "[0] " + was});
  runs.push_back({fill, Functions(works, stays), "[1] " + was});
  // Both together.
  runs.push_back({ShortPlan(), Functions(stays, stays),
                  absl::StrCat("[-1] the run was not over", after,
                               ": old was executing iterations, new was executing iterations")});
  ExpectStuck(runs);
}

}  // namespace
}  // namespace duetbench
