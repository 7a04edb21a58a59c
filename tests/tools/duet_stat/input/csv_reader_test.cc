#include "tools/duet_stat/input/csv_reader.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/tools/duet_stat/input/text_source.h"

namespace duetbench::duet_stat {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

using Record = std::vector<std::string>;

// Result of reading a text.
struct Outcome {
  std::vector<Record> records;
  std::vector<std::uint64_t> lines;
  std::string error;
  std::vector<std::string> notices;
};

Outcome ReadAll(const std::string& text, std::size_t chunk = 1 << 20) {
  CsvReader reader(TextSource(text, chunk), "a.csv");
  Outcome outcome;
  while (true) {
    const absl::StatusOr<bool> found = reader.Next();
    if (!found.ok()) {
      outcome.error = std::string(found.status().message());
      break;
    }
    if (!*found) break;
    outcome.records.emplace_back(reader.cells().begin(), reader.cells().end());
    outcome.lines.push_back(reader.line());
  }
  outcome.notices = EndNotices(reader);
  return outcome;
}

TEST(CsvReader, SplitsLinesAtCommas) {
  const Outcome outcome = ReadAll("a,b,c\n1,,3\n,\n");
  EXPECT_THAT(outcome.records,
              ElementsAre(Record{"a", "b", "c"}, Record{"1", "", "3"}, Record{"", ""}));
  EXPECT_THAT(outcome.lines, ElementsAre(1, 2, 3));
  EXPECT_EQ(outcome.error, "");
  EXPECT_THAT(outcome.notices, IsEmpty());
}

TEST(CsvReader, TakesWindowsLineEndsAndAByteOrderMark) {
  EXPECT_THAT(ReadAll("\xEF\xBB\xBFrun,x\r\n1,2\r\n").records,
              ElementsAre(Record{"run", "x"}, Record{"1", "2"}));
}

TEST(CsvReader, UnquotesCells) {
  const Outcome outcome = ReadAll(
      "\"BM<a, b>/1\",x\n"
      "\"say \"\"hi\"\"\",\"\"\n"
      "\"two\nlines\",y\r\n"
      "z,\"last\"\r\n");
  EXPECT_THAT(outcome.records, ElementsAre(Record{"BM<a, b>/1", "x"}, Record{"say \"hi\"", ""},
                                           Record{"two\nlines", "y"}, Record{"z", "last"}));
  EXPECT_THAT(outcome.lines, ElementsAre(1, 2, 3, 5));
  EXPECT_EQ(outcome.error, "");
}

TEST(CsvReader, ReadsTheSameWhateverTheBlocks) {
  const std::string text =
      "\xEF\xBB\xBF"
      "a,\"b,\"\"\nb\",c\r\n\r\n1,2,3\n\"\",\"\",\"x\"\n4,5,6";
  const Outcome whole = ReadAll(text);
  ASSERT_EQ(whole.records.size(), 4u);
  for (std::size_t chunk = 1; chunk < text.size(); ++chunk) {
    const Outcome parts = ReadAll(text, chunk);
    EXPECT_EQ(parts.records, whole.records) << chunk;
    EXPECT_EQ(parts.lines, whole.lines) << chunk;
    EXPECT_EQ(parts.notices, whole.notices) << chunk;
  }
}

TEST(CsvReader, ReadsMoreThanABlock) {
  std::string text;
  constexpr int kLines = 100000;
  for (int i = 0; i < kLines; ++i) text += std::to_string(i) + ",abcdefgh\n";
  const Outcome outcome = ReadAll(text, 65521);
  ASSERT_EQ(outcome.records.size(), static_cast<std::size_t>(kLines));
  for (int i = 0; i < kLines; ++i) {
    const auto at = static_cast<std::size_t>(i);
    ASSERT_EQ(outcome.records[at], (Record{std::to_string(i), "abcdefgh"}));
    ASSERT_EQ(outcome.lines[at], at + 1);
  }
}

TEST(CsvReader, CountsBlankLinesAndNoticesACutOffEnd) {
  const Outcome outcome = ReadAll("a,b\n\n\r\n1,2");
  EXPECT_THAT(outcome.records, ElementsAre(Record{"a", "b"}, Record{"1", "2"}));
  EXPECT_THAT(outcome.notices,
              ElementsAre("a.csv: 2 blank lines", StartsWith("a.csv:4: the file ends inside")));
}

TEST(CsvReader, AnEmptyInputHasNoRecords) {
  EXPECT_THAT(ReadAll("").records, IsEmpty());
  EXPECT_THAT(ReadAll("\n\n").records, IsEmpty());
}

TEST(CsvReader, RefusesWrongQuotes) {
  EXPECT_EQ(ReadAll("a\n1,\"b\"c\n").error, "a.csv:2: text behind the closing quote of a cell");
  EXPECT_THAT(ReadAll("a,b\"c\"\n").error,
              StartsWith("a.csv:1: a quote inside the cell 'b\\\"c\\\"'"));
  EXPECT_THAT(ReadAll("a\n\"b,c\nd\n").error,
              StartsWith("a.csv:2: a quote is opened but not closed"));
}

TEST(CsvReader, RefusesEndlessLines) {
  CsvReader zeros(EndlessSource("", [](std::size_t) { return std::string(1000, '\0'); }), "z");
  EXPECT_THAT(std::string(zeros.Next().status().message()),
              StartsWith("z:1: the line is longer than 128 KiB"));
  CsvReader quoted(EndlessSource("a\n\"b", [](std::size_t) { return "line\n"; }), "q");
  EXPECT_TRUE(quoted.Next().value());
  EXPECT_THAT(std::string(quoted.Next().status().message()),
              StartsWith("q:2: a quote that is opened here is not closed"));
}

TEST(CsvReader, ALineOfTheLongestLengthIsRead) {
  const std::string longest(CsvReader::kMaxRecordBytes - 1, 'x');
  EXPECT_THAT(ReadAll(longest + "\n").records, ElementsAre(Record{longest}));
  EXPECT_THAT(ReadAll(longest + "xx\n").error, HasSubstr("longer than"));
}

TEST(CsvReader, PassesOnWhatTheSourceReports) {
  int calls = 0;
  const ByteSource source = [&](char* buffer, std::size_t) -> absl::StatusOr<std::size_t> {
    if (calls++ > 0) return absl::UnavailableError("cannot read a.csv: the disk is gone");
    buffer[0] = 'a';
    return std::size_t{1};
  };
  CsvReader reader(source, "a.csv");
  EXPECT_EQ(reader.Next().status(), absl::UnavailableError("cannot read a.csv: the disk is gone"));
}

TEST(Shown, EscapesAndCuts) {
  EXPECT_EQ(Shown("plain"), "plain");
  EXPECT_EQ(Shown(std::string("\x1b[2J\0", 5)), "\\x1b[2J\\x00");
  EXPECT_EQ(Shown(std::string(50, 'x')), std::string(40, 'x') + "...");
}

}  // namespace
}  // namespace duetbench::duet_stat
