#include "duetbench/google_benchmark/reports.h"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/google_benchmark/duets.h"

namespace duetbench {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

void Register(const std::string& name, bool fails = false) {
  benchmark::RegisterBenchmark(name.c_str(), [fails](benchmark::State& state) {
    if (fails) state.SkipWithError("no data");
    for (auto _ : state) {
    }
  })->Iterations(1);
}

class ReportsTest : public ::testing::Test {
 protected:
  ReportsTest() : path_(absl::StrCat(::testing::TempDir(), "/reports_test.", getpid())) {
    std::remove(path_.c_str());
  }
  ~ReportsTest() override {
    benchmark::ClearRegisteredBenchmarks();
    std::remove(path_.c_str());
  }

  // Does the work of a program: ordinary benchmarks, then duets.
  absl::Status Execute(const std::vector<std::string>& duets, const std::string& filter = "") {
    std::vector<DuetInstance> instances;
    for (const std::string& name : duets) instances.push_back(InstanceOf(name));
    Reports reports(flags_, options_, instances, &out_, &err_);
    const absl::StatusOr<size_t> ordinary = reports.RunOrdinary(filter);
    if (!ordinary.ok()) return ordinary.status();
    ordinary_ = *ordinary;
    if (!instances.empty()) {
      const absl::Status begun = reports.Begin();
      if (!begun.ok()) return begun;
    }
    for (const DuetInstance& instance : instances) {
      reports.Add(RowsOf(instance, FasterComparison()));
    }
    errors_ = reports.ordinary_errors();
    return reports.Finish();
  }

  std::string TextOfFile() const {
    std::ostringstream text;
    text << std::ifstream(path_).rdbuf();
    return text.str();
  }
  static std::vector<std::string> NamesOf(const std::string& text) {
    const json parsed = json::parse(text, nullptr, /*allow_exceptions=*/false);
    EXPECT_FALSE(parsed.is_discarded()) << text;
    std::vector<std::string> names;
    if (parsed.is_discarded()) return names;
    for (const json& row : parsed["benchmarks"]) names.push_back(row["name"]);
    return names;
  }
  static size_t CountOf(const std::string& part, const std::string& text) {
    size_t count = 0;
    for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
      ++count;
    }
    return count;
  }

  const std::string path_;
  Flags flags_;
  ReportsOptions options_;
  std::ostringstream out_;
  std::ostringstream err_;
  size_t ordinary_ = 0;
  int errors_ = 0;
};

// --- Any mix is one report ---

TEST_F(ReportsTest, OrdinaryBenchmarksAndDuetsShareADocument) {
  Register("BM_Apples");
  Register("BM_Pears");
  flags_.format = "json";
  ASSERT_TRUE(Execute({"a", "b"}).ok());
  EXPECT_THAT(NamesOf(out_.str()), ElementsAre("BM_Apples/iterations:1", "BM_Pears/iterations:1",
                                               "a/old", "a/new", "a", "b/old", "b/new", "b"));
  EXPECT_EQ(ordinary_, 2u);
}

TEST_F(ReportsTest, FamiliesOfDuetsAreNumberedAfterTheOthers) {
  Register("BM_Apples");
  Register("BM_Pears");
  flags_.format = "json";
  ASSERT_TRUE(Execute({"a"}).ok());
  const json rows = json::parse(out_.str())["benchmarks"];
  EXPECT_EQ(rows[1]["family_index"], 1);
  EXPECT_EQ(rows[4]["family_index"], 2);
}

TEST_F(ReportsTest, OrdinaryBenchmarksAlone) {
  Register("BM_Apples");
  flags_.format = "json";
  ASSERT_TRUE(Execute({}).ok());
  EXPECT_THAT(NamesOf(out_.str()), ElementsAre("BM_Apples/iterations:1"));
}

// --- Reporters of the user's own ---

class OwnReporter : public benchmark::BenchmarkReporter {
 public:
  explicit OwnReporter(bool accepts) : accepts_(accepts) {}
  bool ReportContext(const Context&) override { return accepts_; }
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) names.push_back(run.benchmark_name());
  }
  void Finalize() override { ++finalized; }

  std::vector<std::string> names;
  int finalized = 0;

 private:
  const bool accepts_;
};

TEST_F(ReportsTest, OwnReportersGetAllRows) {
  Register("BM_Apples");
  OwnReporter display(true);
  OwnReporter file(true);
  options_.own_display = &display;
  options_.own_file = &file;
  flags_.benchmark_out = path_;
  ASSERT_TRUE(Execute({"a"}).ok());
  for (const OwnReporter& own : {display, file}) {
    EXPECT_THAT(own.names, ElementsAre("BM_Apples/iterations:1", "a/old", "a/new", "a"));
    EXPECT_EQ(own.finalized, 1);
  }
  EXPECT_EQ(out_.str(), "");
}

TEST_F(ReportsTest, AnOwnReporterMayRefuseTheRows) {
  OwnReporter display(false);
  options_.own_display = &display;
  ASSERT_TRUE(Execute({"a"}).ok());
  EXPECT_THAT(display.names, IsEmpty());
}

TEST_F(ReportsTest, DuetsAlone) {
  for (const char* filter : {"", "nothing"}) {
    out_.str("");
    err_.str("");
    flags_.format = "json";
    ASSERT_TRUE(Execute({"a"}, filter).ok());
    EXPECT_THAT(NamesOf(out_.str()), ElementsAre("a/old", "a/new", "a"));
    EXPECT_EQ(ordinary_, 0u);
    EXPECT_THAT(err_.str(), IsEmpty()) << "that no ordinary benchmark matches is no news";
  }
}

TEST_F(ReportsTest, WithoutAnyBenchmarkNothingIsWritten) {
  Register("BM_Apples");
  flags_.format = "json";
  flags_.benchmark_out = path_;
  std::ofstream(path_) << "earlier";
  ASSERT_TRUE(Execute({}, "nothing").ok());
  EXPECT_THAT(out_.str(), IsEmpty());
  EXPECT_EQ(TextOfFile(), "earlier");
}

TEST_F(ReportsTest, TheTableHasOneHeaderAndRoomForAllNames) {
  Register("BM_Apples");
  options_.header = {"duetbench: where"};
  ASSERT_TRUE(Execute({"a_long_name_of_a_duet"}).ok());
  const std::string text = out_.str();
  EXPECT_EQ(CountOf("duetbench: where\n", text), 1u) << text;
  EXPECT_EQ(CountOf("\nBenchmark ", text), 1u) << text;
  EXPECT_EQ(CountOf("Run on (", err_.str()), 1u) << err_.str();
  EXPECT_THAT(text, HasSubstr("\nBM_Apples/iterations:1    "));
  EXPECT_THAT(text, HasSubstr("\na_long_name_of_a_duet/old         125 ns"));
}

TEST_F(ReportsTest, ADisplayMayShowNothing) {
  Register("BM_Apples");
  flags_.format = "";
  flags_.benchmark_out = path_;
  ASSERT_TRUE(Execute({"a"}).ok());
  EXPECT_THAT(out_.str(), IsEmpty());
  EXPECT_THAT(NamesOf(TextOfFile()), ElementsAre("BM_Apples/iterations:1", "a/old", "a/new", "a"));
}

// --- Files ---

TEST_F(ReportsTest, EveryFormatOfDisplayAndFile) {
  Register("BM_Apples");
  flags_.benchmark_out = path_;
  for (const char* format : {"console", "json", "csv"}) {
    for (const char* out_format : {"console", "json", "csv"}) {
      out_.str("");
      flags_.format = format;
      flags_.out_format = out_format;
      ASSERT_TRUE(Execute({"a"}).ok());
      for (const auto& [kind, text] :
           {std::pair<std::string, std::string>(format, out_.str()), {out_format, TextOfFile()}}) {
        EXPECT_THAT(text, HasSubstr("BM_Apples")) << kind;
        EXPECT_THAT(text, HasSubstr("a/old")) << kind;
        if (kind == "json") {
          EXPECT_THAT(NamesOf(text), ElementsAre("BM_Apples/iterations:1", "a/old", "a/new", "a"));
        }
        EXPECT_EQ(CountOf("name,iterations,", text), kind == "csv" ? 1u : 0u) << text;
      }
    }
  }
}

TEST_F(ReportsTest, AFileHasNoColorsAndNoEndOfTheTerminal) {
  flags_.color = "true";
  flags_.benchmark_out = path_;
  flags_.out_format = "console";
  ASSERT_TRUE(Execute({"a"}).ok());
  EXPECT_THAT(out_.str(), HasSubstr("\033["));
  EXPECT_THAT(TextOfFile(), Not(HasSubstr("\033[")));
  EXPECT_THAT(TextOfFile(), HasSubstr("[0.790, 0.810]  FASTER"));
}

TEST_F(ReportsTest, TheContextOfJsonTellsOfDuets) {
  flags_.format = "json";
  options_.json_context = {{"duet_seed", "7"}};
  for (int i = 0; i < 2; ++i) {  // a main may run the benchmarks more than once
    out_.str("");
    err_.str("");
    ASSERT_TRUE(Execute({"a"}).ok());
    EXPECT_EQ(json::parse(out_.str())["context"]["duet_seed"], "7");
    EXPECT_THAT(err_.str(), IsEmpty());
  }
}

TEST_F(ReportsTest, AFileThatCannotBeOpenedIsAnErrorBeforeAnythingRuns) {
  flags_.benchmark_out = "/nonexistent/report";
  absl::Status status = Execute({"a"});
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(std::string(status.message()),
            "--benchmark_out: cannot write to '/nonexistent/report': No such file or directory");
  bool ran = false;
  benchmark::RegisterBenchmark("BM_Apples", [&ran](benchmark::State& state) {
    ran = true;
    for (auto _ : state) {
    }
  })->Iterations(1);
  EXPECT_FALSE(Execute({}).ok());
  EXPECT_FALSE(ran);
  EXPECT_THAT(out_.str(), IsEmpty());
}

TEST_F(ReportsTest, AFileThatCannotBeFilledIsAnError) {
  flags_.benchmark_out = "/dev/full";
  const absl::Status status = Execute({"a"});
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(std::string(status.message()),
            "--benchmark_out: cannot write to '/dev/full': No space left on device");
}

// --- Errors ---

TEST_F(ReportsTest, OrdinaryErrorsAreCounted) {
  Register("BM_Fails", /*fails=*/true);
  Register("BM_Apples");
  flags_.benchmark_out = path_;
  ASSERT_TRUE(Execute({"a"}).ok());
  EXPECT_EQ(errors_, 1);
}

}  // namespace
}  // namespace duetbench
