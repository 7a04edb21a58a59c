#include "tools/duet_lab/replicate/replicate_plan.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>
#include <set>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"

namespace duetbench::lab {
namespace {

using RecordJson = nlohmann::ordered_json;

const char* NameOfKind(ReplicateTask::Kind kind) {
  switch (kind) {
    case ReplicateTask::Kind::kSuite:
      return "suite";
    case ReplicateTask::Kind::kSingle:
      return "single";
    case ReplicateTask::Kind::kPlain:
      return "plain";
  }
  return "";
}

// Adds `count` replications of `task`.
void AddReplications(ReplicateTask task, int count, double seconds, std::mt19937_64* random,
                     std::vector<ReplicateTask>* tasks) {
  std::uniform_real_distribution<double> part(0, 1);
  for (task.replication = 0; task.replication < count; ++task.replication) {
    task.moment = (task.replication + part(*random)) / count * seconds;
    tasks->push_back(task);
  }
}

// JSON has no infinity.
RecordJson Bounded(double value) { return std::isfinite(value) ? RecordJson(value) : nullptr; }

double OrInfinity(const nlohmann::json& json) {
  return json.is_null() ? std::numeric_limits<double>::infinity() : json.get<double>();
}

}  // namespace

std::string KeyOf(const ReplicateTask& task) {
  return absl::StrCat(NameOfKind(task.kind), ",", task.schedule, ",", task.pair, ",",
                      task.replication);
}

std::vector<ReplicateTask> PlanTasks(const ReplicatePlan& plan) {
  using Kind = ReplicateTask::Kind;
  std::mt19937_64 random(plan.seed);
  std::vector<ReplicateTask> tasks;
  // Without a time to fill, the moments only give the order.
  const double seconds = plan.seconds > 0 ? plan.seconds : 1;
  for (const Kind form : plan.forms) {
    for (const std::string& schedule : plan.schedules) {
      const std::vector<std::string> one = {""};
      for (const std::string& pair : form == Kind::kSuite ? one : plan.pairs) {
        AddReplications({form, schedule, pair}, plan.replications, seconds, &random, &tasks);
      }
    }
  }
  for (const std::string& pair : plan.pairs) {
    AddReplications({Kind::kPlain, "", pair}, plan.plain_visits, seconds, &random, &tasks);
  }
  std::stable_sort(tasks.begin(), tasks.end(), [](const ReplicateTask& a, const ReplicateTask& b) {
    return a.moment < b.moment;
  });
  if (plan.seconds > 0) return tasks;
  for (ReplicateTask& task : tasks) task.moment = 0;
  return tasks;
}

std::string EncodeReplicateRecord(const ReplicateRecord& record) {
  RecordJson json = {{"task", record.key}, {"at", record.at}, {"wall_s", record.wall_seconds}};
  for (const Observation& duet : record.duets) {
    json["duets"].push_back({{"name", duet.name},
                             {"ratio", duet.ratio},
                             {"lo", duet.lo},
                             {"hi", Bounded(duet.hi)},
                             {"level", duet.level},
                             {"verdict", duet.verdict},
                             {"runs", duet.runs},
                             {"schedule", duet.schedule},
                             {"wall_s", duet.wall_seconds},
                             {"error", duet.error}});
  }
  if (record.duets.empty()) {
    json["old_ns"] = record.plain.old_ns;
    json["new_ns"] = record.plain.new_ns;
    json["error"] = record.error;
  }
  return json.dump(-1, ' ', false, RecordJson::error_handler_t::replace);
}

absl::StatusOr<ReplicateRecord> DecodeReplicateRecord(absl::string_view line) {
  ReplicateRecord record;
  try {
    const auto json = nlohmann::json::parse(line.begin(), line.end());
    json.at("task").get_to(record.key);
    json.at("at").get_to(record.at);
    json.at("wall_s").get_to(record.wall_seconds);
    if (json.contains("duets")) {
      for (const nlohmann::json& duet : json.at("duets")) {
        Observation observation;
        duet.at("name").get_to(observation.name);
        duet.at("ratio").get_to(observation.ratio);
        duet.at("lo").get_to(observation.lo);
        observation.hi = OrInfinity(duet.at("hi"));
        duet.at("level").get_to(observation.level);
        duet.at("verdict").get_to(observation.verdict);
        duet.at("runs").get_to(observation.runs);
        duet.at("schedule").get_to(observation.schedule);
        duet.at("wall_s").get_to(observation.wall_seconds);
        duet.at("error").get_to(observation.error);
        record.duets.push_back(std::move(observation));
      }
    } else {
      json.at("old_ns").get_to(record.plain.old_ns);
      json.at("new_ns").get_to(record.plain.new_ns);
      json.at("error").get_to(record.error);
      record.plain.wall_seconds = record.wall_seconds;
    }
  } catch (const nlohmann::json::exception& error) {
    return absl::InvalidArgumentError(error.what());
  }
  return record;
}

absl::StatusOr<std::vector<ReplicateRecord>> DecodeReplicateRecords(
    const std::vector<std::string>& lines) {
  std::vector<ReplicateRecord> records;
  std::set<std::string> keys;
  for (const std::string& line : lines) {
    absl::StatusOr<ReplicateRecord> record = DecodeReplicateRecord(line);
    // The first line of the file has the parameters.
    const std::string place = absl::StrCat("line ", records.size() + 2);
    if (!record.ok()) {
      return absl::InvalidArgumentError(
          absl::StrCat(place, " is no record of this measurement: ", record.status().message()));
    }
    if (!keys.insert(record->key).second) {
      return absl::InvalidArgumentError(absl::StrCat(place, " repeats the task ", record->key));
    }
    records.push_back(*std::move(record));
  }
  return records;
}

absl::StatusOr<double> ParseSeconds(absl::string_view text) {
  double unit = 1;
  absl::string_view number = text;
  if (!number.empty() && !absl::ascii_isdigit(static_cast<unsigned char>(number.back()))) {
    unit = number.back() == 's' ? 1 : number.back() == 'm' ? 60 : number.back() == 'h' ? 3600 : 0;
    number.remove_suffix(1);
  }
  double value = 0;
  if (unit == 0 || !absl::SimpleAtod(number, &value) || !(value >= 0) || !std::isfinite(value)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "'", text, "' is no time: use a number of seconds, or such as 90s, 15m or 1h"));
  }
  return value * unit;
}

}  // namespace duetbench::lab
