#include "tools/duet_stat/input/csv_reader.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"

namespace duetbench::duet_stat {
namespace {

constexpr std::size_t kBlock = 256 << 10;
static_assert(kBlock > CsvReader::kMaxRecordBytes, "a block holds the longest record");
constexpr char kByteOrderMark[] = "\xEF\xBB\xBF";

}  // namespace

std::string Shown(absl::string_view text) {
  constexpr std::size_t kMaxShown = 40;
  const bool cut = text.size() > kMaxShown;
  return absl::StrCat(absl::CHexEscape(text.substr(0, kMaxShown)), cut ? "..." : "");
}

CsvReader::CsvReader(ByteSource source, std::string name)
    : source_(std::move(source)), name_(std::move(name)), buffer_(kBlock) {}

absl::Status CsvReader::Error(absl::string_view what) const {
  return absl::InvalidArgumentError(absl::StrCat(name_, ":", line_, ": ", what));
}

absl::StatusOr<bool> CsvReader::Refill() {
  if (at_end_) return false;
  std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
  end_ -= begin_;
  begin_ = 0;
  const absl::StatusOr<std::size_t> count = source_(buffer_.data() + end_, buffer_.size() - end_);
  if (!count.ok()) return count.status();
  end_ += *count;
  at_end_ = *count == 0;
  return !at_end_;
}

absl::StatusOr<bool> CsvReader::NextRecord(absl::string_view* record) {
  std::size_t searched = 0;  // bytes behind begin_ in which no end of the record is
  bool in_quotes = false;
  line_ = next_line_;
  while (true) {
    const char* const from = buffer_.data() + begin_ + searched;
    const std::size_t size = end_ - begin_ - searched;
    const auto* const line_end = static_cast<const char*>(std::memchr(from, '\n', size));
    if (line_end != nullptr) {
      const auto length = static_cast<std::size_t>(line_end - from);
      if (std::memchr(from, '"', length) != nullptr) {
        in_quotes ^= std::count(from, line_end, '"') % 2 != 0;
      }
      ++next_line_;
      searched += length + 1;
      if (in_quotes) continue;
      if (searched > kMaxRecordBytes) break;
      *record = absl::string_view(buffer_.data() + begin_, searched - 1);
      begin_ += searched;
      return true;
    }
    if (end_ - begin_ > kMaxRecordBytes) break;
    const absl::StatusOr<bool> more = Refill();
    if (!more.ok()) return more.status();
    if (*more) continue;
    if (begin_ == end_) return false;
    // The last line has no end. A quote that it leaves open is found when it is split.
    ends_inside_line_ = true;
    *record = absl::string_view(buffer_.data() + begin_, end_ - begin_);
    begin_ = end_;
    return true;
  }
  return Error(in_quotes ? "a quote that is opened here is not closed within 128 KiB"
                         : "the line is longer than 128 KiB: not a CSV file?");
}

void CsvReader::Split(absl::string_view record) {
  const char* cell = record.data();
  const char* const end = cell + record.size();
  for (const char* at = cell; at != end; ++at) {
    if (*at != ',') continue;
    cells_.emplace_back(cell, static_cast<std::size_t>(at - cell));
    cell = at + 1;
  }
  cells_.emplace_back(cell, static_cast<std::size_t>(end - cell));
}

absl::Status CsvReader::SplitQuoted(absl::string_view record) {
  unquoted_.clear();
  unquoted_.reserve(record.size());  // cells_ points into it
  while (true) {
    if (!absl::ConsumePrefix(&record, "\"")) {
      const std::size_t length = std::min(record.find(','), record.size());
      const absl::string_view cell = record.substr(0, length);
      if (absl::StrContains(cell, '"')) {
        return Error(absl::StrCat("a quote inside the cell '", Shown(cell),
                                  "': the whole cell must be quoted, and quotes in it doubled"));
      }
      cells_.push_back(cell);
      record.remove_prefix(length);
    } else {
      const std::size_t start = unquoted_.size();
      while (true) {
        const std::size_t quote = record.find('"');
        if (quote == absl::string_view::npos) {
          return Error("a quote is opened but not closed: is the file cut off?");
        }
        unquoted_.append(record.data(), quote);
        record.remove_prefix(quote + 1);
        if (!absl::ConsumePrefix(&record, "\"")) break;
        unquoted_ += '"';
      }
      cells_.emplace_back(unquoted_.data() + start, unquoted_.size() - start);
      if (!record.empty() && record[0] != ',') {
        return Error("text behind the closing quote of a cell");
      }
    }
    if (record.empty()) return absl::OkStatus();
    record.remove_prefix(1);  // the comma, behind which there is another cell
  }
}

absl::StatusOr<bool> CsvReader::Next() {
  absl::string_view record;
  while (true) {
    absl::StatusOr<bool> found = NextRecord(&record);
    if (!found.ok() || !*found) return found;
    if (line_ == 1) absl::ConsumePrefix(&record, kByteOrderMark);
    absl::ConsumeSuffix(&record, "\r");
    if (!record.empty()) break;
    ++blank_lines_;
  }
  cells_.clear();
  if (std::memchr(record.data(), '"', record.size()) == nullptr) {
    Split(record);
  } else if (absl::Status status = SplitQuoted(record); !status.ok()) {
    return status;
  }
  return true;
}

std::vector<std::string> EndNotices(const CsvReader& reader) {
  std::vector<std::string> notices;
  if (reader.blank_lines() > 0) {
    notices.push_back(absl::StrCat(reader.name(), ": ", reader.blank_lines(),
                                   reader.blank_lines() == 1 ? " blank line" : " blank lines"));
  }
  if (reader.ends_inside_line()) {
    notices.push_back(absl::StrCat(reader.name(), ":", reader.line(),
                                   ": the file ends inside its last line, which was used: is it "
                                   "cut off?"));
  }
  return notices;
}

}  // namespace duetbench::duet_stat
