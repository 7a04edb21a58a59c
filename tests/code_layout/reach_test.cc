#include <vector>

#include "duetbench/code_layout/code_layouts.h"
#include "duetbench/code_layout/executable_file.h"
#include "duetbench/code_layout/shared_libraries.h"
#include "duetbench/platform/text_file.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace duetbench {
namespace {

using testing::ElementsAre;

constexpr uint64_t kData = 0x9000;

TEST(CopiesOfRuns, AreMadeForAnExperimentWhoseRunsFollowEachOther) {
  const auto program = Executable::Read("/proc/self/exe");
  if (!program.ok()) GTEST_SKIP() << program.status();
  const auto layouts = CodeLayouts::OfVariants(*program, {});
  CopiesOfRuns copies;
  for (const uint32_t run : {0, 1, 2}) {
    ASSERT_TRUE(copies.Take(layouts, /*seed=*/1, run).ok());
    EXPECT_EQ(copies.is_next_due(), run > 0);
    if (copies.is_next_due()) copies.MakeNext();
    EXPECT_FALSE(copies.is_next_due());
  }
  const auto taken = copies.Take(layouts, 1, 3);
  const auto made = layouts->MakeCopies(1, 3);
  EXPECT_EQ(ReadTextFile(PathOfDescriptor(taken.value()->front().get())),
            ReadTextFile(PathOfDescriptor(made.value()->front().get())));
  ASSERT_TRUE(copies.Take(CodeLayouts::OfVariants(*program, {}), 1, 4).ok());
  EXPECT_FALSE(copies.is_next_due()) << "of another experiment";
}

TEST(LibrariesInTrace, HaveNamesAndPaths) {
  const auto libraries = LibrariesInTrace(
      "\tlinux-vdso.so.1 (0x00007f9)\n\tlibown.so.1 => build/libown.so.1 (0x00007f8)\n"
      "\tlibc.so.6 => /lib/x86_64-linux-gnu/libc.so.6 (0x00007f7)\n\tlibnone.so => not found\n"
      "\t/opt/libpath.so (0x00007f6)\n",
      "/folder");
  ASSERT_EQ(libraries.size(), 3u);
  EXPECT_EQ(libraries[0].name, "libown.so.1");
  EXPECT_EQ(libraries[0].path, "/folder/build/libown.so.1");
  EXPECT_FALSE(IsOfSystem(libraries[0].path));
  EXPECT_TRUE(IsOfSystem(libraries[1].path));
  EXPECT_EQ(libraries[2].name, "/opt/libpath.so");
  EXPECT_EQ(libraries[2].path, "/opt/libpath.so");
}

// Six functions at 0x1000, 0x1100 and so on, and what they refer to.
class FunctionsOfVariantsTest : public testing::Test {
 protected:
  FunctionsOfVariantsTest() {
    code_.functions.resize(6);
    for (size_t i = 0; i < code_.functions.size(); ++i) {
      code_.functions[i].begin = Address(i);
      code_.functions[i].end = Address(i) + 16;
    }
  }

  static uint64_t Address(size_t function) { return 0x1000 + 0x100 * function; }

  // References of functions in ascending order.
  void Refer(size_t function, MovableCode::ReferenceKind kind, uint64_t target) {
    MovableCode::Reference& reference = code_.references.emplace_back();
    reference.target = target;
    reference.to = code_.FunctionAt(target);
    reference.kind = kind;
    MovableCode::Function& from = code_.functions[function];
    const auto end = static_cast<uint32_t>(code_.references.size());
    if (from.last_reference == 0) from.first_reference = end - 1;
    from.last_reference = end;
  }
  void Point(uint64_t location, size_t function) {
    code_.pointers.push_back({0, Address(function), static_cast<int32_t>(function), location});
  }
  std::vector<std::vector<int32_t>> Of(uint64_t old_entry, uint64_t new_entry) {
    const MovableCode* const modules[] = {&code_};
    return FunctionsOfVariants(modules, {{old_entry}, {new_entry}})[0];
  }

  MovableCode code_;
};

using Kind = MovableCode::ReferenceKind;

TEST_F(FunctionsOfVariantsTest, WhatBothCallBelongsToNone) {
  Refer(0, Kind::kBranch, Address(2));
  Refer(0, Kind::kBranch, Address(4));
  Refer(1, Kind::kBranch, Address(3));
  Refer(1, Kind::kBranch, Address(4));
  Refer(2, Kind::kAddress, Address(5));
  EXPECT_THAT(Of(Address(0), Address(1)), ElementsAre(ElementsAre(0, 2, 5), ElementsAre(1, 3)));
}

TEST_F(FunctionsOfVariantsTest, TablesLeadToTheirFunctions) {
  Point(kData, 2);
  Point(kData + 8, 3);
  Point(kData + 24, 4);  // of another table
  Refer(0, Kind::kAddress, kData);
  Refer(1, Kind::kOperand, kData + 24);
  EXPECT_THAT(Of(Address(0), Address(1)), ElementsAre(ElementsAre(0, 2, 3), ElementsAre(1, 4)));
  EXPECT_THAT(Of(kData, Address(5)), ElementsAre(ElementsAre(2, 3), ElementsAre(5)));
}

TEST_F(FunctionsOfVariantsTest, SymbolsLeadToOtherModules) {
  constexpr uint64_t kStub = 0x8000, kTableHere = kData + 0x100;
  MovableCode library = code_;  // with the same addresses
  library.exports = {{"Called", Address(1)}, {"Loaded", Address(2)}, {"Table", kData}};
  // A virtual table; its second function is a symbol of this library, and so is what that calls.
  library.pointers.push_back({0, Address(3), 3, kData + 16});
  library.imports = {{kData + 24, "Again"}, {kData + 40, "Called"}};
  library.exports["Again"] = Address(4);
  code_.stubs[kStub] = kData;
  code_.imports = {{kData, "Called"}, {kData + 8, "Loaded"}, {kTableHere, "Table"}};
  Refer(0, Kind::kBranch, kStub);
  Refer(0, Kind::kAddress, kTableHere + 16);  // a copy of the table, whose values are elsewhere
  Refer(1, Kind::kOperand, kData + 8);
  const MovableCode* const modules[] = {&code_, &library};
  const auto of_modules = FunctionsOfVariants(modules, {{Address(0)}, {Address(1)}});
  EXPECT_THAT(of_modules[0], ElementsAre(ElementsAre(0), ElementsAre(1)));
  EXPECT_THAT(of_modules[1], ElementsAre(ElementsAre(1, 3, 4), ElementsAre(2)));
}

TEST_F(FunctionsOfVariantsTest, WhatStaysBelongsToNone) {
  code_.functions[2].stays_because = "of a test";
  Refer(0, Kind::kBranch, Address(2));
  EXPECT_THAT(Of(Address(0), Address(0)), ElementsAre(ElementsAre(), ElementsAre()));
  EXPECT_THAT(Of(Address(0), 0), ElementsAre(ElementsAre(0), ElementsAre()));
}

}  // namespace
}  // namespace duetbench
