#include "tools/duet/same_program.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>

#include "tests/temporary_folder.h"

namespace duetbench::duet {
namespace {

namespace fs = std::filesystem;
using Change = std::function<void(std::string*)>;

constexpr char kText[] = "a text of this test; the next byte is ";
// The name has a length of 4, the build id one of 20; the type is 3. In two literals, so that these
// bytes are nowhere else.
const std::string kBuildId = std::string("\4\0\0\0\24\0\0\0\3\0\0\0", 12) + std::string("GNU\0", 4);

std::string BytesOfThisProgram() { return TextOf("/proc/self/exe"); }

// Changes the byte after the first place of `text`.
Change ChangeAfter(const std::string& text) {
  return [text](std::string* bytes) { bytes->at(bytes->find(text) + text.size()) ^= 1; };
}

void Keep(std::string* /*bytes*/) {}

class SameProgram : public testing::Test {
 protected:
  void SetUp() override { old_ = CopyOfThis("old/program", Keep); }

  // This program with a change, as a file with this name.
  std::string CopyOfThis(const std::string& name, const Change& change) const {
    std::string bytes = BytesOfThisProgram();
    change(&bytes);
    const fs::path path = folder_.File(name);
    fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
  }

  // `of_old` and `of_new` are the shared libraries.
  bool IsSame(const std::string& other, const std::vector<std::string>& of_old = {},
              const std::vector<std::string>& of_new = {}) const {
    Offer offers[2];
    offers[0].files = of_old;
    offers[0].files.push_back(old_);
    offers[1].files = of_new;
    offers[1].files.push_back(other);
    return AreSameProgram({{old_, false, {}}, {other, false, {}}}, {offers[0], offers[1]});
  }

  const TemporaryFolder folder_;
  std::string old_;
};

TEST_F(SameProgram, HasTheSameCodeAndData) {
  EXPECT_TRUE(IsSame(CopyOfThis("new", Keep)));
  EXPECT_FALSE(IsSame(CopyOfThis("new", ChangeAfter(kText))));
  EXPECT_FALSE(IsSame(CopyOfThis("new", [](std::string* bytes) { *bytes += "data at the end"; })));
}

TEST_F(SameProgram, MayHaveAnotherBuildId) {
  if (BytesOfThisProgram().find(kBuildId) == std::string::npos) GTEST_SKIP() << "no build id";
  EXPECT_TRUE(IsSame(CopyOfThis("new", ChangeAfter(kBuildId))));
}

TEST_F(SameProgram, MayBeStripped) {
  const std::string stripped = CopyOfThis("new", Keep);
  if (std::system(("strip " + stripped + " 2>/dev/null").c_str()) != 0) GTEST_SKIP() << "no strip";
  ASSERT_LT(fs::file_size(stripped), fs::file_size(old_));
  EXPECT_TRUE(IsSame(stripped));
}

TEST_F(SameProgram, HasTheSameLibraries) {
  const std::string program = CopyOfThis("new/program", Keep);
  const std::string libraries[] = {CopyOfThis("old/library", Keep), CopyOfThis("new/library", Keep),
                                   CopyOfThis("changed/library", ChangeAfter(kText))};
  EXPECT_TRUE(IsSame(program, {libraries[0]}, {libraries[1]}));
  EXPECT_FALSE(IsSame(program, {libraries[0]}, {libraries[2]}));
  EXPECT_FALSE(IsSame(program, {libraries[0]}, {}));
}

TEST_F(SameProgram, IsNotKnownOfCommandsScriptsAndTwoFolders) {
  Offer offer;
  offer.files = {old_};
  const auto in = [&](const std::string& folder) {
    return ProgramCommand{old_, false, {}, folder};
  };
  EXPECT_TRUE(AreSameProgram({in("/a"), in("/a")}, {offer, offer}));
  EXPECT_FALSE(AreSameProgram({in("/a"), in("/b")}, {offer, offer}));
  EXPECT_FALSE(AreSameProgram({{old_, true, {}}, {old_, true, {}}}, {offer, offer}));
  const std::string script =
      CopyOfThis("script", [](std::string* bytes) { *bytes = "#!/bin/sh\n"; });
  EXPECT_FALSE(AreSameProgram({{script, false, {}}, {script, false, {}}}, {offer, offer}));
}

}  // namespace
}  // namespace duetbench::duet
