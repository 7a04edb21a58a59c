#include "tools/duet_stat/input/pairs_csv.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "tools/duet_stat/input/csv_header.h"
#include "tools/duet_stat/input/csv_reader.h"
#include "tools/duet_stat/input/number_cell.h"
#include "tools/duet_stat/input/pairs_columns.h"
#include "tools/duet_stat/input/run_locator.h"

namespace duetbench::duet_stat {
namespace {

constexpr char kPlainName[] = "x/y";

// Flag of --duet_out: a variant took no measurable time.
constexpr std::int64_t kNoTimeFlag = 16;
// A variant was preempted or migrated.
constexpr std::int64_t kDisturbedFlags = 15;
// The times of a disturbed pair are those on the CPU.
constexpr std::int64_t kOnCpuTimeFlag = 64;
// The samples were taken alone, and are no part of the ratio.
constexpr std::int64_t kAloneFlag = 32;

std::string WhyNotAShare(absl::string_view) { return "is not a share of at least 0"; }

// Reads a number of 0 to `most` of each variant; zeros where the file has no such columns.
// `why_not` completes the error about a cell.
absl::Status ReadOfBoth(const CsvReader& reader, const CsvHeader& header, const int (&columns)[2],
                        double most, std::string (*why_not)(absl::string_view cell),
                        double (&numbers)[2]) {
  for (int v = 0; v < 2; ++v) {
    numbers[v] = 0;
    if (columns[v] == CsvHeader::kAbsent) continue;
    const absl::string_view cell = reader.cells()[static_cast<std::size_t>(columns[v])];
    if (!ReadNumber(cell, &numbers[v]) || !(numbers[v] >= 0 && numbers[v] <= most)) {
      return header.CellError(reader, columns[v], why_not(cell));
    }
  }
  return absl::OkStatus();
}

}  // namespace

class PairsCsvReader::Collector {
 public:
  explicit Collector(const PairsCsvOptions& options) : options_(options) {}

  absl::Status Add(ByteSource source, const std::string& name);
  PairsData Take() {
    data_.machines = locator_.machines();
    return std::move(data_);
  }

 private:
  // One row, in numbers.
  struct Row {
    std::int64_t run;
    std::int64_t iteration;
    std::int64_t flags;
    std::int64_t layout;
    double start_s;
    double pause_share[2];
    stats::Pair pair;
    bool has_times;      // both are usable
    bool cpu_time;       // they are CPU times
    double measured_ns;  // real time of the longer variant, if has_times
    double iterations[2];
    bool on_one_cpu;
  };

  // Something odd that happened `count` times in a file, first on `line`.
  struct Oddity {
    std::uint64_t count = 0;
    std::uint64_t line = 0;
    std::int64_t run = 0;

    void Note(std::uint64_t at_line, std::int64_t in_run) {
      if (count++ > 0) return;
      line = at_line;
      run = in_run;
    }
  };

  absl::Status ReadRow(const CsvReader& reader, const CsvHeader& header,
                       const PairsColumns& columns, Row* row) const;
  absl::Status ReadTimes(const CsvReader& reader, const CsvHeader& header,
                         const PairsColumns& columns, Row* row) const;
  absl::Status ReadStratum(const CsvReader& reader, const CsvHeader& header,
                           const PairsColumns& columns, Row* row) const;
  absl::Status Store(const CsvReader& reader, const PairsColumns& columns, const Row& row);

  const PairsCsvOptions options_;
  PairsData data_;
  RunLocator locator_;
  std::vector<std::vector<std::int64_t>> last_iteration_;  // of each benchmark, of each run
  std::size_t bytes_of_pairs_ = 0;
  Oddity descending_;  // of the current file: iteration numbers that do not ascend
};

absl::Status PairsCsvReader::Collector::ReadTimes(const CsvReader& reader, const CsvHeader& header,
                                                  const PairsColumns& columns, Row* row) const {
  const auto& cells = reader.cells();
  const auto cell = [&](int column) { return cells[static_cast<std::size_t>(column)]; };
  const struct {
    int time;
    int cpu_time;
    int iterations;
    double* result;
  } variants[] = {
      {columns.old_time, columns.old_cpu_time, columns.old_iterations, &row->pair.old_time},
      {columns.new_time, columns.new_cpu_time, columns.new_iterations, &row->pair.new_time}};
  row->cpu_time = columns.clock != CsvHeader::kAbsent && cell(columns.clock) == "cpu";
  if (columns.clock != CsvHeader::kAbsent && !row->cpu_time && cell(columns.clock) != "real") {
    return header.CellError(reader, columns.clock, "is neither real nor cpu");
  }
  row->has_times = (row->flags & kNoTimeFlag) == 0;
  row->measured_ns = 0;
  for (const auto& variant : variants) {
    double time = 0;
    const bool is_number = ReadNumber(cell(variant.time), &time);
    if (!is_number || (!IsTime(time) && row->flags == 0)) {
      return header.CellError(reader, variant.time, WhyNotATime(cell(variant.time)));
    }
    row->has_times = row->has_times && IsTime(time);
    row->measured_ns = std::max(row->measured_ns, time);
    if (row->cpu_time) {
      // Its steps may be coarser than a sample: zero is no error.
      if (!ReadNumber(cell(variant.cpu_time), &time) || !(time >= 0)) {
        return header.CellError(reader, variant.cpu_time, WhyNotATime(cell(variant.cpu_time)));
      }
      row->has_times = row->has_times && IsTime(time);
    }
    std::int64_t iterations = 1;
    if (variant.iterations != CsvHeader::kAbsent &&
        (!ReadWholeNumber(cell(variant.iterations), &iterations) || iterations < 1)) {
      return header.CellError(reader, variant.iterations, "is not a number of iterations");
    }
    *variant.result = time / static_cast<double>(iterations);
    row->iterations[variant.result == &row->pair.old_time ? 0 : 1] =
        static_cast<double>(iterations);
    row->has_times = row->has_times && IsTime(*variant.result);
  }
  return absl::OkStatus();
}

absl::Status PairsCsvReader::Collector::ReadStratum(const CsvReader& reader,
                                                    const CsvHeader& header,
                                                    const PairsColumns& columns, Row* row) const {
  const auto& cells = reader.cells();
  row->pair.assignment = 0;
  row->pair.round = 0;
  row->on_one_cpu = false;
  if (columns.old_cpu != CsvHeader::kAbsent && columns.new_cpu != CsvHeader::kAbsent) {
    std::int64_t cpus[2] = {0, 0};
    for (const auto& [column, cpu] :
         {std::pair(columns.old_cpu, &cpus[0]), std::pair(columns.new_cpu, &cpus[1])}) {
      if (!ReadWholeNumber(cells[static_cast<std::size_t>(column)], cpu)) {
        return header.CellError(reader, column, "is not the number of a CPU");
      }
    }
    row->pair.assignment = cpus[0] > cpus[1] ? 1 : 0;
    row->on_one_cpu = cpus[0] == cpus[1] && cpus[0] >= 0;
  }
  if (columns.assignment != CsvHeader::kAbsent) {
    std::int64_t assignment = 0;
    if (!ReadWholeNumber(cells[static_cast<std::size_t>(columns.assignment)], &assignment) ||
        (assignment != 0 && assignment != 1)) {
      return header.CellError(reader, columns.assignment, "is neither 0 nor 1");
    }
    row->pair.assignment = static_cast<int>(assignment);
  }
  if (columns.round != CsvHeader::kAbsent) {
    std::int64_t round = 0;
    if (!ReadWholeNumber(cells[static_cast<std::size_t>(columns.round)], &round) || round < 0 ||
        round > stats::kMaxRound) {
      return header.CellError(reader, columns.round,
                              absl::StrCat("is no number of a round, 0 to ", stats::kMaxRound));
    }
    row->pair.round = static_cast<int>(round);
  }
  return absl::OkStatus();
}

absl::Status PairsCsvReader::Collector::ReadRow(const CsvReader& reader, const CsvHeader& header,
                                                const PairsColumns& columns, Row* row) const {
  if (absl::Status status = header.CheckRecord(reader); !status.ok()) return status;
  const auto whole = [&](int column, std::int64_t* value) {
    *value = 0;
    return column == CsvHeader::kAbsent ||
           ReadWholeNumber(reader.cells()[static_cast<std::size_t>(column)], value);
  };
  for (const auto& [column, value] :
       {std::pair(columns.run, &row->run), std::pair(columns.iteration, &row->iteration),
        std::pair(columns.flags, &row->flags), std::pair(columns.layout, &row->layout)}) {
    if (whole(column, value)) continue;
    const absl::string_view cell = reader.cells()[static_cast<std::size_t>(column)];
    return header.CellError(reader, column,
                            absl::StrCat("is not a whole number: '", Shown(cell), "'"));
  }
  row->start_s = -1;
  if (columns.start != CsvHeader::kAbsent &&
      (!ReadNumber(reader.cells()[static_cast<std::size_t>(columns.start)], &row->start_s) ||
       !std::isfinite(row->start_s))) {
    return header.CellError(reader, columns.start, "is not a number of seconds");
  }
  if (absl::Status status = ReadTimes(reader, header, columns, row); !status.ok()) return status;
  if (absl::Status status = ReadStratum(reader, header, columns, row); !status.ok()) return status;
  absl::Status status =
      ReadOfBoth(reader, header, {columns.old_pause_share, columns.new_pause_share},
                 std::numeric_limits<double>::max(), WhyNotAShare, row->pause_share);
  if (!status.ok()) return status;
  double probes[2] = {0, 0};
  status = ReadOfBoth(reader, header, {columns.old_probe, columns.new_probe},
                      std::numeric_limits<double>::infinity(), WhyNotATime, probes);
  for (int v = 0; v < 2; ++v) row->pair.probe_ns[v] = static_cast<float>(probes[v]);
  return status;
}

absl::Status PairsCsvReader::Collector::Store(const CsvReader& reader, const PairsColumns& columns,
                                              const Row& row) {
  const auto text = [&](int column) { return reader.cells()[static_cast<std::size_t>(column)]; };
  const absl::string_view name =
      columns.benchmark == CsvHeader::kAbsent ? kPlainName : text(columns.benchmark);
  absl::string_view machine;
  if (options_.machine == MachineMark::kFile) {
    machine = reader.name();
  } else if (columns.machine != CsvHeader::kAbsent) {
    machine = text(columns.machine);
  }
  const RunLocator::Place place = locator_.Find(name, machine, row.run);
  if (place.is_new_benchmark) {
    if (name.find('\0') != absl::string_view::npos) {
      return reader.Error("a zero byte in the name of the benchmark: not a text file?");
    }
    data_.benchmarks.push_back(
        {std::string(name), columns.is_x_over_y, true, {}, {}, row.cpu_time});
    last_iteration_.emplace_back();
  }
  BenchmarkPairs& benchmark = data_.benchmarks[place.benchmark];
  if (row.cpu_time != benchmark.cpu_time) {
    return reader.Error(absl::StrCat("this pair is of ", row.cpu_time ? "CPU" : "real",
                                     " times, earlier ones of the benchmark are of ",
                                     row.cpu_time ? "real" : "CPU",
                                     " times: they have no common ratio"));
  }
  if (place.is_new_run) {
    // As a rule the rows of a run follow each other: the one before is complete.
    if (!benchmark.runs.empty()) benchmark.runs.back().shrink_to_fit();
    benchmark.runs.emplace_back();
    benchmark.origins.push_back({data_.files.size() - 1,
                                 row.run,
                                 place.machine,
                                 reader.line(),
                                 0,
                                 {},
                                 row.layout,
                                 row.start_s,
                                 {row.pause_share[0], row.pause_share[1]}});
    last_iteration_[place.benchmark].push_back(row.iteration);
  } else if (columns.iteration != CsvHeader::kAbsent) {
    std::int64_t& last = last_iteration_[place.benchmark][place.run];
    if (row.iteration <= last) descending_.Note(reader.line(), row.run);
    last = row.iteration;
  }
  benchmark.interleaved = benchmark.interleaved && row.on_one_cpu;
  RunOrigin& origin = benchmark.origins[place.run];
  stats::RunPairs& run = benchmark.runs[place.run];
  if (row.layout != origin.layout) {
    return reader.Error(absl::StrCat("layout ", row.layout, " in run ", row.run,
                                     ", which began with layout ", origin.layout,
                                     ": a run has one layout"));
  }
  if ((row.flags & kAloneFlag) != 0) return absl::OkStatus();
  if (!row.has_times) {
    ++origin.without_time;
  } else if ((row.flags & kDisturbedFlags) != 0) {
    origin.disturbed.push_back({run.size(), row.pair, (row.flags & kOnCpuTimeFlag) != 0});
    bytes_of_pairs_ += sizeof(DisturbedPair);
  } else {
    run.push_back(row.pair);
    bytes_of_pairs_ += sizeof(stats::Pair);
  }
  if (row.has_times) {
    benchmark.measured_ns += row.measured_ns;
    ++benchmark.timed_pairs;
    for (int variant = 0; variant < 2; ++variant) {
      benchmark.iterations[variant] += row.iterations[variant];
    }
  }
  if (bytes_of_pairs_ + locator_.bytes() <= options_.memory_limit) return absl::OkStatus();
  return absl::ResourceExhaustedError(
      absl::StrCat(reader.name(), ":", reader.line(), ": the data is larger than the limit of ",
                   options_.memory_limit >> 20, " MiB; give fewer files or raise the limit"));
}

absl::Status PairsCsvReader::Collector::Add(ByteSource source, const std::string& name) {
  CsvReader reader(std::move(source), name);
  const absl::StatusOr<CsvHeader> header = CsvHeader::Read(reader);
  if (!header.ok()) return header.status();
  const absl::StatusOr<PairsColumns> columns = FindPairsColumns(reader, *header);
  if (!columns.ok()) return columns.status();
  locator_.BeginFile();
  data_.files.push_back(name);
  descending_ = Oddity();
  bool has_rows = false;
  Row row{};
  while (true) {
    const absl::StatusOr<bool> found = reader.Next();
    if (!found.ok()) return found.status();
    if (!*found) break;
    has_rows = true;
    absl::Status status = ReadRow(reader, *header, *columns, &row);
    if (status.ok()) status = Store(reader, *columns, row);
    if (!status.ok()) return status;
  }
  if (!has_rows) return reader.Error("no pairs behind the header");
  if (descending_.count > 0) {
    data_.notices.push_back(absl::StrCat(
        name, ":", descending_.line, ": the iteration number does not ascend within run ",
        descending_.run, " (", descending_.count,
        descending_.count == 1 ? " such line" : " such lines",
        "): the order of the lines is taken as that of the measurement; is data there twice?"));
  }
  for (std::string& notice : EndNotices(reader)) data_.notices.push_back(std::move(notice));
  return absl::OkStatus();
}

PairsCsvReader::PairsCsvReader(const PairsCsvOptions& options)
    : collector_(std::make_unique<Collector>(options)) {}

PairsCsvReader::~PairsCsvReader() = default;

absl::Status PairsCsvReader::Add(ByteSource source, const std::string& name) {
  return collector_->Add(std::move(source), name);
}

PairsData PairsCsvReader::Take() { return collector_->Take(); }

}  // namespace duetbench::duet_stat
