#include "duetbench/page/html.h"

#include <cmath>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"

namespace duetbench::page {

std::string Escaped(absl::string_view text) {
  return absl::StrReplaceAll(
      text, {{"&", "&amp;"}, {"<", "&lt;"}, {">", "&gt;"}, {"\"", "&quot;"}, {"'", "&#39;"}});
}

std::string Breakable(absl::string_view name) {
  return absl::StrReplaceAll(Escaped(name), {{"_", "_<wbr/>"}, {"/", "/<wbr/>"}, {",", ",<wbr/>"}});
}

std::string Pixels(double value) {
  // "%g" has no trailing zeros, and coordinates are far below a million.
  return absl::StrCat(std::round(value * 10) / 10);
}

}  // namespace duetbench::page
