#include "duetbench/google_benchmark/distinct_names.h"

#include <map>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "duetbench/google_benchmark/duet_instance.h"

namespace duetbench {
namespace {

constexpr char kRemedy[] =
    ": their results could not be told apart; give one of them another name with ->Name(\"…\"), or "
    "as the first argument of RegisterDuet";

std::string Place(const DuetSpec& spec) {
  return absl::StrCat(spec.location.file, ":", spec.location.line);
}

// The duet that has a row of this name, besides one that is called so; null: none.
const DuetSpec* OwnerOfRow(const std::map<std::string, const DuetSpec*>& duets,
                           absl::string_view name) {
  for (const absl::string_view end : {"/old", "/new"}) {
    if (!absl::EndsWith(name, end)) continue;
    const auto found = duets.find(std::string(name.substr(0, name.size() - end.size())));
    if (found != duets.end()) return found->second;
  }
  return nullptr;
}

}  // namespace

absl::Status CheckDistinctNames(const std::vector<const DuetSpec*>& specs,
                                const std::vector<std::string>& ordinary) {
  const absl::StatusOr<NameFilter> all = NameFilter::Parse("all");
  if (!all.ok()) return all.status();
  std::map<std::string, const DuetSpec*> duets;
  for (const DuetInstance& instance : SelectDuets(specs, *all, 1)) {
    const std::string name = instance.name.str();
    const auto [first, is_new] = duets.emplace(name, instance.spec);
    if (is_new) continue;
    if (first->second == instance.spec) {
      return absl::InvalidArgumentError(absl::StrCat("the duet '", name, "' at ",
                                                     Place(*instance.spec),
                                                     " has the same arguments twice; remove one"));
    }
    return absl::InvalidArgumentError(absl::StrCat("two duets have the name '", name, "', at ",
                                                   Place(*first->second), " and at ",
                                                   Place(*instance.spec), kRemedy));
  }
  for (const auto& [name, spec] : duets) {
    const DuetSpec* const owner = OwnerOfRow(duets, name);
    if (owner == nullptr) continue;
    return absl::InvalidArgumentError(absl::StrCat("the duet '", name, "' at ", Place(*spec),
                                                   " has the name of a row of the one ", "at ",
                                                   Place(*owner), kRemedy));
  }
  for (const std::string& name : ordinary) {
    const auto same = duets.find(name);
    const DuetSpec* const owner = same != duets.end() ? same->second : OwnerOfRow(duets, name);
    if (owner == nullptr) continue;
    return absl::InvalidArgumentError(
        absl::StrCat("an ordinary benchmark has the name of a row of the duet at ", Place(*owner),
                     ", '", name, "'", kRemedy));
  }
  return absl::OkStatus();
}

}  // namespace duetbench
