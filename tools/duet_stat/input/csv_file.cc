#include "tools/duet_stat/input/csv_file.h"

#include <algorithm>
#include <cstddef>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"

namespace duetbench::duet_stat {
namespace {

constexpr std::size_t kMaxRecordBytes = 128 << 10;

std::string Shown(absl::string_view text) {
  constexpr std::size_t kMaxShown = 40;
  return absl::StrCat(absl::CHexEscape(text.substr(0, kMaxShown)),
                      text.size() > kMaxShown ? "..." : "");
}

}  // namespace

absl::StatusOr<CsvFile> CsvFile::Open(const Input& input) {
  CsvFile file;
  file.name_ = input.name;
  file.stream_ = input.stream;
  absl::string_view header = input.first_line;
  absl::ConsumePrefix(&header, "\xEF\xBB\xBF");  // a byte order mark
  if (header.size() > kMaxRecordBytes) return file.Error("the line is too long: not a CSV file?");
  if (absl::StripAsciiWhitespace(header).empty()) return file.Error("the file has no header");
  for (const absl::string_view name : absl::StrSplit(header, ',')) {
    const absl::string_view stripped = absl::StripAsciiWhitespace(name);
    if (!stripped.empty() && file.Find(stripped) != kAbsent) {
      return file.Error(absl::StrCat("the column '", stripped, "' is there twice"));
    }
    file.names_.emplace_back(stripped);
  }
  return file;
}

int CsvFile::Find(absl::string_view name) const {
  const auto it = std::find(names_.begin(), names_.end(), name);
  return it == names_.end() ? kAbsent : static_cast<int>(it - names_.begin());
}

absl::Status CsvFile::Require(const std::vector<std::string>& names,
                              absl::string_view wanted) const {
  std::vector<std::string> missing;
  for (const std::string& name : names) {
    if (Find(name) == kAbsent) missing.push_back(absl::StrCat("'", name, "'"));
  }
  if (missing.empty()) return absl::OkStatus();
  return Error(absl::StrCat("no column ", absl::StrJoin(missing, ", "), "; ", wanted,
                            "; the first line is '", Shown(absl::StrJoin(names_, ",")), "'"));
}

absl::StatusOr<bool> CsvFile::Next() {
  do {
    line_ = next_line_++;
    if (!std::getline(*stream_, text_)) {
      if (stream_->bad()) return Error("the file cannot be read");
      return false;
    }
  } while (absl::StripAsciiWhitespace(text_).empty());
  for (std::string more; std::count(text_.begin(), text_.end(), '"') % 2 != 0; ++next_line_) {
    if (text_.size() > kMaxRecordBytes || !std::getline(*stream_, more)) {
      return Error("a quote that is opened here is not closed");
    }
    absl::StrAppend(&text_, "\n", more);
  }
  ends_inside_line_ = stream_->eof();
  Split();
  if (cells_.size() == names_.size()) return true;
  return Error(absl::StrCat(cells_.size(), " cells, but the header has ", names_.size(),
                            cells_.size() < names_.size()
                                ? ": is the line cut off?"
                                : ": a cell with a comma must be quoted"));
}

// Takes quotes away in place: a cell only becomes shorter.
void CsvFile::Split() {
  cells_.clear();
  if (!text_.empty() && text_.back() == '\r') text_.pop_back();
  char* out = &text_[0];
  const char* in = out;
  const char* const end = in + text_.size();
  while (true) {
    char* const begin = out;
    bool in_quotes = false;
    for (; in != end && (in_quotes || *in != ','); ++in) {
      if (*in != '"') {
        *out++ = *in;
      } else if (in_quotes && in + 1 != end && in[1] == '"') {
        *out++ = *in++;
      } else {
        in_quotes = !in_quotes;
      }
    }
    cells_.emplace_back(begin, static_cast<std::size_t>(out - begin));
    if (in++ == end) return;
  }
}

absl::string_view CsvFile::Text(int column, absl::string_view otherwise) const {
  return column == kAbsent ? otherwise : cells_[static_cast<std::size_t>(column)];
}

absl::Status CsvFile::Read(int column, double least, double most, double* value) const {
  if (column == kAbsent) return absl::OkStatus();
  if (absl::SimpleAtod(Text(column, ""), value) && *value >= least && *value <= most) {
    return absl::OkStatus();
  }
  return CellError(column, absl::StrCat("a number from ", least, " to ", most));
}

absl::Status CsvFile::Read(int column, std::int64_t least, std::int64_t most,
                           std::int64_t* value) const {
  if (column == kAbsent) return absl::OkStatus();
  if (absl::SimpleAtoi(Text(column, ""), value) && *value >= least && *value <= most) {
    return absl::OkStatus();
  }
  return CellError(column, absl::StrCat("a whole number from ", least, " to ", most));
}

absl::Status CsvFile::CellError(int column, absl::string_view wanted) const {
  const std::string& name = names_[static_cast<std::size_t>(column)];
  if (Text(column, "") == name) {
    return Error("the header once more: give several files as several arguments, not as one file");
  }
  return Error(absl::StrCat(name, " is '", Shown(Text(column, "")), "': it should be ", wanted));
}

absl::Status CsvFile::Error(absl::string_view what) const {
  return absl::InvalidArgumentError(absl::StrCat(name_, ":", line_, ": ", what));
}

}  // namespace duetbench::duet_stat
