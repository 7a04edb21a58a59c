#include "duetbench/report/wrapped.h"

#include <algorithm>

#include "absl/strings/str_cat.h"

namespace duetbench {

size_t Width(absl::string_view text) {
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

std::string Wrapped(absl::string_view text, size_t columns, absl::string_view indent) {
  std::string lines;
  size_t column = 0;
  bool at_start = true;
  while (!text.empty()) {
    // The next word with the spaces before it.
    const size_t begin = std::min(text.find_first_not_of(' '), text.size());
    const size_t end = std::min(text.find(' ', begin), text.size());
    const absl::string_view word = text.substr(begin, end - begin);
    if (word.empty()) break;
    if (at_start || column + begin + Width(word) <= columns) {
      absl::StrAppend(&lines, text.substr(0, end));
      column += begin + Width(word);
    } else {
      absl::StrAppend(&lines, "\n", indent, word);
      column = Width(indent) + Width(word);
    }
    at_start = false;
    text.remove_prefix(end);
  }
  return lines;
}

}  // namespace duetbench
