#include "duetbench/report/pairs_file.h"

#include <cerrno>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "duetbench/pairs_io/pairs_csv_writer.h"

namespace duetbench {
namespace {

absl::Status CannotWrite(const std::string& path) {
  return absl::UnavailableError(
      absl::StrCat("--duet_out: '", path, "' cannot be written: ", std::strerror(errno)));
}

}  // namespace

absl::Status PairsFile::Open(const std::string& path) {
  path_ = path;
  file_.open(path, std::ios::out | std::ios::trunc | std::ios::binary);
  file_ << PairsCsvHeader();
  file_.flush();
  return file_ ? absl::OkStatus() : CannotWrite(path);
}

absl::Status PairsFile::Append(const std::string& benchmark, const Comparison& comparison,
                               double ns_per_tick) {
  uint64_t& run = runs_[benchmark];
  std::string lines;
  for (const RunResult& result : comparison.results) {
    for (const PairRecord& pair : result.pairs) {
      PairsCsvRow row{};
      row.benchmark = benchmark;
      row.run = run;
      row.block = pair.block;
      row.iteration = pair.iteration;
      row.old_ns = pair.ticks[0] * ns_per_tick;
      row.new_ns = pair.ticks[1] * ns_per_tick;
      row.old_cpu = pair.cpus[0];
      row.new_cpu = pair.cpus[1];
      row.ops = pair.operations[0];
      row.flags = pair.flags;
      row.assignment = static_cast<int>(pair.assignment);
      AppendPairsCsvRow(row, &lines);
    }
    ++run;
  }
  file_ << lines;
  file_.flush();
  return file_ ? absl::OkStatus() : CannotWrite(path_);
}

}  // namespace duetbench
