#include "duetbench/variant/check_equal.h"

#include <algorithm>
#include <sstream>

#include "duetbench/variant/variant_report.h"

namespace duetbench::internal {
namespace {

constexpr char kNothingToCompare[] =
    "CheckEqual: one variant returns a value, the other one has a State and returns none: there is "
    "nothing to compare";

using Functions = std::vector<std::shared_ptr<const ResultFunction>>;

class GroupCheck final : public ResultCheck {
 public:
  explicit GroupCheck(Functions functions) : functions_(std::move(functions)) {}
  std::string Compare(int* calling) const override {
    for (size_t i = 1; i < functions_.size(); ++i) {
      const bool are_functions = functions_[0] != nullptr && functions_[i] != nullptr;
      std::string difference =
          are_functions ? functions_[0]->CompareWith(*functions_[i], calling, static_cast<int>(i))
                        : kNothingToCompare;
      if (difference.empty()) continue;
      if (functions_.size() == 2) return difference;
      *calling = static_cast<int>(i);
      return AndTheBase(difference);
    }
    return "";
  }

 private:
  const Functions functions_;
};

}  // namespace

std::shared_ptr<const ResultCheck> MakeGroupCheck(Functions functions) {
  if (std::count(functions.begin(), functions.end(), nullptr) ==
      static_cast<std::ptrdiff_t>(functions.size())) {
    return nullptr;
  }
  return std::make_shared<GroupCheck>(std::move(functions));
}

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

}  // namespace duetbench::internal
