#include "duetbench/report/pairs_file.h"

#include <charconv>
#include <cstddef>
#include <utility>

#include "absl/strings/str_cat.h"

namespace duetbench {
namespace {

void AppendNumber(double number, std::string* out) {
  char text[32];  // the longest double has 24 characters
  const std::to_chars_result result = std::to_chars(text, text + sizeof text, number);
  *out += ',';
  out->append(text, static_cast<std::size_t>(result.ptr - text));
}

bool NeedsQuotes(absl::string_view cell) {
  if (cell.empty()) return false;
  if (cell.find_first_of(",\"\r\n") != absl::string_view::npos) return true;
  return cell.front() == ' ' || cell.back() == ' ';
}

}  // namespace

std::string PairsCsvHeader() {
  return "benchmark,run,block,iteration,old_ns,new_ns,old_cpu,new_cpu,ops,flags,assignment,"
         "new_ops,old_cpu_ns,new_cpu_ns,clock,layout,start_s,"
         "old_probe_ns,new_probe_ns,old_pause_share,new_pause_share,position_error,taper\n";
}

std::string PairsCsvRows(absl::string_view benchmark, uint64_t first_run, const Comparison& result,
                         double ns_per_tick) {
  std::string rows;
  uint64_t run = first_run;
  for (const RunResult& each : result.results) {
    for (const PairRecord& pair : each.pairs) {
      AppendCsvCell(benchmark, &rows);
      absl::StrAppend(&rows, ",", run, ",", pair.block, ",", pair.pair_index);
      for (const double ticks : pair.ticks) AppendNumber(ticks * ns_per_tick, &rows);
      absl::StrAppend(&rows, ",", pair.cpus[0], ",", pair.cpus[1], ",", pair.iterations[0], ",",
                      pair.flags, ",", pair.assignment, ",", pair.iterations[1]);
      for (const double cpu_ns : pair.cpu_ns) AppendNumber(cpu_ns, &rows);
      absl::StrAppend(&rows, result.cpu_time ? ",cpu," : ",real,", each.layout);
      AppendNumber(each.start_s, &rows);
      for (const double ticks : pair.probe_ticks) AppendNumber(ticks * ns_per_tick, &rows);
      for (const double share : each.pause_share) AppendNumber(share, &rows);
      AppendNumber(result.position_error, &rows);
      AppendNumber(result.taper, &rows);
      rows += '\n';
    }
    ++run;
  }
  return rows;
}

void AppendCsvCell(absl::string_view cell, std::string* out) {
  if (!NeedsQuotes(cell)) {
    absl::StrAppend(out, cell);
    return;
  }
  *out += '"';
  for (const char c : cell) {
    if (c == '"') *out += '"';
    *out += c;
  }
  *out += '"';
}

absl::Status PairsFile::Open(const std::string& path) {
  if (path.empty() || file_ != nullptr) return absl::OkStatus();
  absl::StatusOr<std::unique_ptr<OutputFile>> file = OutputFile::Open("--duet_out", path);
  if (!file.ok()) return file.status();
  file_ = *std::move(file);
  return absl::OkStatus();
}

void PairsFile::Append(const std::string& benchmark, const Comparison& result, double ns_per_tick) {
  if (file_ == nullptr) return;
  std::string text = runs_.empty() ? PairsCsvHeader() : "";
  uint64_t& run = runs_[benchmark];
  text += PairsCsvRows(benchmark, run, result, ns_per_tick);
  run += result.results.size();
  file_->Append(text).IgnoreError();  // Commit has it
}

absl::Status PairsFile::Commit() { return file_ != nullptr ? file_->Commit() : absl::OkStatus(); }

}  // namespace duetbench
