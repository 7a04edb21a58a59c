#ifndef DUETBENCH_API_FLAG_READERS_H_
#define DUETBENCH_API_FLAG_READERS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "duetbench/record/options.h"
#include "duetbench/record/verdict.h"

// Texts of flags become values. Pure functions.
namespace duetbench {

// A finite number; NaN, which no rule allows, for anything else.
double ReadNumber(absl::string_view text);

// Each sets a value from a text and returns "", or what the text should have been. A number that
// is none becomes 0 or NaN: the rule of its option (flags.h) refuses it.
std::string ReadInto(absl::string_view text, OptionValue<int>* value);
std::string ReadInto(absl::string_view text, OptionValue<double>* value);
std::string ReadInto(absl::string_view text, OptionValue<uint64_t>* value);
std::string ReadInto(absl::string_view text, bool* value);
std::string ReadInto(absl::string_view text, OptionValue<bool>* value);
// The name of a file.
std::string ReadInto(absl::string_view text, std::string* name);
// "INSTRUCTIONS:1.02,perf::PAGE-FAULTS:1"; of quantiles "0.99:1.1,0.5:1.05". In place of the gates
// on counters, or on quantiles, that are there.
std::string ReadInto(absl::string_view text, bool of_quantiles, std::vector<GateSpec>* gates);
// "0.5,0.99"; nothing, or "true": the usual quantiles.
std::string ReadInto(absl::string_view text, std::vector<double>* quantiles);

// As Google Benchmark reads truth: everything but "", "0", "f", "n", "false", "no" and "off".
bool IsTruthy(absl::string_view text);

// The place of `name` among those of `list`, "on|off"; -1: it has none.
int PlaceOf(absl::string_view name, const char* list);
// "on, off or auto".
std::string Alternatives(const char* list);

}  // namespace duetbench

#endif  // DUETBENCH_API_FLAG_READERS_H_
