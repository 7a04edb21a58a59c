#include "tools/duet_stat/output/table.h"

#include <algorithm>
#include <cstddef>

#include "absl/strings/str_cat.h"

namespace duetbench {
namespace {

// Code points, so that '±' takes one column.
std::size_t WidthOf(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

}  // namespace

std::string TableText(const Cells& rows, absl::string_view alignment, absl::string_view indent) {
  std::vector<std::size_t> widths;
  for (const std::vector<std::string>& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], WidthOf(row[c]));
  }
  std::string text;
  for (const std::vector<std::string>& row : rows) {
    std::string line(indent);
    for (std::size_t c = 0; c < row.size(); ++c) {
      const std::string padding(widths[c] - WidthOf(row[c]), ' ');
      const bool to_the_left = c < alignment.size() && alignment[c] == 'l';
      absl::StrAppend(&line, c == 0 ? "" : "  ", to_the_left ? row[c] : padding,
                      to_the_left ? padding : row[c]);
    }
    absl::StrAppend(&text, line.substr(0, line.find_last_not_of(' ') + 1), "\n");
  }
  return text;
}

}  // namespace duetbench
