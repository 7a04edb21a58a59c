#include "duetbench/api/flag_readers.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"

namespace duetbench {

double ReadNumber(absl::string_view text) {
  double number = 0;
  return absl::SimpleAtod(text, &number) && std::isfinite(number) ? number : NAN;
}

std::string ReadInto(absl::string_view text, OptionValue<int>* value) {
  int number = 0;
  *value = absl::SimpleAtoi(text, &number) ? number : 0;
  return "";
}

std::string ReadInto(absl::string_view text, OptionValue<double>* value) {
  *value = ReadNumber(text);
  return "";
}

std::string ReadInto(absl::string_view text, OptionValue<uint64_t>* value) {
  uint64_t number = 0;
  if (!absl::SimpleAtoi(text, &number)) return "a whole number from 0 to 18446744073709551615";
  *value = number;
  return "";
}

std::string ReadInto(absl::string_view text, bool* value) {
  return absl::SimpleAtob(text, value) ? "" : "true or false";
}

std::string ReadInto(absl::string_view text, OptionValue<bool>* value) {
  bool is_true = false;
  std::string wanted = ReadInto(text, &is_true);
  *value = is_true;
  return wanted;
}

std::string ReadInto(absl::string_view text, std::string* name) {
  *name = std::string(text);
  return text.empty() ? "the name of a file" : "";
}

std::string ReadInto(absl::string_view text, bool of_quantiles, std::vector<GateSpec>* gates) {
  const char* const wanted = of_quantiles
                                 ? "a number between 0 and 1 and a positive ratio, such as 0.99:1.1"
                                 : "a counter and a positive ratio, such as INSTRUCTIONS:1.02";
  const auto is_replaced = [&](const GateSpec& gate) {
    return !gate.metric.is_time() && gate.metric.is_quantile() == of_quantiles;
  };
  gates->erase(std::remove_if(gates->begin(), gates->end(), is_replaced), gates->end());
  for (const absl::string_view item : absl::StrSplit(text, ',')) {
    const size_t colon = item.rfind(':');  // names have colons, too
    if (colon == absl::string_view::npos || colon == 0) return wanted;
    const absl::string_view name = item.substr(0, colon);
    Metric metric;
    if (of_quantiles) metric.quantile = ReadNumber(name);
    if (of_quantiles && !Metric::IsQuantile(metric.quantile)) return wanted;
    if (!of_quantiles) metric.counter = std::string(name);
    const double ratio = ReadNumber(item.substr(colon + 1));
    if (!GateSpec::IsValid(GateSpec::Kind::kMaxRatio, ratio)) return wanted;
    SetGate(GateSpec::MaxRatio(ratio, std::move(metric)), gates);
  }
  return "";
}

std::string ReadInto(absl::string_view text, std::vector<double>* quantiles) {
  if (text.empty() || text == "true") text = "0.5,0.9,0.99,0.999";
  quantiles->clear();
  for (const absl::string_view item : absl::StrSplit(text, ',')) {
    quantiles->push_back(ReadNumber(item));
    if (!Metric::IsQuantile(quantiles->back())) {
      return "numbers between 0 and 1, such as 0.5,0.99";
    }
  }
  return "";
}

bool IsTruthy(absl::string_view text) {
  const std::string lower = absl::AsciiStrToLower(text);
  constexpr const char* kFalse[] = {"", "0", "f", "n", "false", "no", "off"};
  return std::find(std::begin(kFalse), std::end(kFalse), lower) == std::end(kFalse);
}

int PlaceOf(absl::string_view name, const char* list) {
  const std::vector<absl::string_view> names = absl::StrSplit(list, '|');
  const auto found = std::find(names.begin(), names.end(), name);
  return found == names.end() ? -1 : static_cast<int>(found - names.begin());
}

std::string Alternatives(const char* list) {
  const std::vector<absl::string_view> names = absl::StrSplit(list, '|');
  return absl::StrCat(absl::StrJoin(names.begin(), names.end() - 1, ", "), " or ", names.back());
}

}  // namespace duetbench
