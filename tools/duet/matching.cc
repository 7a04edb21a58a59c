#include "tools/duet/matching.h"

#include <map>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "duetbench/experiment/run_protocol.h"
#include "duetbench/version.h"

namespace duetbench::duet {

absl::Status CheckOffers(const Offer (&offers)[2], const ProgramCommand (&programs)[2],
                         const std::string& clock) {
  const bool same_protocol =
      offers[0].protocol == kRunProtocolVersion && offers[1].protocol == kRunProtocolVersion;
  if (!same_protocol) {
    return absl::FailedPreconditionError(absl::StrCat(
        "the programs do not speak the same protocol: old (", programs[0].text, ") speaks ",
        offers[0].protocol, " (duetbench ", offers[0].version, "), new (", programs[1].text,
        ") speaks ", offers[1].protocol, " (duetbench ", offers[1].version,
        "), and this tool speaks ", kRunProtocolVersion, " (duetbench ", DUETBENCH_VERSION_TEXT,
        "): build all three with one version of duetbench"));
  }
  for (const Offer& offer : offers) {
    if (offer.clock == clock) continue;
    return absl::FailedPreconditionError(absl::StrCat(
        "the programs do not read the same clock: old (", programs[0].text, ") reads ",
        offers[0].clock, ", new (", programs[1].text, ") ", offers[1].clock, " and this tool ",
        clock, ": build all three with or without DUETBENCH_PORTABLE"));
  }
  return absl::OkStatus();
}

Matching Match(const Offer& old_offer, const Offer& new_offer, ComparedVariant variant) {
  std::map<std::string, const OfferedBenchmark*> old_benchmarks;
  std::map<std::string, int> counts[2];
  for (const OfferedBenchmark& offered : old_offer.benchmarks) {
    old_benchmarks.emplace(offered.name, &offered);
    ++counts[0][offered.name];
  }
  for (const OfferedBenchmark& offered : new_offer.benchmarks) ++counts[1][offered.name];
  Matching matching;
  std::set<std::string> new_names;
  for (const OfferedBenchmark& offered : new_offer.benchmarks) {
    if (!new_names.insert(offered.name).second) continue;
    const auto found = old_benchmarks.find(offered.name);
    if (found == old_benchmarks.end()) {
      matching.only[1].push_back(offered.name);
      continue;
    }
    const OfferedBenchmark& older = *found->second;
    const std::string& error = older.error.empty() ? offered.error : older.error;
    if (!error.empty()) {
      matching.refused.push_back(absl::StrCat(offered.name, ": ", error));
      continue;
    }
    const int times[2] = {counts[0][offered.name], counts[1][offered.name]};
    if (times[0] > 1 || times[1] > 1) {
      matching.refused.push_back(absl::StrCat(offered.name, ": ", times[0] > 1 ? "old" : "new",
                                              " has ", times[times[0] > 1 ? 0 : 1],
                                              " benchmarks of this name"));
      continue;
    }
    if (older.is_duet != offered.is_duet) {
      matching.refused.push_back(
          absl::StrCat(offered.name, ": it is a duet in ", older.is_duet ? "old" : "new", " only"));
      continue;
    }
    for (const int compared : {0, 1}) {
      const bool wanted = offered.is_duet ? variant == ComparedVariant::kBoth ||
                                                variant == (compared == 0 ? ComparedVariant::kOld
                                                                          : ComparedVariant::kNew)
                                          : compared == 0;
      if (!wanted) continue;
      MatchedBenchmark& match = matching.benchmarks.emplace_back();
      match.name = offered.name;
      if (offered.is_duet && variant == ComparedVariant::kBoth) {
        absl::StrAppend(&match.name, compared == 0 ? "/variant:old" : "/variant:new");
      }
      match.offered[0] = older;
      match.offered[1] = offered;
      match.variant = compared;
    }
  }
  for (const OfferedBenchmark& offered : old_offer.benchmarks) {
    if (new_names.count(offered.name) == 0) matching.only[0].push_back(offered.name);
  }
  return matching;
}

}  // namespace duetbench::duet
