#include "tools/duet_stat/input/report_json.h"

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/tools/duet_stat/input/text_source.h"

namespace duetbench::duet_stat {
namespace {

using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::Pair;

constexpr char kReport[] = R"({
  "context": {"duet_margin": "0.02", "num_cpus": 2},
  "benchmarks": [
    {"name": "BM_Plain", "run_name": "BM_Plain", "run_type": "iteration", "real_time": 5},
    {"name": "A/old", "run_name": "A/old", "run_type": "iteration", "repetition_index": 0,
     "real_time": 2.5, "time_unit": "us", "bytes": 7, "INSTRUCTIONS": 100},
    {"name": "A/new", "run_name": "A/new", "run_type": "iteration", "repetition_index": 0,
     "real_time": 5, "time_unit": "us", "bytes": 8},
    {"name": "A", "run_name": "A", "run_type": "iteration", "repetition_index": 0,
     "ratio": 2, "ratio_lo": 1.9, "ratio_level": 0.99, "runs": 10, "pairs": 1000,
     "pairs_dropped": 3, "label": "SLOWER", "gate": -1, "gate_p": 1e-6, "gate_hi": 1.05,
     "gate.ALLOCATIONS": 1, "gate_p.ALLOCATIONS": 1, "perf.INSTRUCTIONS.old": 99,
     "perf.INSTRUCTIONS.new": 198, "perf.INSTRUCTIONS.ratio": 2},
    {"name": "B", "run_name": "B", "run_type": "iteration", "error_occurred": true,
     "error_message": "new threw"}]})";

absl::StatusOr<Report> Read(const std::string& text) {
  return ReadReportJson(TextSource(text, 7), "r.json", 1 << 20);
}

TEST(ReadReportJson, FindsDuetsWithTheirSides) {
  const absl::StatusOr<Report> report = Read(kReport);
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_THAT(report->context,
              ElementsAre(std::pair("duet_margin", "0.02"), std::pair("num_cpus", "2")));
  ASSERT_EQ(report->duets.size(), 2u);
  const DuetFacts& duet = report->duets[0];
  EXPECT_EQ(duet.name, "A");
  EXPECT_EQ(duet.numbers.at("ratio"), 2);
  EXPECT_EQ(duet.numbers.at("gate_p.ALLOCATIONS"), 1);
  EXPECT_EQ(duet.verdict, stats::Verdict::kSlower);
  EXPECT_EQ(duet.time_ns[0], 2500);
  EXPECT_EQ(duet.time_ns[1], 5000);
  EXPECT_THAT(duet.counters[0], ElementsAre(Pair("INSTRUCTIONS", 100), Pair("bytes", 7)));
  EXPECT_THAT(duet.counters[1], ElementsAre(Pair("bytes", 8)));
  EXPECT_EQ(report->duets[1].error, "new threw");
}

TEST(ReadReportJson, TakesPooledRowsWhereThereAreNoOthers) {
  const absl::StatusOr<Report> report = Read(R"({"context": {}, "benchmarks": [
      {"name": "A_mean", "run_name": "A", "run_type": "aggregate", "aggregate_name": "mean", "ratio": 3},
      {"name": "A_pooled", "run_name": "A", "run_type": "aggregate", "aggregate_name": "pooled",
       "ratio": 1, "ratio_lo": 0.99, "ratio_hi": 1.01, "ratio_level": 0.99, "label": "EQUAL"}]})");
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_THAT(report->duets, ElementsAre(Field(&DuetFacts::name, "A_pooled")));
}

TEST(ReadReportJson, SaysWhatIsWrong) {
  const auto message = [](const std::string& text) {
    return std::string(Read(text).status().message());
  };
  EXPECT_THAT(message(std::string(kReport).substr(0, 300)),
              HasSubstr("r.json: begins like JSON, but is not"));
  EXPECT_THAT(message("{}"), HasSubstr("--benchmark_out=FILE"));
  EXPECT_THAT(message(R"({"context": 1, "benchmarks": []})"), HasSubstr("no report"));
  EXPECT_THAT(message(R"({"context": {}, "benchmarks": [1, {"name": "a"}]})"),
              HasSubstr("has no duets"));
  EXPECT_EQ(ReadReportJson(TextSource(kReport), "r.json", 100).status().code(),
            absl::StatusCode::kResourceExhausted);
}

// Rows that other programs may have changed.
TEST(ReadReportJson, IgnoresRowsWithoutAUsableRatio) {
  for (const char* change : {R"("ratio": 0)", R"("ratio": "2")", R"("ratio_lo": 3, "ratio_hi": 2)",
                             R"("ratio_level": 99)", R"("label": "FASTEST")"}) {
    const std::string row = absl::StrCat(
        R"({"context": {}, "benchmarks": [{"name": "A", "run_type": "iteration", "run_name": "A",
            "ratio": 2, "ratio_lo": 1, "ratio_hi": 3, "ratio_level": 0.9, "label": "SLOWER", )",
        change, "}]}");
    EXPECT_FALSE(Read(row).ok()) << change;
  }
}

TEST(BeginsLikeJson, LeavesTheBytesWhereTheyAre) {
  const struct {
    std::string text;
    bool is_json;
  } cases[] = {{"  \n{}", true}, {"run,x,y\n", false}, {"", false}, {"   ", false}, {"{", true}};
  for (const auto& [text, is_json] : cases) {
    for (const std::size_t chunk : {1, 3, 100}) {
      ByteSource source = TextSource(text, chunk);
      const absl::StatusOr<bool> answer = BeginsLikeJson(&source);
      ASSERT_TRUE(answer.ok());
      EXPECT_EQ(*answer, is_json) << text;
      std::string read;
      char buffer[2];
      while (const std::size_t count = *source(buffer, 2)) read.append(buffer, count);
      EXPECT_EQ(read, text);
    }
  }
}

// A report with one duet and that suite.
absl::StatusOr<Report> ReadSuite(const std::string& suite) {
  return Read(absl::StrCat(R"({"context": {}, "benchmarks": [{"name": "A", "run_name": "A",
      "run_type": "iteration", "error_occurred": true}], "duet_suite": )",
                           suite, "}"));
}

TEST(ReadReportJson, HasTheFastestOfGroups) {
  const absl::StatusOr<Report> report =
      ReadSuite(R"({"groups": [{"last_duet": "A", "sentence": "fastest: b"}]})");
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_THAT(report->rankings, ElementsAre(Pair("A", "fastest: b")));
}

}  // namespace
}  // namespace duetbench::duet_stat
