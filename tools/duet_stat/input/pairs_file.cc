#include "tools/duet_stat/input/pairs_file.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "absl/strings/str_cat.h"
#include "duetbench/record/run_result.h"
#include "tools/duet_stat/input/times_file.h"

namespace duetbench::duet_stat {
namespace {

constexpr char kFormats[] =
    "a file of pairs has benchmark,run,old_ns,new_ns,flags (as --duet_out writes it) or run,x,y; "
    "--compare OLD NEW compares times that were measured apart";
constexpr double kMaxDouble = std::numeric_limits<double>::max();
constexpr std::int64_t kMaxInteger = std::numeric_limits<std::int64_t>::max();

// Where a file has what; CsvFile::kAbsent where it has not. Arrays are of old and new.
struct Columns {
  bool is_x_over_y;
  int benchmark, run, flags, assignment, machine, clock, layout, start, position_error, taper;
  int time[2], cpu[2], iterations[2], cpu_time[2], probe[2], pause_share[2];
};

absl::StatusOr<Columns> FindColumns(const CsvFile& file) {
  Columns columns{};
  columns.is_x_over_y =
      file.Find("old_ns") == CsvFile::kAbsent && file.Find("new_ns") == CsvFile::kAbsent;
  const absl::Status complete =
      columns.is_x_over_y
          ? file.Require({"run", "x", "y"}, kFormats)
          : file.Require({"benchmark", "run", "old_ns", "new_ns", "flags"}, kFormats);
  if (!complete.ok()) return complete;
  // A column for old without the one for new is not used.
  const auto find = [&](const char* of_old, const char* of_new, int(&both)[2]) {
    both[0] = file.Find(of_old);
    both[1] = file.Find(of_new);
    if (both[0] == CsvFile::kAbsent || both[1] == CsvFile::kAbsent) {
      both[0] = both[1] = CsvFile::kAbsent;
    }
  };
  columns.benchmark = file.Find("benchmark");
  columns.run = file.Find("run");
  columns.flags = file.Find("flags");
  columns.assignment = file.Find("assignment");
  columns.machine = file.Find("machine");
  columns.clock = file.Find("clock");
  columns.layout = file.Find("layout");
  columns.start = file.Find("start_s");
  columns.position_error = file.Find("position_error");
  columns.taper = file.Find("taper");
  find(columns.is_x_over_y ? "y" : "old_ns", columns.is_x_over_y ? "x" : "new_ns", columns.time);
  find("old_cpu", "new_cpu", columns.cpu);
  find("ops", "new_ops", columns.iterations);
  find("old_cpu_ns", "new_cpu_ns", columns.cpu_time);
  find("old_probe_ns", "new_probe_ns", columns.probe);
  find("old_pause_share", "new_pause_share", columns.pause_share);
  if (columns.cpu_time[0] == CsvFile::kAbsent) columns.clock = CsvFile::kAbsent;
  return columns;
}

struct Row {
  std::int64_t run = 0;
  std::int64_t flags = 0;
  std::int64_t layout = 0;
  double start_s = -1;
  double position_error = 0;
  double taper = 0;
  double pause_share[2] = {0, 0};
  stats::Pair pair{};
  bool cpu_time = false;
  bool has_times = true;   // both are usable
  double measured_ns = 0;  // real time of the longer variant
  std::int64_t iterations[2] = {1, 1};
  std::int64_t cpus[2] = {-1, -2};
};

absl::Status ReadTimes(const CsvFile& file, const Columns& columns, Row* row) {
  const absl::string_view clock = file.Text(columns.clock, "real");
  if (clock != "real" && clock != "cpu") return file.Error("clock is neither real nor cpu");
  row->cpu_time = clock == "cpu";
  row->has_times = (row->flags & kNoTime) == 0;
  for (int v = 0; v < 2; ++v) {
    // Zero is no error: the steps of a clock may be coarser than a sample.
    double time = 0;
    absl::Status status = file.Read(columns.time[v], 0.0, kMaxDouble, &time);
    row->measured_ns = std::max(row->measured_ns, time);
    if (status.ok() && row->cpu_time)
      status = file.Read(columns.cpu_time[v], 0.0, kMaxDouble, &time);
    if (status.ok()) {
      status = file.Read(columns.iterations[v], std::int64_t{1}, kMaxInteger, &row->iterations[v]);
    }
    if (!status.ok()) return status;
    time /= static_cast<double>(row->iterations[v]);
    (v == 0 ? row->pair.old_time : row->pair.new_time) = time;
    row->has_times = row->has_times && time >= kMinTime && time <= kMaxTime;
  }
  return absl::OkStatus();
}

absl::Status ReadRow(const CsvFile& file, const Columns& columns, Row* row) {
  std::int64_t assignment = 0;
  absl::Status status;
  const auto read = [&](int column, auto least, auto most, auto* value) {
    if (status.ok()) status = file.Read(column, least, most, value);
  };
  read(columns.run, -kMaxInteger, kMaxInteger, &row->run);
  read(columns.flags, std::int64_t{0}, kMaxInteger, &row->flags);
  read(columns.layout, std::int64_t{0}, kMaxInteger, &row->layout);
  read(columns.start, -kMaxDouble, kMaxDouble, &row->start_s);
  read(columns.position_error, 0.0, std::numeric_limits<double>::infinity(), &row->position_error);
  read(columns.taper, 0.0, 0.5, &row->taper);
  for (int v = 0; v < 2; ++v) {
    double probe_ns = 0;
    read(columns.cpu[v], std::int64_t{-1}, kMaxInteger, &row->cpus[v]);
    read(columns.pause_share[v], 0.0, kMaxDouble, &row->pause_share[v]);
    read(columns.probe[v], 0.0, kMaxDouble, &probe_ns);
    row->pair.probe_ns[v] = static_cast<float>(probe_ns);
  }
  if (columns.cpu[0] != CsvFile::kAbsent) assignment = row->cpus[0] > row->cpus[1] ? 1 : 0;
  read(columns.assignment, std::int64_t{0}, std::int64_t{1}, &assignment);
  row->pair.assignment = static_cast<int>(assignment);
  return status.ok() ? ReadTimes(file, columns, row) : status;
}

class Collector {
 public:
  absl::Status Add(const Input& input) {
    absl::StatusOr<CsvFile> file = CsvFile::Open(input);
    if (!file.ok()) return file.status();
    const absl::StatusOr<Columns> columns = FindColumns(*file);
    if (!columns.ok()) return columns.status();
    data_.files.push_back(input.name);
    last_ = nullptr;
    bool has_rows = false;
    while (true) {
      const absl::StatusOr<bool> found = file->Next();
      if (!found.ok()) return found.status();
      if (!*found) break;
      has_rows = true;
      Row row;
      absl::Status status = ReadRow(*file, *columns, &row);
      if (status.ok()) status = Store(*file, *columns, row);
      if (!status.ok()) return status;
    }
    if (!has_rows) return file->Error("no pairs behind the header");
    if (file->ends_inside_line()) {
      data_.notices.push_back(
          absl::StrCat(input.name, ": the file ends within its last line: is it cut off?"));
    }
    return absl::OkStatus();
  }

  PairsData Take() { return std::move(data_); }

 private:
  struct Place {
    std::size_t benchmark;
    std::size_t run;
  };
  // File, benchmark, machine and number of a run.
  using Key = std::tuple<std::size_t, std::string, std::string, std::int64_t>;

  // As a rule the row is of the same run as the one before.
  const Place& PlaceOf(const CsvFile& file, const Columns& columns, const Row& row) {
    const absl::string_view name = file.Text(columns.benchmark, "x/y");
    const absl::string_view machine = file.Text(columns.machine, "");
    if (last_ != nullptr && std::get<3>(last_->first) == row.run &&
        std::get<1>(last_->first) == name && std::get<2>(last_->first) == machine) {
      return last_->second;
    }
    const auto [benchmark, new_benchmark] =
        benchmarks_.try_emplace(std::string(name), data_.benchmarks.size());
    if (new_benchmark) {
      BenchmarkPairs& added = data_.benchmarks.emplace_back();
      added.name = std::string(name);
      added.is_x_over_y = columns.is_x_over_y;
      added.interleaved = true;
      added.cpu_time = row.cpu_time;
    }
    BenchmarkPairs& pairs = data_.benchmarks[benchmark->second];
    const auto [place, new_run] = places_.try_emplace(
        Key{data_.files.size(), std::string(name), std::string(machine), row.run},
        Place{benchmark->second, pairs.runs.size()});
    if (new_run) {
      const auto of_machine = machines_.try_emplace(std::string(machine), machines_.size()).first;
      if (!pairs.runs.empty()) pairs.runs.back().shrink_to_fit();
      pairs.runs.emplace_back();
      RunOrigin& origin = pairs.origins.emplace_back();
      origin.file = data_.files.size() - 1;
      origin.number = row.run;
      origin.machine = static_cast<int>(of_machine->second);
      origin.line = file.line();
      origin.layout = row.layout;
      origin.start_s = row.start_s;
      origin.position_error = row.position_error;
      origin.taper = row.taper;
      std::copy_n(row.pause_share, 2, origin.pause_share);
    }
    last_ = &*place;
    return place->second;
  }

  absl::Status Store(const CsvFile& file, const Columns& columns, const Row& row) {
    const Place& place = PlaceOf(file, columns, row);
    BenchmarkPairs& benchmark = data_.benchmarks[place.benchmark];
    RunOrigin& origin = benchmark.origins[place.run];
    stats::RunPairs& run = benchmark.runs[place.run];
    if (row.cpu_time != benchmark.cpu_time) {
      return file.Error("CPU and real times of one benchmark have no common ratio");
    }
    if (row.layout != origin.layout) return file.Error("a second layout within the run");
    if ((row.flags & kSolo) != 0) return absl::OkStatus();
    benchmark.interleaved = benchmark.interleaved && row.cpus[0] == row.cpus[1];
    if (!row.has_times) {
      ++origin.without_time;
      return absl::OkStatus();
    }
    if ((row.flags & kDisturbed) != 0) {
      origin.disturbed.push_back({run.size(), row.pair, (row.flags & kOnCpuTime) != 0});
    } else {
      run.push_back(row.pair);
    }
    benchmark.measured_ns += row.measured_ns;
    ++benchmark.timed_pairs;
    for (int v = 0; v < 2; ++v) benchmark.iterations[v] += static_cast<double>(row.iterations[v]);
    return absl::OkStatus();
  }

  PairsData data_;
  std::map<std::string, std::size_t> benchmarks_;
  std::map<std::string, std::size_t> machines_;
  std::map<Key, Place> places_;
  const std::pair<const Key, Place>* last_ = nullptr;
};

// Runs of fewer than four pairs, or of equal pairs, may be equal by chance.
absl::Status CheckRunsDiffer(const PairsData& data) {
  using Times = std::vector<std::pair<double, double>>;
  for (const BenchmarkPairs& benchmark : data.benchmarks) {
    std::map<Times, std::size_t> known;
    for (std::size_t r = 0; r < benchmark.runs.size() && data.files.size() > 1; ++r) {
      Times times;
      for (const stats::Pair& pair : benchmark.runs[r]) {
        times.emplace_back(pair.old_time, pair.new_time);
      }
      if (times.size() < 4 || times == Times(times.size(), times[0])) continue;
      const auto [first, is_new] = known.emplace(std::move(times), r);
      const RunOrigin& a = benchmark.origins[first->second];
      const RunOrigin& b = benchmark.origins[r];
      if (is_new || a.file == b.file) continue;
      return absl::InvalidArgumentError(
          absl::StrCat(data.files[b.file], ":", b.line, ": run ", b.number, " of '", benchmark.name,
                       "' has the times of run ", a.number, " of ", data.files[a.file], ":", a.line,
                       ": a copy of a run is no further run; leave one of the files out"));
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<PairsData> ReadPairs(const std::vector<Input>& files) {
  Collector collector;
  for (const Input& file : files) {
    if (absl::Status status = collector.Add(file); !status.ok()) return status;
  }
  PairsData data = collector.Take();
  if (absl::Status status = CheckRunsDiffer(data); !status.ok()) return status;
  return data;
}

}  // namespace duetbench::duet_stat
