#include "tools/duet_report/explain/code_listing.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"

namespace duetbench {
namespace {

// Chosen: what a screen shows.
constexpr size_t kLongestLoop = 60;
constexpr size_t kSurroundings = 12;
constexpr size_t kColumn = 44;

// The operand of a branch: "1141 <main+0x8>".
struct BranchOperand {
  uint64_t address = 0;
  absl::string_view symbol;  // "<main+0x8>"
};

std::optional<BranchOperand> ReadBranch(absl::string_view operands) {
  BranchOperand branch;
  const size_t open = operands.find('<');
  if (open == absl::string_view::npos || !absl::EndsWith(operands, ">")) return std::nullopt;
  const absl::string_view address = absl::StripAsciiWhitespace(operands.substr(0, open));
  if (!absl::SimpleHexAtoi(address, &branch.address)) return std::nullopt;
  branch.symbol = operands.substr(open);
  return branch;
}

// "mov rax,[rip+0xec0]        # 2004 <table+0x4>" → "mov rax,[table+0x4]".
std::string WithSymbol(absl::string_view text) {
  const size_t comment = text.find('#');
  std::string code(absl::StripAsciiWhitespace(text.substr(0, comment)));
  if (comment == absl::string_view::npos) return code;
  const size_t open = text.find('<', comment);
  const size_t close = text.rfind('>');
  const bool has_symbol = open != absl::string_view::npos && close > open;
  const std::string symbol(has_symbol ? text.substr(open + 1, close - open - 1) : "data");
  const size_t rip = code.find("rip+");
  const size_t end = code.find(']', rip == std::string::npos ? 0 : rip);
  if (rip == std::string::npos || end == std::string::npos) return code;
  return absl::StrCat(code.substr(0, rip), symbol, code.substr(end));
}

struct Row {
  std::string text;
  uint64_t moments = 0;
};

std::vector<Row> RowsOfLoop(const std::vector<Instruction>& loop,
                            const std::map<uint64_t, uint64_t>& moments) {
  // Targets are numbered in the order of their places.
  std::map<uint64_t, int> targets;
  for (const Instruction& each : loop) {
    const bool is_inside =
        !loop.empty() && each.target >= loop.front().address && each.target <= loop.back().address;
    if (is_inside) targets[each.target] = 0;
  }
  int number = 0;
  for (auto& [address, label] : targets) label = ++number;
  std::vector<Row> rows;
  for (const Instruction& each : loop) {
    const auto label = targets.find(each.address);
    const auto target = targets.find(each.target);
    Row& row = rows.emplace_back();
    row.text = absl::StrCat(label == targets.end() ? "   " : absl::StrFormat("%d: ", label->second),
                            each.text);
    if (each.target != 0) {
      absl::StrAppend(&row.text, target == targets.end() ? " (out of the loop)"
                                                         : absl::StrCat(" ", target->second));
    }
    const auto count = moments.find(each.address);
    if (count != moments.end()) row.moments = count->second;
  }
  return rows;
}

uint64_t AllMoments(const std::map<uint64_t, uint64_t>& moments) {
  uint64_t all = 0;
  for (const auto& [address, count] : moments) all += count;
  return all;
}

// Lengths of the longest common subsequences of the rests of `a` and `b`.
std::vector<std::vector<size_t>> CommonLengths(const std::vector<Row>& a,
                                               const std::vector<Row>& b) {
  std::vector<std::vector<size_t>> common(a.size() + 1, std::vector<size_t>(b.size() + 1, 0));
  for (size_t i = a.size(); i-- > 0;) {
    for (size_t j = b.size(); j-- > 0;) {
      common[i][j] = a[i].text == b[j].text ? common[i + 1][j + 1] + 1
                                            : std::max(common[i + 1][j], common[i][j + 1]);
    }
  }
  return common;
}

std::string Cell(const Row* row, uint64_t all) {
  if (row == nullptr) return std::string(6 + kColumn, ' ');
  const double share =
      all == 0 ? 0 : 100.0 * static_cast<double>(row->moments) / static_cast<double>(all);
  std::string text = row->text;
  if (text.size() > kColumn) text = text.substr(0, kColumn - 2) + "..";
  text.resize(kColumn, ' ');
  return absl::StrCat(row->moments == 0 ? "      " : absl::StrFormat("%3.0f %% ", share), text);
}

}  // namespace

std::vector<Instruction> ReadInstructions(absl::string_view objdump) {
  std::vector<Instruction> instructions;
  for (const absl::string_view line : absl::StrSplit(objdump, '\n')) {
    const size_t colon = line.find(":\t");
    if (colon == absl::string_view::npos) continue;
    Instruction instruction;
    const absl::string_view address = absl::StripLeadingAsciiWhitespace(line.substr(0, colon));
    if (!absl::SimpleHexAtoi(address, &instruction.address)) continue;
    const absl::string_view text = line.substr(colon + 2);
    const size_t space = std::min(text.find(' '), text.size());
    const std::string mnemonic(text.substr(0, space));
    const absl::string_view operands = absl::StripAsciiWhitespace(text.substr(space));
    const std::optional<BranchOperand> branch = ReadBranch(operands);
    const bool is_jump =
        branch.has_value() && mnemonic != "call" && absl::StrContains(branch->symbol, "+0x");
    instruction.text = mnemonic;
    if (is_jump) {
      instruction.target = branch->address;
    } else if (branch.has_value()) {
      absl::StrAppend(&instruction.text, " ", branch->symbol);
    } else if (!operands.empty()) {
      absl::StrAppend(&instruction.text, " ", WithSymbol(operands));
    }
    instructions.push_back(std::move(instruction));
  }
  return instructions;
}

std::vector<Instruction> HottestLoop(const std::vector<Instruction>& function,
                                     const std::map<uint64_t, uint64_t>& moments) {
  if (function.empty()) return {};
  const auto place = [&](uint64_t address) {
    const auto found = std::lower_bound(
        function.begin(), function.end(), address,
        [](const Instruction& each, uint64_t wanted) { return each.address < wanted; });
    return std::min(static_cast<size_t>(found - function.begin()), function.size() - 1);
  };
  const auto hottest =
      std::max_element(moments.begin(), moments.end(),
                       [](const auto& a, const auto& b) { return a.second < b.second; });
  const size_t at = hottest == moments.end() ? 0 : place(hottest->first);
  size_t first = at > kSurroundings ? at - kSurroundings : 0;
  size_t last = std::min(at + kSurroundings, function.size() - 1);
  size_t length = kLongestLoop + 1;
  for (size_t i = 0; i < function.size(); ++i) {
    const Instruction& jump = function[i];
    if (jump.target == 0 || jump.target > jump.address || jump.target < function[0].address) {
      continue;
    }
    const size_t begin = place(jump.target);
    if (begin > at || i < at || i + 1 - begin >= length) continue;
    length = i + 1 - begin;
    first = begin;
    last = i;
  }
  return {function.begin() + static_cast<std::ptrdiff_t>(first),
          function.begin() + static_cast<std::ptrdiff_t>(last) + 1};
}

std::vector<std::string> SideBySide(const std::vector<Instruction> (&loops)[2],
                                    const std::map<uint64_t, uint64_t> (&moments)[2]) {
  std::vector<Row> rows[2];
  uint64_t all[2];
  for (int v = 0; v < 2; ++v) {
    rows[v] = RowsOfLoop(loops[v], moments[v]);
    all[v] = AllMoments(moments[v]);
  }
  const auto common = CommonLengths(rows[0], rows[1]);
  std::vector<std::string> lines;
  const auto add = [&](const Row* of_old, const char* mark, const Row* of_new) {
    lines.emplace_back(absl::StripTrailingAsciiWhitespace(
        absl::StrCat(Cell(of_old, all[0]), " ", mark, " ", Cell(of_new, all[1]))));
  };
  size_t i = 0;
  size_t j = 0;
  while (i < rows[0].size() || j < rows[1].size()) {
    const bool has_old = i < rows[0].size();
    const bool has_new = j < rows[1].size();
    if (has_old && has_new && rows[0][i].text == rows[1][j].text) {
      add(&rows[0][i++], " ", &rows[1][j++]);
    } else if (has_old && has_new && common[i + 1][j + 1] == common[i][j]) {
      add(&rows[0][i++], "|", &rows[1][j++]);
    } else if (has_old && (!has_new || common[i + 1][j] >= common[i][j + 1])) {
      add(&rows[0][i++], "<", nullptr);
    } else {
      add(nullptr, ">", &rows[1][j++]);
    }
  }
  return lines;
}

}  // namespace duetbench
