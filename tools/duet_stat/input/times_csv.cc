#include "tools/duet_stat/input/times_csv.h"

#include <cstddef>
#include <cstdint>
#include <utility>

#include "absl/strings/str_cat.h"
#include "tools/duet_stat/input/csv_header.h"
#include "tools/duet_stat/input/csv_reader.h"
#include "tools/duet_stat/input/number_cell.h"
#include "tools/duet_stat/input/run_locator.h"

namespace duetbench::duet_stat {
namespace {

constexpr char kTimesName[] = "time";
constexpr char kFormat[] = "a file of times has time and, where there are several runs, run";

}  // namespace

absl::StatusOr<TimesData> ReadTimesCsv(ByteSource source, const std::string& name,
                                       const PairsCsvOptions& options) {
  CsvReader reader(std::move(source), name);
  const absl::StatusOr<CsvHeader> header = CsvHeader::Read(reader);
  if (!header.ok()) return header.status();
  const absl::Status unique = header->CheckUnique(
      reader, {"time", "time_ns", "run", "trial", "benchmark", "machine", "instance"});
  if (!unique.ok()) return unique;
  const int time_column = header->Find(header->Has({"time"}) ? "time" : "time_ns");
  const int run_column = header->Find(header->Has({"run"}) ? "run" : "trial");
  const int name_column = header->Find("benchmark");
  const int machine_column = header->Find(header->Has({"machine"}) ? "machine" : "instance");
  if (time_column == CsvHeader::kAbsent) return header->Missing(reader, {"time"}, kFormat);

  TimesData data;
  RunLocator locator;
  std::size_t bytes_of_times = 0;
  const auto cell = [&](int column, absl::string_view otherwise) {
    return column == CsvHeader::kAbsent ? otherwise
                                        : reader.cells()[static_cast<std::size_t>(column)];
  };
  while (true) {
    const absl::StatusOr<bool> found = reader.Next();
    if (!found.ok()) return found.status();
    if (!*found) break;
    if (absl::Status status = header->CheckRecord(reader); !status.ok()) return status;
    std::int64_t run = 0;
    const absl::string_view run_cell = cell(run_column, "0");
    if (!ReadWholeNumber(run_cell, &run)) {
      return header->CellError(reader, run_column,
                               absl::StrCat("is not a whole number: '", Shown(run_cell), "'"));
    }
    double time = 0;
    const absl::string_view time_cell = cell(time_column, "");
    if (!ReadNumber(time_cell, &time) || !IsTime(time)) {
      return header->CellError(reader, time_column, WhyNotATime(time_cell));
    }
    const absl::string_view benchmark = cell(name_column, kTimesName);
    const RunLocator::Place place = locator.Find(benchmark, cell(machine_column, ""), run);
    if (place.is_new_benchmark) {
      if (benchmark.find('\0') != absl::string_view::npos) {
        return reader.Error("a zero byte in the name of the benchmark: not a text file?");
      }
      data.benchmarks.push_back({std::string(benchmark), {}});
    }
    stats::Sample& sample = data.benchmarks[place.benchmark].sample;
    if (place.is_new_run) {
      sample.runs.emplace_back();
      if (machine_column != CsvHeader::kAbsent) sample.machine.push_back(place.machine);
    }
    sample.runs[place.run].push_back(time);
    bytes_of_times += sizeof time;
    if (bytes_of_times + locator.bytes() > options.memory_limit) {
      return absl::ResourceExhaustedError(
          absl::StrCat(name, ":", reader.line(), ": the data is larger than the limit of ",
                       options.memory_limit >> 20, " MiB; raise the limit"));
    }
  }
  if (data.benchmarks.empty()) return reader.Error("no times behind the header");
  if (run_column == CsvHeader::kAbsent) {
    data.notices.push_back(absl::StrCat(name, ": no column 'run': all times count as one run"));
  }
  for (std::string& notice : EndNotices(reader)) data.notices.push_back(std::move(notice));
  return data;
}

}  // namespace duetbench::duet_stat
