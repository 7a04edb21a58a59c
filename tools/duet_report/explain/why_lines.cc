#include "tools/duet_report/explain/why_lines.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "duetbench/report/number_text.h"

namespace duetbench {
namespace {

constexpr size_t kMostLines = 3;

std::string InParentheses(const std::string& line) {
  return line.empty() ? "" : absl::StrCat(" (", line, ")");
}

std::string PlaceText(const DifferencePart& part) {
  std::string text = part.function;
  if (part.is_variant) absl::StrAppend(&text, " itself");
  if (!part.is_system) absl::StrAppend(&text, InParentheses(part.line));
  if (!part.caller.empty()) {
    absl::StrAppend(&text, ", called from ", part.caller, InParentheses(part.caller_line));
  }
  return text;
}

std::string CountText(double count) {
  return count >= 1e15 ? NumberText(count)
         : count >= 100 || std::abs(count - std::round(count)) < 0.01
             ? Grouped(static_cast<uint64_t>(std::llround(count)))
             : absl::StrFormat("%.3g", count);
}

// "1 more allocation an iteration" or "1,200 instructions an iteration in place of 800".
std::string CountsText(const DifferencePart& part, bool is_first) {
  if (!part.counts[0].has_value() || !part.counts[1].has_value()) return "";
  const FunctionCounts& of_old = *part.counts[0];
  const FunctionCounts& of_new = *part.counts[1];
  if (!IsSameCount(of_old.calls, of_new.calls)) {
    if (!Allocates(part.function)) {
      const std::string calls = CountText(of_new.calls);
      return absl::StrCat(calls, calls == "1" ? " call" : " calls", " an iteration in place of ",
                          CountText(of_old.calls));
    }
    const double more = of_new.calls - of_old.calls;
    const std::string count = CountText(std::abs(more));
    return absl::StrCat(count, more > 0 ? " more" : " fewer",
                        count == "1" ? " allocation" : " allocations", " an iteration");
  }
  if (IsSameCount(of_old.instructions, of_new.instructions)) {
    return absl::StrCat("as many instructions in old and new (", CountText(of_new.instructions),
                        " an iteration), so ", is_first ? "" : "a consequence of the above, ",
                        "layout, data, caches or branches");
  }
  return absl::StrCat(CountText(of_new.instructions), " instructions an iteration in place of ",
                      CountText(of_old.instructions));
}

std::string CodeText(const DifferencePart& part, bool is_first) {
  std::vector<std::string> facts;
  const bool was_seen[2] = {!part.code[0].file.empty(), !part.code[1].file.empty()};
  if (was_seen[0] != was_seen[1]) {
    facts.push_back(absl::StrCat("in ", was_seen[0] ? "new" : "old", " inlined, or seldom called"));
  } else if (part.same_code.has_value()) {
    facts.emplace_back(*part.same_code ? "the same machine code in old and new"
                                       : "other machine code");
  }
  if (std::string counts = CountsText(part, is_first); !counts.empty()) {
    facts.push_back(std::move(counts));
  } else if (part.same_code.value_or(false)) {
    facts.emplace_back("so more calls, layout or data");
  }
  return facts.empty() ? "" : absl::StrCat(": ", absl::StrJoin(facts, ", "));
}

// The parts that lines name, by their places in the list.
std::vector<size_t> NamedParts(const ExplainedDifference& explanation) {
  std::vector<size_t> named;
  for (size_t i = 0; i < explanation.parts.size() && named.size() < kMostLines; ++i) {
    if (IsWorthALine(explanation.parts[i], explanation)) named.push_back(i);
  }
  return named;
}

}  // namespace

void ForNamedCode(ExplainedDifference* explanation,
                  const std::function<void(DifferencePart*)>& set) {
  for (const size_t index : NamedParts(*explanation)) {
    DifferencePart& part = explanation->parts[index];
    if (!part.is_system) set(&part);
  }
}

std::vector<std::string> WhyLines(const ExplainedDifference& explanation) {
  if (!explanation.is_wanted()) return {};
  if (!explanation.error.empty()) return {absl::StrCat("not explained: ", explanation.error)};
  const double whole = explanation.time_ns[1] - explanation.time_ns[0];
  std::vector<std::string> lines;
  for (const size_t index : NamedParts(explanation)) {
    const DifferencePart& part = explanation.parts[index];
    lines.push_back(absl::StrFormat(
        "%+.1f of %+.1f %% in %s%s", 100 * part.difference_ns / explanation.time_ns[0],
        100 * whole / explanation.time_ns[0], PlaceText(part), CodeText(part, lines.empty())));
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
