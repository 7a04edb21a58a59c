#include "tools/duet_report/explain/explain.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <map>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "duetbench/report/text.h"
#include "tools/duet_report/explain/call_tree.h"
#include "tools/duet_report/explain/code_listing.h"
#include "tools/duet_report/explain/instruction_counts.h"

namespace duetbench {
namespace {

using nlohmann::ordered_json;

// The output of objdump for a function; empty if it was not seen, or cannot be listed.
std::string Disassemble(const FunctionCode& code) {
  if (code.file.empty() || code.size == 0) return "";
  std::string command = absl::StrFormat(
      "objdump --disassemble --demangle --no-show-raw-insn --start-address=0x%x "
      "--stop-address=0x%x ",
      code.begin, code.begin + code.size);
#if defined(__x86_64__)
  command += "-Mintel ";
#endif
  absl::StrAppend(&command, "'", absl::StrReplaceAll(code.file, {{"'", "'\\''"}}), "' 2>/dev/null");
  std::string text;
  std::FILE* const pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return "";
  char buffer[4096];
  for (size_t read = 0; (read = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;) {
    text.append(buffer, read);
  }
  return pclose(pipe) == 0 ? text : "";
}

ordered_json TimesJson(const TimeDifference& time) {
  return {{"old_ns", time.ns[0]},
          {"new_ns", time.ns[1]},
          {"difference_ns", time.difference_ns},
          {"difference_lo_ns", time.lo_ns},
          {"difference_hi_ns", time.hi_ns}};
}

ordered_json CallsJson(const CallNode& node) {
  ordered_json json = {{"function", node.function}};
  json.update(TimesJson(node.time));
  for (const CallNode& call : node.calls) json["calls"].push_back(CallsJson(call));
  return json;
}

// Names are bytes of files.
std::string Text(const ordered_json& json) {
  return json.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

}  // namespace

void CompareNamedCode(ExplainedDifference* explained) {
  ForNamedCode(explained, [](DifferencePart* part) {
    const FunctionCode(&code)[2] = part->code;
    if (code[0].file.empty() || code[0].file != code[1].file) return;
    const bool is_same = code[0].begin == code[1].begin;
    if (is_same || !part->is_variant) part->same_code = is_same;
  });
}

void ListHottestLoop(ExplainedDifference* explained) {
  bool lacks_symbol = false;
  ForNamedCode(explained, [&](DifferencePart* part) {
    if (!explained->listing.empty()) return;
    if (part->code[0].size == 0 && part->code[1].size == 0) {
      lacks_symbol = true;
      return;
    }
    std::vector<Instruction> loops[2];
    std::map<uint64_t, uint64_t> moments[2];
    for (int side = 0; side < 2; ++side) {
      moments[side] = part->code[side].moments;
      loops[side] = HottestLoop(ReadInstructions(Disassemble(part->code[side])), moments[side]);
    }
    if (loops[0].empty() && loops[1].empty()) {
      explained->listing = {"the machine code is not listed: objdump of binutils cannot do it"};
      return;
    }
    explained->listing = {absl::StrCat("hottest loop of ", part->function,
                                       ": share of its moments and code of old and new")};
    for (std::string& line : SideBySide(loops, moments)) {
      explained->listing.push_back(std::move(line));
    }
  });
  if (explained->listing.empty() && lacks_symbol) {
    explained->listing = {"the machine code is not listed: the function has no symbol (strip?)"};
  }
}

ordered_json ExplanationJson(const ExplainedDifference& explained) {
  if (!explained.error.empty()) return {{"error", explained.error}};
  ordered_json json = {{"level", explained.level},
                       {"old_moments", explained.moments[0]},
                       {"new_moments", explained.moments[1]}};
  json["parts"] = ordered_json::array();
  for (const DifferencePart& part : explained.parts) {
    ordered_json row = {{"function", part.function},
                        {"line", part.line},
                        {"caller", part.caller},
                        {"caller_line", part.caller_line}};
    row.update(TimesJson(part));
    if (part.same_code.has_value()) row["same_code"] = *part.same_code;
    if (part.counts[0].has_value() && part.counts[1].has_value()) {
      row["old_calls"] = part.counts[0]->calls;
      row["new_calls"] = part.counts[1]->calls;
      row["old_instructions"] = part.counts[0]->instructions;
      row["new_instructions"] = part.counts[1]->instructions;
    }
    json["parts"].push_back(std::move(row));
  }
  if (explained.counts[0].has_value() && explained.counts[1].has_value()) {
    json["old_instructions"] = explained.counts[0]->instructions;
    json["new_instructions"] = explained.counts[1]->instructions;
    json["old_allocations"] = explained.counts[0]->allocations;
    json["new_allocations"] = explained.counts[1]->allocations;
  }
  json["calls"] = CallsJson(explained.calls);
  if (!explained.listing.empty()) json["listing"] = explained.listing;
  return json;
}

CallNode CallsIn(const nlohmann::json& node) {
  CallNode calls;
  calls.function = node.value("function", "");
  calls.time = {{node.value("old_ns", 0.0), node.value("new_ns", 0.0)},
                node.value("difference_ns", 0.0),
                node.value("difference_lo_ns", 0.0),
                node.value("difference_hi_ns", 0.0)};
  for (const auto& call : node.value("calls", nlohmann::json::array())) {
    calls.calls.push_back(CallsIn(call));
  }
  return calls;
}

Explanation ExplainRecording(const RecordedStacks& recording, CodeNames* names) {
  ExplainedDifference explained;
  if (names == nullptr) {
    explained.error = "duet_report was built without libdw (libdw-dev), which names functions";
  } else {
    explained = Explain(recording.runs, recording.time_ns, recording.level, names);
  }
  if (!explained.parts.empty()) {
    if (recording.counts.size() == 2) {
      AddCounts(ReadCallgrind(recording.counts[0]), ReadCallgrind(recording.counts[1]), &explained);
    }
    CompareNamedCode(&explained);
    if (recording.with_code) ListHottestLoop(&explained);
  }
  return {WhyLines(explained), explained.listing, Text(ExplanationJson(explained))};
}

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
