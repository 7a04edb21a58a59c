#ifndef DUETBENCH_TOOLS_DUET_STAT_INPUT_FOREIGN_TIMES_H_
#define DUETBENCH_TOOLS_DUET_STAT_INPUT_FOREIGN_TIMES_H_

#include <cstddef>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "tools/duet_stat/input/byte_source.h"
#include "tools/duet_stat/input/times_csv.h"

namespace duetbench::duet_stat {

// Results of other tools. Each repetition is one run with one time in nanoseconds: the real time of
// an iteration.
//
// kGoogleBenchmark  JSON of --benchmark_out with --benchmark_repetitions; aggregates are left out
// kHyperfine        JSON of hyperfine --export-json: the times of each command
// kGo               text of `go test -bench . -count N`, which benchstat reads
enum class ForeignFormat { kNone, kGoogleBenchmark, kHyperfine, kGo };

// The format that `text` has. JSON that is a report with duets is kNone, and so is a CSV file.
ForeignFormat FormatOf(absl::string_view text);

// The times in `text`, which messages call `name`. InvalidArgument without any.
absl::StatusOr<TimesData> ReadForeignTimes(absl::string_view text, ForeignFormat format,
                                           const std::string& name);

// The first `wanted` characters behind white space, or more; fewer at the end of the source or
// behind 4096 bytes. Afterwards `source` gives the same bytes from the start. The error of the
// source if it fails.
absl::StatusOr<std::string> PeekStart(ByteSource* source, std::size_t wanted);

// The input, of which nothing has been read, begins like JSON or the text of Go, which FormatOf is
// to tell apart. `source` is as after PeekStart.
absl::StatusOr<bool> MayBeForeign(ByteSource* source);

// All bytes of the source; ResourceExhausted if these are more than `limit`.
absl::StatusOr<std::string> ReadWhole(const ByteSource& source, const std::string& name,
                                      std::size_t limit);
// A source of these bytes.
ByteSource SourceOf(std::string text);

}  // namespace duetbench::duet_stat

#endif  // DUETBENCH_TOOLS_DUET_STAT_INPUT_FOREIGN_TIMES_H_
