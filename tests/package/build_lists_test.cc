#include "tests/package/build_lists.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace duetbench {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Key;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

// What only CMake builds.
const std::set<std::string> kCMakeFolders = {
    "tests/tools/cmake",  // tests of CMake functions
};
const std::set<std::string> kCMakeTargets = {
    "readers_fuzzer",  // clang with libFuzzer, on request
};

std::string Read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// Those that have a CMakeLists.txt and are part of this tree, projects of their own left out.
std::vector<std::string> Folders() {
  const fs::path top(DUETBENCH_SOURCE_DIR);
  std::vector<std::string> folders;
  for (const char* folder : {"duetbench", "samples", "tests", "tools"}) {
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(top / folder)) {
      if (entry.path().filename() != "CMakeLists.txt") continue;
      if (Read(entry.path()).find("\nproject(") != std::string::npos) continue;
      const std::string path = entry.path().parent_path().lexically_relative(top).generic_string();
      if (kCMakeFolders.count(path) == 0) folders.push_back(path);
    }
  }
  return folders;
}

TEST(BuildLists, BazelBuildsWhatCMakeBuilds) {
  const fs::path top(DUETBENCH_SOURCE_DIR);
  std::vector<std::string> differences;
  size_t targets = 0;
  for (const std::string& folder : Folders()) {
    BuildTargets cmake = CMakeTargets(Read(top / folder / "CMakeLists.txt"));
    for (const std::string& name : kCMakeTargets) cmake.erase(name);
    targets += cmake.size();
    for (const std::string& difference :
         BuildDifferences(folder, cmake, BazelTargets(Read(top / folder / "BUILD.bazel")))) {
      differences.push_back(difference);
    }
  }
  EXPECT_THAT(differences, IsEmpty());
  EXPECT_GE(targets, 30u);  // it read what it should
}

TEST(BuildLists, ReadsCMake) {
  const BuildTargets targets = CMakeTargets(R"(
# duetbench_layer(comment SOURCES comment.cc)
duetbench_layer(runner
  SOURCES
    side.cc  # two words
    state.cc
  LAYERS platform stats
  LIBRARIES benchmark::benchmark)
add_library(duetbench_main STATIC main/main.cc)
add_library(duetbench::main ALIAS duetbench_main)
add_library(inside INTERFACE)
target_sources(${name} PRIVATE $<TARGET_OBJECTS:duetbench_${layer}>)
if(X)
  add_executable(program program.cc)
endif()
add_executable(${target} loop.cc)
add_test(NAME program.runs COMMAND program --flag)
duetbench_test(a_test SOURCES a_test.cc LABELS timing)
)");
  EXPECT_THAT(targets, UnorderedElementsAre(Key("runner"), Key("main"), Key("program"),
                                            Key("program.runs"), Key("a_test")));
  EXPECT_THAT(targets.at("runner").sources, ElementsAre("side.cc", "state.cc"));
  EXPECT_THAT(targets.at("runner").layers, ElementsAre("platform", "stats"));
  EXPECT_THAT(targets.at("main").sources, ElementsAre("main/main.cc"));
  EXPECT_THAT(targets.at("program.runs").sources, IsEmpty());
  EXPECT_THAT(targets.at("a_test").layers, IsEmpty());
}

TEST(BuildLists, ReadsBazel) {
  const BuildTargets targets = BazelTargets(R"(
load("//tools/bazel:targets.bzl", "duetbench_test")

package(default_visibility = ["//duetbench:above_runner"])

package_group(
    name = "above_runner",
    packages = ["//duetbench/report"],
)

cc_library(
    name = "runner",
    srcs = [
        "side.cc",
        "side.h",
        # "comment.cc",
        "state.cc",
    ],
    hdrs = glob(["*.h"]),
    deps = [
        ":here",
        "//duetbench/platform",
        "//duetbench:version",
        "@com_google_absl//absl/status",
    ],
)

cc_library(
    name = "headers",
    hdrs = glob(["*.h"]),
)

duetbench_test(
    name = "a_test",
    srcs = ["a_test.cc"],
    deps = ["//duetbench/runner"],
)

filegroup(
    name = "files",
    srcs = glob(["*"]),
)
)");
  EXPECT_THAT(targets, UnorderedElementsAre(Key("runner"), Key("a_test")));
  EXPECT_THAT(targets.at("runner").sources, ElementsAre("side.cc", "state.cc"));
  EXPECT_THAT(targets.at("runner").layers, ElementsAre("platform"));
  EXPECT_THAT(targets.at("a_test").sources, ElementsAre("a_test.cc"));
}

TEST(BuildLists, SaysWhichFileLacksWhat) {
  const BuildTargets cmake = {{"runner", {{"side.cc", "state.cc"}, {"platform"}}},
                              {"only_cmake", {{}, {}}}};
  const BuildTargets bazel = {{"runner", {{"side.cc", "old.cc"}, {"stats"}}},
                              {"only_bazel", {{}, {}}}};
  EXPECT_THAT(BuildDifferences("duetbench/runner", cmake, bazel),
              UnorderedElementsAre("duetbench/runner/BUILD.bazel: lacks the target only_cmake",
                                   "duetbench/runner/BUILD.bazel: runner lacks state.cc",
                                   "duetbench/runner/CMakeLists.txt: runner lacks old.cc",
                                   "duetbench/runner/BUILD.bazel: runner lacks platform",
                                   "duetbench/runner/CMakeLists.txt: runner lacks stats",
                                   "duetbench/runner/CMakeLists.txt: lacks the target only_bazel"));
  EXPECT_THAT(BuildDifferences("duetbench/runner", cmake, cmake), IsEmpty());
  EXPECT_THAT(BuildDifferences("duetbench/runner", cmake, {}), SizeIs(2));
}

}  // namespace
}  // namespace duetbench
