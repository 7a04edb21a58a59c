#include "tools/duet_lab/replicate/replicate_plan.h"

#include <algorithm>
#include <random>

#include "absl/strings/str_cat.h"

namespace duetbench::lab {
namespace {

// Adds `count` replications of `task`.
void AddReplications(ReplicateTask task, int count, double seconds, std::mt19937_64* random,
                     std::vector<ReplicateTask>* tasks) {
  std::uniform_real_distribution<double> part(0, 1);
  for (task.replication = 0; task.replication < count; ++task.replication) {
    task.moment = (task.replication + part(*random)) / count * seconds;
    tasks->push_back(task);
  }
}

}  // namespace

std::string KeyOf(const ReplicateTask& task) {
  return absl::StrCat(task.is_plain() ? "plain," : "duets", task.pair, ",", task.replication);
}

std::vector<ReplicateTask> PlanTasks(const ReplicatePlan& plan) {
  std::mt19937_64 random(plan.seed);
  std::vector<ReplicateTask> tasks;
  // Without a time to fill, the moments only give the order.
  const double seconds = plan.seconds > 0 ? plan.seconds : 1;
  AddReplications({}, plan.replications, seconds, &random, &tasks);
  for (const std::string& pair : plan.pairs) {
    AddReplications({pair}, plan.plain_visits, seconds, &random, &tasks);
  }
  std::stable_sort(tasks.begin(), tasks.end(), [](const ReplicateTask& a, const ReplicateTask& b) {
    return a.moment < b.moment;
  });
  if (plan.seconds > 0) return tasks;
  for (ReplicateTask& task : tasks) task.moment = 0;
  return tasks;
}

}  // namespace duetbench::lab
