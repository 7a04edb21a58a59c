#include "tools/duet_lab/observation.h"

#include <limits>
#include <utility>

#include "absl/status/status.h"

namespace duetbench::lab {

absl::StatusOr<std::vector<Observation>> ParseObservations(absl::string_view json) {
  const nlohmann::json file = nlohmann::json::parse(json.begin(), json.end(), nullptr,
                                                    /*allow_exceptions=*/false);
  if (!file.is_object() || !file.contains("benchmarks") || !file["benchmarks"].is_array()) {
    return absl::InvalidArgumentError(
        "this is not the JSON of a benchmark program: there is no list of benchmarks in it");
  }
  std::vector<Observation> observations;
  try {
    for (const nlohmann::json& row : file["benchmarks"]) {
      if (row.value("run_type", "iteration") != "iteration") continue;
      Observation observation;
      observation.name = row.at("name").get<std::string>();
      // Later versions write "skipped" and "skip_message".
      if (row.value("error_occurred", false) || row.value("skipped", false)) {
        observation.error = row.value("error_message", row.value("skip_message", "no reason"));
      } else {
        if (!row.contains("ratio")) continue;
        observation.ratio = row.at("ratio").get<double>();
        observation.lo = row.value("ratio_lo", 0.0);
        observation.hi = row.value("ratio_hi", std::numeric_limits<double>::infinity());
        observation.level = row.at("ratio_level").get<double>();
        observation.verdict = row.at("label").get<std::string>();
        observation.runs = static_cast<int>(row.value("runs", 0.0));
        observation.pairs = row.value("pairs", 0.0);
        observation.schedule = static_cast<int>(row.value("schedule", -1.0));
        observation.dropped = row.value("pairs_dropped", 0.0);
      }
      observations.push_back(std::move(observation));
    }
  } catch (const nlohmann::json::exception& error) {
    return absl::InvalidArgumentError(error.what());
  }
  return observations;
}

}  // namespace duetbench::lab
