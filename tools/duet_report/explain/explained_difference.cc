#include "tools/duet_report/explain/explained_difference.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <tuple>
#include <utility>

#include "absl/strings/str_cat.h"

namespace duetbench {
namespace {

// Chosen. Smaller parts are not worth a line, and each part widens the intervals of all.
constexpr double kSmallestPart = 0.01;
constexpr size_t kFewestRuns = 3;
// Chosen. A smaller part of the whole difference explains nothing.
constexpr double kSmallestLine = 0.1;

// All functions of old and new themselves are one.
std::string KeyOf(const StackSite& site) { return site.is_variant ? "" : site.function; }

// The moments of a run by function, and by the places in it.
struct Moments {
  double all = 0;
  std::map<std::string, double> by_function;
};

struct Place {
  StackSite site;
  double difference = 0;  // new - old, shares of all moments
};

struct Sites {
  StackSite any;  // of new, if there is one
  FunctionCode code[2];
  std::map<std::string, Place> places;
};

// `place`: the instruction that was executed.
void AddCode(const CodePlace& place, const std::string& file, uint64_t count, CodeNames* names,
             FunctionCode* code) {
  const NamedFrame& function = names->FramesAt(file, place.address).back();
  if (function.begin == 0) return;
  if (code->file.empty()) {
    code->name = ShortFunction(function.function);
    code->file = file;
    code->begin = function.begin;
    code->size = function.size;
  }
  if (code->file == file && code->begin == function.begin) code->moments[place.address] += count;
}

// Sets `named`, which is empty, to the stacks of the variant.
Moments Count(const std::vector<CountedStacks>& loops, int variant, CodeNames* names,
              std::map<std::string, Sites>* sites, std::vector<NamedStack>* named) {
  Moments moments;
  for (const CountedStacks& loop : loops) {
    for (const CountedStack& stack : loop.stacks) {
      std::optional<NamedStack> found = NameStack(stack, loop.files, names);
      if (!found.has_value()) continue;
      moments.all += found->count;
      moments.by_function[KeyOf(found->site)] += found->count;
      if (!found->site.is_system) {
        const CodePlace& place = stack.places.front();
        AddCode(place, loop.files[place.file], stack.count, names,
                &(*sites)[KeyOf(found->site)].code[variant]);
      }
      named->push_back(*std::move(found));
    }
  }
  const double sign = variant == 0 ? -1 : 1;
  for (const NamedStack& stack : *named) {
    const StackSite& site = stack.site;
    Sites& of_function = (*sites)[KeyOf(site)];
    if (of_function.places.empty() || sign > 0) of_function.any = site;
    const std::string key = absl::StrCat(site.line, "|", site.caller, "|", site.caller_line);
    of_function.places.try_emplace(key, Place{site}).first->second.difference +=
        sign * stack.count / moments.all;
  }
  return moments;
}

// At the place with the largest difference in the direction of that of the part.
DifferencePart PartOf(const std::vector<std::pair<double, double>>& times, double alpha,
                      const Sites& sites) {
  DifferencePart part;
  static_cast<TimeDifference&>(part) = DifferenceOf(times, alpha);
  const StackSite* most = &sites.any;
  double largest = 0;
  for (const auto& [key, place] : sites.places) {
    const double size = part.difference_ns < 0 ? -place.difference : place.difference;
    if (size <= largest) continue;
    largest = size;
    most = &place.site;
  }
  static_cast<StackSite&>(part) = *most;
  if (!part.is_system) std::copy_n(sites.code, 2, part.code);
  return part;
}

// Where a function executes more instructions it takes longer; where it executes as many, or fewer,
// something else is the reason: caches, layout, or the code that is executed beside it.
bool HasReasonInCounts(const DifferencePart& part) {
  if (!part.counts[0].has_value() || !part.counts[1].has_value()) return true;
  const double of_old = part.counts[0]->instructions;
  const double of_new = part.counts[1]->instructions;
  return !IsSameCount(of_old, of_new) && (of_old < of_new) == (part.difference_ns > 0);
}

void SortParts(ExplainedDifference* explanation) {
  const bool is_slower = explanation->time_ns[1] >= explanation->time_ns[0];
  const auto rank = [&](const DifferencePart& part) {
    return std::make_tuple(!part.is_proven(), is_slower != (part.difference_ns >= 0),
                           !(IsWorthALine(part, *explanation) && HasReasonInCounts(part)),
                           -std::abs(part.difference_ns));
  };
  std::stable_sort(
      explanation->parts.begin(), explanation->parts.end(),
      [&](const DifferencePart& a, const DifferencePart& b) { return rank(a) < rank(b); });
}

}  // namespace

bool IsWorthALine(const DifferencePart& part, const ExplainedDifference& explanation) {
  const double whole = explanation.time_ns[1] - explanation.time_ns[0];
  return part.is_proven() && std::abs(part.difference_ns) >= kSmallestLine * std::abs(whole);
}

ExplainedDifference Explain(absl::Span<const RunStacks> runs, const double (&time_ns)[2],
                            double level, CodeNames* names) {
  ExplainedDifference explanation;
  explanation.level = level;
  std::copy_n(time_ns, 2, explanation.time_ns);
  std::map<std::string, Sites> sites;
  std::vector<std::pair<Moments, Moments>> counted;
  std::vector<NamedRun> with_moments;
  for (const RunStacks& run : runs) {
    NamedRun named;
    Moments of_old = Count(run.variants[0], 0, names, &sites, &named.variants[0]);
    Moments of_new = Count(run.variants[1], 1, names, &sites, &named.variants[1]);
    explanation.moments[0] += static_cast<uint64_t>(of_old.all);
    explanation.moments[1] += static_cast<uint64_t>(of_new.all);
    if (of_old.all <= 0 || of_new.all <= 0) continue;
    counted.emplace_back(of_old, of_new);
    with_moments.push_back(std::move(named));
  }
  if (counted.size() < kFewestRuns) {
    explanation.error = "the timers of the system recorded too few moments of the variants";
    return explanation;
  }
  const auto share = [](const Moments& moments, const std::string& function) {
    const auto it = moments.by_function.find(function);
    return it == moments.by_function.end() ? 0.0 : it->second / moments.all;
  };
  // By function: for each run the times of old and new.
  std::map<std::string, std::vector<std::pair<double, double>>> times;
  std::vector<std::pair<double, double>> others(counted.size());
  bool has_others = false;
  for (const auto& [function, unused] : sites) {
    std::vector<std::pair<double, double>> of_function;
    double shares[2] = {0, 0};
    for (const auto& [of_old, of_new] : counted) {
      const double old_share = share(of_old, function);
      const double new_share = share(of_new, function);
      of_function.emplace_back(old_share * time_ns[0], new_share * time_ns[1]);
      shares[0] += old_share / static_cast<double>(counted.size());
      shares[1] += new_share / static_cast<double>(counted.size());
    }
    if (std::max(shares[0], shares[1]) >= kSmallestPart) {
      times.emplace(function, std::move(of_function));
      continue;
    }
    has_others = true;
    for (size_t i = 0; i < counted.size(); ++i) {
      others[i].first += of_function[i].first;
      others[i].second += of_function[i].second;
    }
  }
  const double alpha = (1 - level) / static_cast<double>(times.size() + (has_others ? 1 : 0));
  for (const auto& [function, of_function] : times) {
    explanation.parts.push_back(PartOf(of_function, alpha, sites.at(function)));
  }
  if (has_others) {
    Sites none;
    none.any.function = "functions below 1 %";
    explanation.parts.push_back(PartOf(others, alpha, none));
  }
  SortParts(&explanation);
  explanation.calls = CallTreeOf(with_moments, time_ns, level);
  return explanation;
}

void AddCounts(const FunctionTable& of_old, const FunctionTable& of_new,
               ExplainedDifference* explanation) {
  const FunctionTable* const variants[2] = {&of_old, &of_new};
  for (int v = 0; v < 2; ++v) explanation->counts[v] = *variants[v];
  for (DifferencePart& part : explanation->parts) {
    for (int v = 0; v < 2; ++v) {
      const std::string& seen = part.code[v].name;
      const auto& functions = variants[v]->functions;
      const auto found = functions.find(seen.empty() ? part.function : seen);
      part.counts[v] = found == functions.end() ? FunctionCounts() : found->second;
    }
    // The function, or its name, is not known to Callgrind.
    if (part.counts[0]->calls + part.counts[1]->calls == 0) {
      for (auto& counts : part.counts) counts.reset();
    }
  }
  SortParts(explanation);
}

}  // namespace duetbench
