#include "duetbench/api/flag_readers.h"

#include <cmath>

#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"

namespace duetbench {

double ReadNumber(absl::string_view text) {
  double number = 0;
  return absl::SimpleAtod(text, &number) && std::isfinite(number) ? number : NAN;
}

const char* ReadInto(absl::string_view text, OptionValue<int>* value) {
  int number = 0;
  *value = absl::SimpleAtoi(text, &number) ? number : 0;
  return nullptr;
}

const char* ReadInto(absl::string_view text, OptionValue<double>* value) {
  *value = ReadNumber(text);
  return nullptr;
}

const char* ReadInto(absl::string_view text, OptionValue<uint64_t>* value) {
  uint64_t number = 0;
  if (!absl::SimpleAtoi(text, &number)) return "a whole number from 0 to 18446744073709551615";
  *value = number;
  return nullptr;
}

const char* ReadInto(absl::string_view text, bool* value) {
  return absl::SimpleAtob(text, value) ? nullptr : "true or false";
}

const char* ReadInto(absl::string_view text, OptionValue<bool>* value) {
  bool is_true = false;
  const char* const wanted = ReadInto(text, &is_true);
  *value = is_true;
  return wanted;
}

const char* ReadInto(absl::string_view text, std::string* name) {
  *name = std::string(text);
  return text.empty() ? "the name of a file" : nullptr;
}

const char* ReadInto(absl::string_view text, std::vector<CounterGateSpec>* gates) {
  const char* const kWanted = "a counter and a positive ratio, such as INSTRUCTIONS:1.02";
  gates->clear();
  for (const absl::string_view item : absl::StrSplit(text, ',')) {
    const size_t colon = item.rfind(':');  // names have colons, too
    if (colon == absl::string_view::npos || colon == 0) return kWanted;
    const double ratio = ReadNumber(item.substr(colon + 1));
    if (!GateSpec::IsValid(GateSpec::Kind::kMaxRatio, ratio)) return kWanted;
    gates->push_back({std::string(item.substr(0, colon)), ratio});
  }
  return nullptr;
}

const char* ReadInto(absl::string_view text, std::vector<QuantileGateSpec>* gates) {
  gates->clear();
  for (const absl::string_view item : absl::StrSplit(text, ',')) {
    const std::vector<absl::string_view> parts = absl::StrSplit(item, ':');
    gates->push_back({ReadNumber(parts.front()), ReadNumber(parts.back())});
    if (parts.size() != 2 || !gates->back().IsValid()) {
      return "a number between 0 and 1 and a positive ratio, such as 0.99:1.1";
    }
  }
  return nullptr;
}

const char* ReadInto(absl::string_view text, std::vector<double>* quantiles) {
  if (text.empty() || text == "true") text = "0.5,0.9,0.99,0.999";
  quantiles->clear();
  for (const absl::string_view item : absl::StrSplit(text, ',')) {
    quantiles->push_back(ReadNumber(item));
    if (!QuantileGateSpec::IsQuantile(quantiles->back())) {
      return "numbers between 0 and 1, such as 0.5,0.99";
    }
  }
  return nullptr;
}

}  // namespace duetbench
