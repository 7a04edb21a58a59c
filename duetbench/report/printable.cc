#include "duetbench/report/printable.h"

#include <nlohmann/json.hpp>

#include "absl/strings/str_cat.h"

namespace duetbench {

std::string Printable(const std::string& text) {
  using nlohmann::json;
  // There and back: writing JSON is what replaces the bytes that are not UTF-8.
  std::string printable =
      json::parse(json(text).dump(-1, ' ', false, json::error_handler_t::replace));
  for (char& c : printable) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  }
  return printable;
}

std::string Shortened(const std::string& text) {
  constexpr size_t kMaxBytes = 1000;
  if (text.size() <= kMaxBytes) return text;
  size_t end = kMaxBytes;
  // Not within a character of UTF-8.
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
  return absl::StrCat(text.substr(0, end), "… (", text.size(), " bytes)");
}

}  // namespace duetbench
