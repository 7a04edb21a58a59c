#include "tools/duet_stat/input/csv_header.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace duetbench::duet_stat {
namespace {

constexpr absl::string_view kTwoFiles =
    "the header once more: give files that belong together as several arguments, not as one file";

}  // namespace

absl::StatusOr<CsvHeader> CsvHeader::Read(CsvReader& reader) {
  const absl::StatusOr<bool> found = reader.Next();
  if (!found.ok()) return found.status();
  if (!*found) {
    return absl::InvalidArgumentError(absl::StrCat(reader.name(), ": the file is empty"));
  }
  CsvHeader header;
  for (const absl::string_view cell : reader.cells()) {
    header.names_.emplace_back(absl::StripAsciiWhitespace(cell));
  }
  return header;
}

int CsvHeader::Find(absl::string_view name) const {
  const auto it = std::find(names_.begin(), names_.end(), name);
  return it == names_.end() ? kAbsent : static_cast<int>(it - names_.begin());
}

bool CsvHeader::Has(std::initializer_list<absl::string_view> names) const {
  return std::all_of(names.begin(), names.end(),
                     [this](absl::string_view name) { return Find(name) != kAbsent; });
}

absl::Status CsvHeader::CheckUnique(const CsvReader& reader,
                                    std::initializer_list<absl::string_view> names) const {
  for (const absl::string_view name : names) {
    if (std::count(names_.begin(), names_.end(), name) > 1) {
      return reader.Error(absl::StrCat("the column '", name, "' is there twice"));
    }
  }
  return absl::OkStatus();
}

absl::Status CsvHeader::Missing(const CsvReader& reader,
                                std::initializer_list<absl::string_view> names,
                                absl::string_view wanted) const {
  std::vector<std::string> missing;
  for (const absl::string_view name : names) {
    if (Find(name) == kAbsent) missing.push_back(absl::StrCat("'", name, "'"));
  }
  const std::string there = absl::StrJoin(names_, ",");
  return reader.Error(absl::StrCat("no column ", absl::StrJoin(missing, ", "), "; ", wanted,
                                   "; the first line is '", Shown(there), "'"));
}

absl::Status CsvHeader::CheckRecord(const CsvReader& reader) const {
  const std::size_t count = reader.cells().size();
  if (count == names_.size()) return absl::OkStatus();
  return reader.Error(absl::StrCat(
      count, count == 1 ? " cell, but the header has " : " cells, but the header has ",
      names_.size(),
      count < names_.size() ? ": is the line cut off?" : ": a cell with a comma must be quoted"));
}

bool CsvHeader::IsRepeatedBy(const CsvReader& reader) const {
  return std::equal(names_.begin(), names_.end(), reader.cells().begin(), reader.cells().end(),
                    [](absl::string_view name, absl::string_view cell) {
                      return name == absl::StripAsciiWhitespace(cell);
                    });
}

absl::Status CsvHeader::CellError(const CsvReader& reader, int column,
                                  absl::string_view what) const {
  if (IsRepeatedBy(reader)) return reader.Error(kTwoFiles);
  return reader.Error(absl::StrCat(names_[static_cast<std::size_t>(column)], " ", what));
}

}  // namespace duetbench::duet_stat
