#include "tools/duet/matching.h"

#include <algorithm>
#include <map>
#include <set>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "duetbench/measure/run_protocol.h"
#include "duetbench/version.h"

namespace duetbench::duet {
namespace {

using Benchmarks = std::vector<const OfferedBenchmark*>;  // of each program

// By name.
std::map<std::string, Benchmarks> FindBenchmarks(const Offer& offer) {
  std::map<std::string, Benchmarks> found;
  for (const OfferedBenchmark& offered : offer.benchmarks) found[offered.name].push_back(&offered);
  return found;
}

// Why the benchmark is not compared; empty: it is.
std::string WhyRefused(const Benchmarks& benchmarks, const std::vector<std::string>& names) {
  std::vector<std::string> with_duet;
  for (size_t i = 0; i < benchmarks.size(); ++i) {
    if (!benchmarks[i]->error.empty()) return benchmarks[i]->error;
    if (benchmarks[i]->is_duet) with_duet.push_back(names[i]);
  }
  if (!with_duet.empty() && with_duet.size() < names.size()) {
    return absl::StrCat("it is a duet in ", absl::StrJoin(with_duet, ", "), " only");
  }
  if (names.size() > 2 && benchmarks.front()->threads > 1) {
    return "it has several threads: of such benchmarks two builds are compared";
  }
  if (names.size() > 2 && benchmarks.front()->is_foreign) {
    return "its shared object was built without duetbench: of such benchmarks two builds are "
           "compared";
  }
  return "";
}

}  // namespace

absl::Status CheckOffers(const std::vector<Offer>& offers,
                         const std::vector<ProgramCommand>& programs,
                         const std::vector<std::string>& names, const std::string& clock) {
  std::vector<std::string> speak;
  std::vector<std::string> read;
  bool same_protocol = true;
  bool same_clock = true;
  for (size_t i = 0; i < offers.size(); ++i) {
    const std::string who = absl::StrCat(names[i], " (", programs[i].text, ")");
    same_protocol = same_protocol && offers[i].protocol == kRunProtocolVersion;
    same_clock = same_clock && offers[i].clock == clock;
    speak.push_back(
        absl::StrCat(who, " speaks ", offers[i].protocol, " (duetbench ", offers[i].version, ")"));
    read.push_back(absl::StrCat(who, " reads ", offers[i].clock));
  }
  if (!same_protocol) {
    return absl::FailedPreconditionError(
        absl::StrCat("the programs do not speak the same protocol: ", absl::StrJoin(speak, ", "),
                     ", and this tool speaks ", kRunProtocolVersion, " (duetbench ",
                     DUETBENCH_VERSION_TEXT, "): build all of them with one version of duetbench"));
  }
  if (!same_clock) {
    return absl::FailedPreconditionError(
        absl::StrCat("the programs do not read the same clock: ", absl::StrJoin(read, ", "),
                     ", and this tool ", clock, ": build all of them for one architecture"));
  }
  return absl::OkStatus();
}

Matching Match(const std::vector<Offer>& offers, const std::vector<std::string>& names,
               ComparedVariant variant) {
  std::vector<std::map<std::string, Benchmarks>> found;
  for (const Offer& offer : offers) found.push_back(FindBenchmarks(offer));
  const auto have_all = [&found](const std::string& name) {
    return std::all_of(found.begin(), found.end(),
                       [&name](const auto& of_program) { return of_program.count(name) > 0; });
  };
  Matching matching;
  for (const Offer& offer : offers) {
    std::vector<std::string>& only = matching.only.emplace_back();
    for (const OfferedBenchmark& offered : offer.benchmarks) {
      if (!have_all(offered.name)) only.push_back(offered.name);
    }
  }
  std::set<std::string> done;
  for (const OfferedBenchmark& offered : offers[1].benchmarks) {
    if (!have_all(offered.name) || !done.insert(offered.name).second) continue;
    Benchmarks benchmarks;
    std::string why;
    for (size_t i = 0; i < found.size(); ++i) {
      const Benchmarks& of_program = found[i][offered.name];
      benchmarks.push_back(of_program.front());
      if (of_program.size() == 1 || !why.empty()) continue;
      why = absl::StrCat(names[i], " has ", of_program.size(), " benchmarks of this name");
    }
    if (why.empty()) why = WhyRefused(benchmarks, names);
    if (!why.empty()) {
      matching.refused.emplace_back(offered.name, why);
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
      for (const OfferedBenchmark* const each : benchmarks) match.offered.push_back(*each);
      match.variant = compared;
    }
  }
  return matching;
}

}  // namespace duetbench::duet
