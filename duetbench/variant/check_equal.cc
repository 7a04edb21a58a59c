#include "duetbench/variant/check_equal.h"

#include <sstream>

#include "duetbench/variant/variant_report.h"

namespace duetbench {
namespace {

constexpr char kNothingToCompare[] =
    "CheckEqual: one variant returns a value, the other one has a State and returns none: there is "
    "nothing to compare";

}  // namespace

std::string CompareResults(const ResultFunctions& functions, int* calling) {
  for (size_t i = 1; i < functions.size(); ++i) {
    const bool are_functions = functions[0] != nullptr && functions[i] != nullptr;
    std::string difference =
        are_functions ? functions[0]->CompareWith(*functions[i], calling, static_cast<int>(i))
                      : kNothingToCompare;
    if (difference.empty()) continue;
    if (functions.size() == 2) return difference;
    *calling = static_cast<int>(i);
    return AndTheBase(difference);
  }
  return "";
}

namespace internal {

void Write(const char* text, std::ostream& out) { out << text; }
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

}  // namespace internal
}  // namespace duetbench
