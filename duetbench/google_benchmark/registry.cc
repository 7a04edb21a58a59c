#include "duetbench/google_benchmark/registry.h"

#include <deque>
#include <string>
#include <utility>

#include "duetbench/api/register_duet.h"
#include "duetbench/experiment/this_process.h"
#include "duetbench/google_benchmark/placeholder.h"

namespace duetbench {
namespace {

struct Entry {
  DuetSpec spec;
  DuetBenchmark chain{&spec};
  bool cleared = false;  // by benchmark::ClearRegisteredBenchmarks
};

// Never destroyed: a chain may be used until the program ends.
std::deque<Entry>& Entries() {
  static auto* const entries = new std::deque<Entry>;
  return *entries;
}

DuetBenchmark* Register(DuetSpec spec) {
  // The first duet is registered before main: from then on a run ends with its parent.
  RunOfThisProcess();
  Entry& entry = Entries().emplace_back();
  entry.spec = std::move(spec);
  RegisterPlaceholder(&entry.spec, [&entry] { entry.cleared = true; });
  return &entry.chain;
}

}  // namespace

void RegisterSpec(DuetSpec spec) { Register(std::move(spec)); }

std::vector<const DuetSpec*> RegisteredDuets() {
  std::vector<const DuetSpec*> specs;
  for (const Entry& entry : Entries()) {
    if (!entry.cleared) specs.push_back(&entry.spec);
  }
  return specs;
}

namespace internal {

DuetBenchmark* AddDuet(const std::string& name, std::shared_ptr<const Variant> old_variant,
                       std::shared_ptr<const Variant> new_variant,
                       std::shared_ptr<const ResultCheck> check, Location location,
                       bool uses_fixture) {
  DuetSpec spec;
  spec.name = name;
  spec.functions.variants[0] = std::move(old_variant);
  spec.functions.variants[1] = std::move(new_variant);
  spec.functions.check_results = std::move(check);
  spec.location = location;
  spec.needs_google_benchmark_state = uses_fixture;
  return Register(std::move(spec));
}

}  // namespace internal
}  // namespace duetbench
