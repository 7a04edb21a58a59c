#include "duetbench/pairs_io/pairs_csv_writer.h"

#include <charconv>

#include "absl/strings/str_cat.h"

namespace duetbench {
namespace {

void AppendNumber(double value, std::string* out) {
  char text[32];  // the longest double has 24 characters
  const std::to_chars_result result = std::to_chars(text, text + sizeof text, value);
  out->append(text, static_cast<std::size_t>(result.ptr - text));
}

bool NeedsQuotes(absl::string_view cell) {
  if (cell.empty()) return false;
  if (cell.find_first_of(",\"\r\n") != absl::string_view::npos) return true;
  return cell.front() == ' ' || cell.back() == ' ';
}

}  // namespace

std::string PairsCsvHeader() {
  return "benchmark,run,block,iteration,old_ns,new_ns,old_cpu,new_cpu,ops,flags,assignment\n";
}

void AppendPairsCsvRow(const PairsCsvRow& row, std::string* out) {
  AppendCsvCell(row.benchmark, out);
  absl::StrAppend(out, ",", row.run, ",", row.block, ",", row.iteration, ",");
  AppendNumber(row.old_ns, out);
  *out += ',';
  AppendNumber(row.new_ns, out);
  absl::StrAppend(out, ",", row.old_cpu, ",", row.new_cpu, ",");
  absl::StrAppend(out, row.ops, ",", row.flags, ",", row.assignment, "\n");
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

}  // namespace duetbench
