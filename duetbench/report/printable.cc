#include "duetbench/report/printable.h"

#include <nlohmann/json.hpp>

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

}  // namespace duetbench
