#include "duetbench/variant/check_equal.h"

#include <sstream>

namespace duetbench::internal {
namespace {

class NothingToCompareCheck final : public ResultCheck {
 public:
  std::string Compare(int*) const override {
    return "CheckEqual: one variant returns a value, the other one has a State and returns none: "
           "there is nothing to compare";
  }
};

}  // namespace

std::shared_ptr<const ResultCheck> NothingToCompare() {
  return std::make_shared<NothingToCompareCheck>();
}

void Write(const char* text, std::ostream& out) { out << (text == nullptr ? "null" : text); }
void Write(const std::string& text, std::ostream& out) { out << text; }
void Write(bool value, std::ostream& out) { out << value; }
void Write(char value, std::ostream& out) { out << value; }
void Write(long long value, std::ostream& out) { out << value; }           // NOLINT
void Write(unsigned long long value, std::ostream& out) { out << value; }  // NOLINT
void Write(long double value, std::ostream& out) { out << value; }
void Write(const void* value, std::ostream& out) { out << value; }
bool IsLong(std::ostream& out) { return static_cast<size_t>(out.tellp()) > kMaxShown; }

std::string Printed(void (*print)(const void* value, std::ostream& out), const void* value) {
  std::ostringstream out;
  out.precision(17);
  out << std::boolalpha;
  print(value, out);
  std::string text = out.str();
  if (text.size() <= kMaxShown) return text;
  text.resize(kMaxShown);
  return text + "…";
}

}  // namespace duetbench::internal
