#include "duetbench/api/flags.h"

#include "absl/strings/strip.h"
#include "duetbench/api/flag_readers.h"

namespace duetbench {
namespace {

// Seconds of "300", "90s", "5min" and "1.5h"; NaN if `text` is none of these.
double ReadDuration(absl::string_view text) {
  constexpr double kMinute = 60;
  constexpr double kHour = 3600;
  if (absl::ConsumeSuffix(&text, "min")) return kMinute * ReadNumber(text);
  if (absl::ConsumeSuffix(&text, "h")) return kHour * ReadNumber(text);
  return ReadNumber(absl::StripSuffix(text, "s"));
}

constexpr ProgramFlag kFlags[] = {
    {"duet_order", "interleaved|sequential",
     "where a program measures several duets, their runs take place in random order over the whole "
     "time, so that each duet sees all states of the machine, or duet by duet, for debugging "
     "(default: interleaved)",
     Choose<Flags, &Flags::sequential, false, true>},
    {"duet_budget", "TIME",
     "time for all duets together, such as 300, 90s, 5min or 1h: each is measured until it is "
     "decided, and the time goes to those that it can decide (default: --benchmark_min_time for "
     "each)",
     [](const char*, absl::string_view value, Flags* flags) -> std::string {
       flags->budget = ReadDuration(value);
       const bool is_time = flags->budget > 0 && flags->budget <= 1e6;
       return is_time ? "" : "a positive time, such as 300, 90s, 5min or 1h";
     }},
    {"duet_unchanged", "report|measure",
     "under `duet OLD NEW`, benchmarks of programs with the same bytes, in the same folder, are "
     "reported as UNCHANGED, or measured (default: report)",
     Choose<Flags, &Flags::measure_unchanged, false, true>},
    {"duet_cpus", "A,B", "the two CPUs (default: the best pair of those allowed)",
     [](const char*, absl::string_view value, Flags* flags) -> std::string {
       flags->cpus = std::string(value);
       return value.empty() ? "two CPUs, such as 2,3" : "";
     }},
    {"duet_lock", "on|off",
     "on: waits while another program measures duets on the same CPUs (default: on)",
     Choose<Flags, &Flags::lock, true, false>},
    {"duet_out", "FILE", "writes every measured pair to FILE, for duet_stat (CSV)",
     Read<Flags, &Flags::out>},
    {"duet_require_counters", "BOOL",
     "an event of --benchmark_perf_counters that cannot be counted is an error (default: false)",
     Read<Flags, &Flags::require_counters>},
    {"duet_inconclusive", "pass|fail|skip",
     "what becomes of a gate that is not decided: it counts as passed, with a warning; it counts "
     "as failed; or the exit status is 77, 'skipped' (default: skip)",
     Choose<Flags, &Flags::inconclusive, WhenInconclusive::kPass, WhenInconclusive::kFail,
            WhenInconclusive::kSkip>},
    {"duet_explain", "all|code|gates|off",
     "prints the functions in which new takes longer or shorter, with the calling line, below each "
     "row that is FASTER or SLOWER, or only below failed gates: more runs, of 1 to 3 s in all, "
     "record stacks of calls, and valgrind counts instructions if it is installed; code: with the "
     "machine code of the hottest loop side by side (needs objdump); --duet_explain alone: all "
     "(default: off)",
     [](const char* choices, absl::string_view value, Flags* flags) -> std::string {
       return Choose<Flags, &Flags::explain, WhenExplained::kDecided, WhenExplained::kWithCode,
                     WhenExplained::kFailedGates, WhenExplained::kNever>(
           choices, value.empty() ? "all" : value, flags);
     }},
    {"duet_summary", "FILE",
     "appends a table of all duets and what failed to FILE (Markdown, for $GITHUB_STEP_SUMMARY or "
     "a merge request)",
     Read<Flags, &Flags::summary>},
    {"duet_junit", "FILE", "writes a test case for each duet to FILE (JUnit XML)",
     Read<Flags, &Flags::junit>},
    {"duet_report", "FILE",
     "writes a page with pictures of all duets to FILE (HTML, without scripts and links)",
     Read<Flags, &Flags::report>},
    {"duet_profile", "BOOL",
     "also prints where the wall time of each duet went, and why its schedule was chosen",
     Read<Flags, &Flags::profile>},
    {"duet_list", "BOOL",
     "lists the selected duets and measures nothing; one a line: duet MAX_SECONDS NAME; a "
     "group that is measured together is a line, with a tab and its filter at the end",
     Read<Flags, &Flags::list>},
    {"benchmark_list_tests", "BOOL", nullptr, ReadTruth<Flags, &Flags::list_tests>},
    {"benchmark_format", "console|json|csv", nullptr, ChooseName<Flags, &Flags::format>},
    {"benchmark_out", "FILE", nullptr, Read<Flags, &Flags::benchmark_out>},
    {"benchmark_out_format", "console|json|csv", nullptr, ChooseName<Flags, &Flags::out_format>},
    {"benchmark_color", "BOOL|auto", nullptr,
     [](const char*, absl::string_view value, Flags* flags) -> std::string {
       flags->color = std::string(value);
       return value.empty() ? "auto, true or false" : "";
     }},
    {"benchmark_counters_tabular", "BOOL", nullptr, ReadTruth<Flags, &Flags::counters_tabular>},
    {"benchmark_perf_counters", "EVENTS", nullptr,
     [](const char*, absl::string_view value, Flags* flags) -> std::string {
       flags->perf_counters = std::string(value);
       return "";
     }},
    {"benchmark_time_unit", "ns|us|ms|s", nullptr, ChooseName<Flags, &Flags::time_unit>},
};

}  // namespace

absl::Span<const ProgramFlag> ProgramFlags() { return kFlags; }

}  // namespace duetbench
