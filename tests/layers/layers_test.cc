#include "tests/layers/layers.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace duetbench {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

std::vector<SourceFile> ReadTree() {
  namespace fs = std::filesystem;
  const fs::path top(DUETBENCH_SOURCE_DIR);
  std::vector<SourceFile> files;
  for (const char* folder : {"duetbench", "samples", "tests", "tools"}) {
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(top / folder)) {
      const std::string ending = entry.path().extension().string();
      if (!entry.is_regular_file()) continue;
      if (ending != ".h" && ending != ".cc" && entry.path().filename() != "CMakeLists.txt")
        continue;
      std::ifstream file(entry.path(), std::ios::binary);
      files.push_back({entry.path().lexically_relative(top).generic_string(),
                       {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()}});
    }
  }
  return files;
}

SourceFile Header(const std::string& path, const std::string& guard, const std::string& body) {
  return {path, absl::StrCat("#ifndef ", guard, "\n#define ", guard, "\n\n", body, "\n#endif  // ",
                             guard, "\n")};
}

// A small tree in which all is well.
std::vector<SourceFile> SmallTree() {
  const std::string in_stats = "\nnamespace duetbench::stats {\n}\n";
  return {
      Header("duetbench/duetbench.h", "DUETBENCH_DUETBENCH_H_",
             "#include \"duetbench/registry/macros.h\"\n"),
      Header("duetbench/platform/ticks.h", "DUETBENCH_PLATFORM_TICKS_H_", "#include <ctime>\n"),
      {"duetbench/platform/ticks.cc",
       "#include \"duetbench/platform/ticks.h\"\n\n#include <thread>\n"},
      {"duetbench/platform/CMakeLists.txt", "duetbench_layer(platform SOURCES\n    ticks.cc)\n"},
      Header("duetbench/stats/pairs.h", "DUETBENCH_STATS_PAIRS_H_", in_stats),
      Header("duetbench/registry/macros.h", "DUETBENCH_REGISTRY_MACROS_H_",
             "#include <duetbench/platform/ticks.h>\n#include \"absl/status/status.h\"\n"),
      {"samples/maps.cc", "#include <duetbench/duetbench.h>\n"},
      {"samples/CMakeLists.txt", "duetbench_sample(maps SOURCES maps.cc)\n"},
      {"tests/stats/pairs_test.cc",
       "#include \"duetbench/stats/pairs.h\"\n#include \"gtest/gtest.h\"\n"},
      {"tests/stats/CMakeLists.txt", "duetbench_test(stats_test SOURCES pairs_test.cc)\n"},
  };
}

// The small tree with one more file, or with one replaced.
std::vector<std::string> ViolationsWith(const SourceFile& planted) {
  std::vector<SourceFile> files = SmallTree();
  for (SourceFile& file : files) {
    if (file.path == planted.path) {
      file = planted;
      return LayerViolations(files);
    }
  }
  files.push_back(planted);
  return LayerViolations(files);
}

TEST(Layers, OfThisTreeAreKept) { EXPECT_THAT(LayerViolations(ReadTree()), IsEmpty()); }

// The test above reads what it should: a violation planted into what it read is found.
TEST(Layers, AnIncludePlantedIntoThisTreeIsFound) {
  std::vector<SourceFile> files = ReadTree();
  bool planted = false;
  for (SourceFile& file : files) {
    if (file.path != "duetbench/platform/ticks.cc") continue;
    file.text += "#include \"duetbench/runner/side.h\"\n";
    planted = true;
  }
  ASSERT_TRUE(planted);
  EXPECT_THAT(LayerViolations(files),
              ElementsAre(AllOf(StartsWith("duetbench/platform/ticks.cc:"),
                                HasSubstr("is in platform and includes duetbench/runner/side.h"))));
}

TEST(Layers, OfTheSmallTreeAreKept) { EXPECT_THAT(LayerViolations(SmallTree()), IsEmpty()); }

TEST(Layers, IncludesGoDownward) {
  const std::string guard = "DUETBENCH_STATS_PAIRS_H_";
  EXPECT_THAT(ViolationsWith(Header("duetbench/stats/pairs.h", guard,
                                    "#include \"duetbench/platform/ticks.h\"\n"
                                    "namespace duetbench::stats {\n}\n")),
              ElementsAre("duetbench/stats/pairs.h:4: is in stats and includes "
                          "duetbench/platform/ticks.h; below it are: none"));
  EXPECT_THAT(ViolationsWith({"duetbench/platform/ticks.cc",
                              "#include \"duetbench/platform/ticks.h\"\n"
                              "  #  include <duetbench/registry/macros.h>  // upward\n"}),
              ElementsAre(HasSubstr("ticks.cc:2: is in platform and includes")));
  EXPECT_THAT(ViolationsWith({"duetbench/platform/ticks.cc",
                              "#include \"duetbench/platform/ticks.h\"\n"
                              "#include \"duetbench/duetbench.h\"\n"}),
              ElementsAre(HasSubstr("is in platform and includes duetbench/duetbench.h")));
}

TEST(Layers, TheLibraryIncludesNeitherTestsNorToolsNorGoogleTest) {
  const auto ticks = [](const std::string& include) {
    return SourceFile{"duetbench/platform/ticks.cc",
                      absl::StrCat("#include \"duetbench/platform/ticks.h\"\n", include, "\n")};
  };
  EXPECT_THAT(ViolationsWith(ticks("#include \"samples/maps.cc\"")),
              ElementsAre(HasSubstr("belongs to the library and includes samples/maps.cc")));
  EXPECT_THAT(ViolationsWith(ticks("#include \"gtest/gtest.h\"")),
              ElementsAre(HasSubstr("is in platform and includes gtest/gtest.h")));
  EXPECT_THAT(ViolationsWith(ticks("#include <gmock/gmock.h>")),
              ElementsAre(HasSubstr("is in platform and includes gmock/gmock.h")));
}

TEST(Layers, WhatOnlyLinuxHasStandsBehindAStandIn) {
  const auto ticks = [](const std::string& text) {
    return SourceFile{"duetbench/platform/ticks.cc",
                      absl::StrCat("#include \"duetbench/platform/ticks.h\"\n", text)};
  };
  for (const char* header : {"linux/futex.h", "sched.h", "sys/prctl.h"}) {
    const std::string include = absl::StrCat("#include <", header, ">\n");
    EXPECT_THAT(
        ViolationsWith(ticks(include)),
        ElementsAre(HasSubstr(absl::StrCat("includes ", header, ", which only Linux has"))));
    EXPECT_THAT(ViolationsWith(ticks("#if !DUETBENCH_STAND_INS\n" + include + "#endif\n")),
                IsEmpty());
  }
}

TEST(Layers, SamplesAndToolsIncludeWhatTheyMay) {
  EXPECT_THAT(ViolationsWith({"samples/maps.cc", "#include \"duetbench/stats/pairs.h\"\n"}),
              ElementsAre(HasSubstr("users include duetbench/duetbench.h")));
  EXPECT_THAT(ViolationsWith(Header("tools/lab/x.h", "DUETBENCH_TOOLS_LAB_X_H_",
                                    "#include \"tests/stats/pairs_test.cc\"\n")),
              ElementsAre(HasSubstr("is a tool and includes tests/stats/pairs_test.cc")));
}

TEST(Layers, IncludesGiveTheWholePathOfAFileThatExists) {
  const std::string own = "#include \"duetbench/platform/ticks.h\"\n";
  EXPECT_THAT(ViolationsWith({"duetbench/platform/ticks.cc", own + "#include \"pages.h\"\n"}),
              ElementsAre(HasSubstr("ticks.cc:2: includes \"pages.h\" without its path")));
  EXPECT_THAT(ViolationsWith({"duetbench/platform/ticks.cc",
                              own + "#include \"duetbench/platform/pairs.h\"\n"}),
              ElementsAre(HasSubstr("includes duetbench/platform/pairs.h, which does not exist")));
}

TEST(Layers, StatsIsPure) {
  for (const char* header : {"thread", "chrono", "fstream", "sys/mman.h", "unistd.h"}) {
    EXPECT_THAT(ViolationsWith(Header(
                    "duetbench/stats/pairs.h", "DUETBENCH_STATS_PAIRS_H_",
                    absl::StrCat("#include <", header, ">\nnamespace duetbench::stats {\n}\n"))),
                ElementsAre(AllOf(HasSubstr("which is pure"), HasSubstr(header))));
  }
}

TEST(Layers, AFileInTheWrongFolderIsFound) {
  EXPECT_THAT(ViolationsWith(Header("duetbench/pages.h", "DUETBENCH_PAGES_H_", "")),
              ElementsAre("duetbench/pages.h: lies in no layer of the library"));
  EXPECT_THAT(ViolationsWith(Header("duetbench/util/pages.h", "DUETBENCH_UTIL_PAGES_H_", "")),
              ElementsAre("duetbench/util/pages.h: lies in no layer of the library"));
  // Moved, its guard not.
  EXPECT_THAT(ViolationsWith(Header("duetbench/runner/state.h", "DUETBENCH_STATE_H_", "")),
              ElementsAre("duetbench/runner/state.h: should have the include guard "
                          "DUETBENCH_RUNNER_STATE_H_"));
  // Of stats, or not of stats.
  EXPECT_THAT(ViolationsWith(Header("duetbench/runner/mean.h", "DUETBENCH_RUNNER_MEAN_H_",
                                    "namespace duetbench::stats {\n}\n")),
              ElementsAre(HasSubstr("has the namespace of stats, but is not there")));
  EXPECT_THAT(ViolationsWith(Header("duetbench/stats/pairs.h", "DUETBENCH_STATS_PAIRS_H_",
                                    "namespace duetbench {\n}\n")),
              ElementsAre(HasSubstr("is in stats, but its namespace is not")));
  // A source without its header, and not built.
  EXPECT_THAT(ViolationsWith({"duetbench/runner/pairs.cc", ""}),
              ElementsAre(HasSubstr("is not in duetbench/runner/CMakeLists.txt"),
                          HasSubstr("does not lie beside its header, duetbench/stats/pairs.h")));
}

TEST(Layers, AFileMovedAwayFromItsTestsIsFound) {
  EXPECT_THAT(ViolationsWith({"tests/runner/pairs_test.cc", ""}),
              ElementsAre("tests/runner/pairs_test.cc: tests pairs, which lies in stats"));
  // A test of several things has a name of its own.
  EXPECT_THAT(ViolationsWith({"tests/runner/run_failure_test.cc", ""}), IsEmpty());
}

TEST(Layers, LibrariesAreMetWhereTheyBelong) {
  const auto header = [](const std::string& layer, const std::string& include) {
    return ViolationsWith(
        Header(absl::StrCat("duetbench/", layer, "/x.h"),
               absl::StrCat("DUETBENCH_", absl::AsciiStrToUpper(layer), "_X_H_"),
               absl::StrCat("#include <", include, ">\n",
                            layer == "stats" ? "namespace duetbench::stats {\n}\n" : "")));
  };
  EXPECT_THAT(header("stats", "boost/math/distributions/normal.hpp"), IsEmpty());
  EXPECT_THAT(header("runner", "boost/math/distributions/normal.hpp"),
              ElementsAre(HasSubstr("is in runner and includes boost/math")));
  EXPECT_THAT(header("runner", "benchmark/benchmark.h"), IsEmpty());
  EXPECT_THAT(header("platform", "benchmark/benchmark.h"),
              ElementsAre(HasSubstr("is in platform and includes benchmark/benchmark.h")));
  EXPECT_THAT(header("counters", "perfmon/pfmlib.h"), IsEmpty());
  EXPECT_THAT(header("report", "perfmon/pfmlib.h"),
              ElementsAre(HasSubstr("is in report and includes perfmon/pfmlib.h")));
  EXPECT_THAT(header("gtest", "gtest/gtest.h"), IsEmpty());
}

TEST(Layers, CountersAndGTestHaveTheirPlaces) {
  const auto includes = [](const std::string& layer, const std::string& include) {
    return ViolationsWith(Header(absl::StrCat("duetbench/", layer, "/x.h"),
                                 absl::StrCat("DUETBENCH_", absl::AsciiStrToUpper(layer), "_X_H_"),
                                 absl::StrCat("#include \"", include, "\"\n")));
  };
  EXPECT_THAT(includes("counters", "duetbench/platform/ticks.h"), IsEmpty());
  EXPECT_THAT(includes("counters", "duetbench/stats/pairs.h"),
              ElementsAre(HasSubstr("is in counters and includes duetbench/stats/pairs.h")));
  EXPECT_THAT(includes("gtest", "duetbench/registry/macros.h"), IsEmpty());
  EXPECT_THAT(ViolationsWith({"duetbench/platform/ticks.cc",
                              "#include \"duetbench/platform/ticks.h\"\n"
                              "#include \"duetbench/gtest/x.h\"\n"}),
              ElementsAre(HasSubstr("duetbench/gtest/x.h, which does not exist")));
}

TEST(Layers, TheVersionIsNoLayers) {
  const SourceFile version =
      Header("duetbench/version.h", "DUETBENCH_VERSION_H_", "#define DUETBENCH_VERSION 1\n");
  std::vector<SourceFile> files = SmallTree();
  files.push_back(version);
  files.push_back(Header("duetbench/report/rows.h", "DUETBENCH_REPORT_ROWS_H_",
                         "#include \"duetbench/version.h\"\n"));
  EXPECT_THAT(LayerViolations(files), IsEmpty());
}

TEST(Layers, GuardsAreWhole) {
  const std::string guard = "DUETBENCH_TESTS_STATS_X_H_";
  EXPECT_THAT(ViolationsWith(Header("tests/stats/x.h", guard, "")), IsEmpty());
  for (const std::string& text :
       {std::string(), std::string("#pragma once\n"), absl::StrCat("#ifndef ", guard, "\n#endif\n"),
        absl::StrCat("#ifndef ", guard, "\n#define OTHER\n#endif  // ", guard, "\n"),
        absl::StrCat("#ifndef ", guard, "\n#define ", guard, "\n#endif\n")}) {
    EXPECT_THAT(ViolationsWith({"tests/stats/x.h", text}), ElementsAre(HasSubstr(guard))) << text;
  }
}

TEST(Layers, ASourceIsListedAndIncludesItsHeaderFirst) {
  EXPECT_THAT(ViolationsWith({"duetbench/platform/CMakeLists.txt", "old_ticks.cc"}),
              ElementsAre("duetbench/platform/ticks.cc: is not in "
                          "duetbench/platform/CMakeLists.txt"));
  EXPECT_THAT(ViolationsWith({"duetbench/platform/ticks.cc",
                              "#include \"absl/status/status.h\"\n"
                              "#include \"duetbench/platform/ticks.h\"\n"}),
              ElementsAre(HasSubstr("should include duetbench/platform/ticks.h first")));
}

}  // namespace
}  // namespace duetbench
