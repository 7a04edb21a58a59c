#ifndef DUETBENCH_API_FLAG_READERS_H_
#define DUETBENCH_API_FLAG_READERS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "duetbench/record/gate_spec.h"
#include "duetbench/record/options.h"

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

// As Google Benchmark reads truth: everything but "", "0", "f", "n", "false", "no" and "off".
bool IsTruthy(absl::string_view text);
template <class Target, auto field>
std::string ReadTruth(const char* /*value*/, absl::string_view text, Target* target) {
  target->*field = IsTruthy(text);
  return text.empty() ? "true or false" : "";
}

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

// The place of `name` among those of `list`, "on|off"; -1: it has none.
int PlaceOf(absl::string_view name, const char* list);
// "on, off or auto".
std::string Alternatives(const char* list);

// `choices` are the values of the names in `value`, "on|off", in that order.
template <class Target, auto field, auto... choices>
std::string Choose(const char* value, absl::string_view text, Target* target) {
  int place = PlaceOf(text, value);
  if (place < 0) return Alternatives(value);
  const auto try_choice = [&](auto choice) {
    if (place-- == 0) SetChoice(choice, &(target->*field));
  };
  (try_choice(choices), ...);
  return "";
}

// The field is the name itself.
template <class Target, auto field>
std::string ChooseName(const char* value, absl::string_view text, Target* target) {
  target->*field = std::string(text);
  return PlaceOf(text, value) < 0 ? Alternatives(value) : "";
}

}  // namespace duetbench

#endif  // DUETBENCH_API_FLAG_READERS_H_
