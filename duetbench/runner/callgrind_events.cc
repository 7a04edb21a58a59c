#include "duetbench/runner/callgrind_events.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>

#include "absl/status/status.h"
#include "duetbench/counters/event_names.h"
#include "duetbench/counters/perf_system.h"
#include "duetbench/runner/instruction_run.h"
#include "duetbench/sampling/amount.h"
#include "duetbench/stats/variant_pair.h"

namespace duetbench {

EventSurvey SurveyAllEvents(const std::vector<std::string>& names) {
  std::vector<std::string> by_machine;
  std::vector<std::string> by_callgrind;
  std::partition_copy(names.begin(), names.end(), std::back_inserter(by_callgrind),
                      std::back_inserter(by_machine), IsCallgrindEvent);
  EventSurvey survey;
  if (!by_machine.empty()) {
    survey = SurveyEvents(by_machine, ResolveEvent, &LinuxPerf(), ReadPerfSurroundings(""));
  }
  if (by_callgrind.empty()) return survey;
  if (const absl::Status found = FindValgrind().status(); !found.ok()) {
    for (const std::string& name : by_callgrind) {
      survey.missing.push_back({name, std::string(found.message()), ""});
    }
    return survey;
  }
  survey.by_callgrind = std::move(by_callgrind);
  return survey;
}

void AddCallgrindEvents(const std::vector<InstructionCounts>& counts,
                        const std::vector<std::string>& events, LaunchedRun* run) {
  const auto count = [&](int variant, const std::string& event) {
    return *CallgrindCount(event, counts[static_cast<size_t>(variant)]);
  };
  const std::vector<VariantPair> pairs = PairsOfGroup(static_cast<int>(counts.size()));
  for (size_t i = 0; i < pairs.size(); ++i) {
    RunResult& result = i == 0 ? run->result : run->others[i - 1];
    for (const std::string& event : events) {
      result.amounts.push_back(MakeAmount(event, count(pairs[i].old_variant, event),
                                          count(pairs[i].new_variant, event), /*shown=*/true));
    }
  }
}

}  // namespace duetbench
