#include "duetbench/counters/survey.h"

#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "duetbench/counters/counter_set.h"

namespace duetbench {
namespace {

MissingEvent ExplainName(const std::string& name, const absl::Status& status) {
  MissingEvent missing;
  missing.name = name;
  missing.reason = std::string(status.message());
  if (absl::IsNotFound(status)) {
    missing.remedy = "`showevtinfo` (libpfm4) and `perf list` show what there is";
  } else if (absl::IsUnavailable(status)) {
    missing.remedy = "install libpfm4 (Debian: libpfm4-dev) and build duetbench again";
  }
  return missing;
}

}  // namespace

EventSurvey SurveyEvents(const std::vector<std::string>& names, const EventResolver& resolve,
                         PerfSystem* system, const PerfSurroundings& surroundings) {
  EventSurvey survey;
  std::vector<Event> resolved;
  std::vector<EventCode> codes;
  for (const std::string& name : names) {
    const absl::StatusOr<EventCode> code = resolve(name);
    if (!code.ok()) {
      survey.missing.push_back(ExplainName(name, code.status()));
    } else if (resolved.size() == kMostEvents) {
      survey.missing.push_back(
          {name, absl::StrCat("a duet counts at most ", kMostEvents, " events"), "name fewer"});
    } else {
      resolved.push_back({name, *code});
      codes.push_back(*code);
    }
  }
  CounterSet counters(system, codes.data(), codes.size());
  survey.turns = counters.turns();
  std::vector<bool> counted(resolved.size(), false);
  for (size_t turn = 0; turn < counters.turns(); ++turn) {
    counters.Enable(turn);
    counters.Start();
    system->Exercise();
    counters.Stop();
    counters.Disable();
    for (size_t i = 0; i < resolved.size(); ++i) {
      if (counters.count(i).counted) counted[i] = true;
    }
  }
  for (size_t i = 0; i < resolved.size(); ++i) {
    if (counters.error(i) != 0) {
      survey.missing.push_back(
          ExplainRefusal(resolved[i].name, codes[i], counters.error(i), surroundings));
    } else if (!counted[i]) {
      survey.missing.push_back({resolved[i].name,
                                "the kernel accepted it, but never put it on the PMU",
                                "end whatever else uses its counters"});
    } else {
      survey.events.push_back(std::move(resolved[i]));
    }
  }
  return survey;
}

}  // namespace duetbench
