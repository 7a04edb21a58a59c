#include "duetbench/explain/explanation.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace duetbench {
namespace {

// Chosen. Smaller parts are not worth a line, and each part widens the intervals of all.
constexpr double kSmallestPart = 0.01;
constexpr size_t kMostLines = 3;
// A smaller part of the whole difference explains nothing.
constexpr double kSmallestLine = 0.1;
constexpr size_t kFewestRuns = 3;

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
  std::map<std::string, Place> places;
};

Moments Count(const std::vector<CountedStacks>& loops, double sign, CodeNames* names,
              std::map<std::string, Sites>* sites) {
  Moments moments;
  std::vector<std::pair<StackSite, double>> found;
  for (const CountedStacks& loop : loops) {
    for (const CountedStack& stack : loop.stacks) {
      std::optional<StackSite> site = SiteOf(stack.places, loop.files, names);
      if (!site.has_value()) continue;
      const auto count = static_cast<double>(stack.count);
      moments.all += count;
      moments.by_function[KeyOf(*site)] += count;
      found.emplace_back(*std::move(site), count);
    }
  }
  for (const auto& [site, count] : found) {
    Sites& of_function = (*sites)[KeyOf(site)];
    if (of_function.places.empty() || sign > 0) of_function.any = site;
    const std::string key = absl::StrCat(site.line, "|", site.caller, "|", site.caller_line);
    of_function.places.try_emplace(key, Place{site}).first->second.difference +=
        sign * count / moments.all;
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
  return part;
}

std::string InParentheses(const std::string& line) {
  return line.empty() ? "" : absl::StrCat(" (", line, ")");
}

std::string PlaceText(const DifferencePart& part) {
  if (part.function.empty()) return "code without a symbol";
  std::string text = part.function;
  if (part.is_variant) absl::StrAppend(&text, " itself");
  if (!part.is_system) absl::StrAppend(&text, InParentheses(part.line));
  if (!part.caller.empty()) {
    absl::StrAppend(&text, ", called from ", part.caller, InParentheses(part.caller_line));
  }
  return text;
}

}  // namespace

Explanation Explain(absl::Span<const RunStacks> runs, const double (&time_ns)[2], double level,
                    CodeNames* names) {
  Explanation explanation;
  explanation.level = level;
  std::copy_n(time_ns, 2, explanation.time_ns);
  std::map<std::string, Sites> sites;
  std::vector<std::pair<Moments, Moments>> counted;
  std::vector<const RunStacks*> with_moments;
  for (const RunStacks& run : runs) {
    Moments of_old = Count(run.variants[0], -1, names, &sites);
    Moments of_new = Count(run.variants[1], +1, names, &sites);
    explanation.moments[0] += static_cast<uint64_t>(of_old.all);
    explanation.moments[1] += static_cast<uint64_t>(of_new.all);
    if (of_old.all <= 0 || of_new.all <= 0) continue;
    counted.emplace_back(of_old, of_new);
    with_moments.push_back(&run);
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
  std::stable_sort(explanation.parts.begin(), explanation.parts.end(),
                   [](const DifferencePart& a, const DifferencePart& b) {
                     return std::abs(a.difference_ns) > std::abs(b.difference_ns);
                   });
  explanation.calls = CallTreeOf(with_moments, time_ns, level, names);
  return explanation;
}

std::vector<std::string> WhyLines(const Explanation& explanation) {
  if (!explanation.is_wanted()) return {};
  if (!explanation.error.empty()) return {absl::StrCat("not explained: ", explanation.error)};
  const double whole = explanation.time_ns[1] - explanation.time_ns[0];
  std::vector<std::string> lines;
  for (const DifferencePart& part : explanation.parts) {
    if (!part.is_proven() || std::abs(part.difference_ns) < kSmallestLine * std::abs(whole)) {
      continue;
    }
    lines.push_back(absl::StrFormat("%+.1f of %+.1f %% in %s",
                                    100 * part.difference_ns / explanation.time_ns[0],
                                    100 * whole / explanation.time_ns[0], PlaceText(part)));
    if (lines.size() == kMostLines) break;
  }
  if (lines.empty()) {
    lines.push_back(absl::StrFormat(
        "not explained: of %+.1f %% no function has a proven part (%d moments of "
        "old and %d of new)",
        100 * whole / explanation.time_ns[0], explanation.moments[0], explanation.moments[1]));
  }
  return lines;
}

}  // namespace duetbench
