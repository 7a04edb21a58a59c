#ifndef DUETBENCH_API_FLAG_READERS_H_
#define DUETBENCH_API_FLAG_READERS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "duetbench/record/gate_spec.h"
#include "duetbench/record/option_value.h"

// Texts of flags become values. Pure functions.
namespace duetbench {

// A finite number; NaN, which no rule allows, for anything else.
double ReadNumber(absl::string_view text);

// Each sets a value from a text, and returns what the text should have been, or null. A number that
// is none becomes 0 or NaN: the rule of its option (option_table.h) refuses it.
const char* ReadInto(absl::string_view text, OptionValue<int>* value);
const char* ReadInto(absl::string_view text, OptionValue<double>* value);
const char* ReadInto(absl::string_view text, OptionValue<uint64_t>* value);
const char* ReadInto(absl::string_view text, bool* value);
const char* ReadInto(absl::string_view text, OptionValue<bool>* value);
// The name of a file.
const char* ReadInto(absl::string_view text, std::string* name);
// "INSTRUCTIONS:1.02,perf::PAGE-FAULTS:1"; of quantiles "0.99:1.1,0.5:1.05". In place of the gates
// on counters, or on quantiles, that are there.
const char* ReadInto(absl::string_view text, bool of_quantiles, std::vector<GateSpec>* gates);
// "0.5,0.99"; nothing, or "true": the usual quantiles.
const char* ReadInto(absl::string_view text, std::vector<double>* quantiles);

template <class Target, auto field>
std::string Read(const char* /*value*/, absl::string_view text, Target* target) {
  const char* const wanted = ReadInto(text, &(target->*field));
  return wanted == nullptr ? "" : wanted;
}

// The first choice of a flag that may be left to the program.
enum Auto { kAuto };
template <class Choice, class Field>
void SetChoice(Choice choice, Field* field) {
  *field = choice;
}
template <class Value>
void SetChoice(Auto, std::optional<Value>* field) {
  field->reset();
}

// `choices` are the values of the names in `value`, "on|off", in that order.
template <class Target, auto field, auto... choices>
std::string Choose(const char* value, absl::string_view text, Target* target) {
  const std::vector<std::string> names = absl::StrSplit(value, '|');
  size_t i = 0;
  bool known = false;
  const auto try_choice = [&](auto choice) {
    if (names[i++] != text) return;
    SetChoice(choice, &(target->*field));
    known = true;
  };
  (try_choice(choices), ...);
  if (known) return "";
  return absl::StrCat(absl::StrJoin(names.begin(), names.end() - 1, ", "), " or ", names.back());
}

}  // namespace duetbench

#endif  // DUETBENCH_API_FLAG_READERS_H_
