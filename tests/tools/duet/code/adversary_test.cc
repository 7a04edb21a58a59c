// Changes of behavior or speed that leave the code of the benchmark as it is (adversary.cc): none
// of them may be proved to be the same.
#include <gtest/gtest.h>

#include <memory>
#include <ostream>
#include <string>
#include <utility>

#include "tools/duet/code/image.h"
#include "tools/duet/code/program_code.h"
#include "tools/duet/code/same_code.h"

namespace duetbench::duet {
namespace {

// "same": the benchmark of both files is proved to be the same; else the reason why not.
std::string CompareFiles(const std::string& old_file, const std::string& new_file) {
  std::unique_ptr<ProgramCode> codes[2];
  for (int side = 0; side < 2; ++side) {
    absl::StatusOr<std::unique_ptr<Image>> image = Image::Read(side == 0 ? old_file : new_file);
    if (!image.ok()) return std::string(image.status().message());
    codes[side] = std::make_unique<ProgramCode>(*std::move(image));
  }
  SameCode same(*codes[0], *codes[1], {{57, 58}});
  if (const absl::Status start = same.CompareStart({}); !start.ok()) {
    return std::string(start.message());
  }
  constexpr char kBenchmark[] = "_Z7BM_WorkRN9benchmark5StateE";
  const NamedPart* const functions[2] = {codes[0]->image().FunctionNamed(kBenchmark),
                                         codes[1]->image().FunctionNamed(kBenchmark)};
  if (functions[0] == nullptr || functions[1] == nullptr) return "no benchmark";
  const absl::Status executed =
      same.CompareExecuted({functions[0]->address}, {functions[1]->address});
  return executed.ok() ? "same" : std::string(executed.message());
}

struct Adversary {
  int number;
  const char* name;
  bool is_provable = true;  // without the change
};

void PrintTo(const Adversary& adversary, std::ostream* out) { *out << adversary.name; }

class AdversaryTest : public testing::TestWithParam<Adversary> {};

TEST_P(AdversaryTest, IsMeasured) {
  const std::string path = ADVERSARY + std::to_string(GetParam().number);
#ifndef __clang__  // may make other code of it
  const std::string unchanged = CompareFiles(path + "_old", path + "_old");
  EXPECT_EQ(unchanged == "same", GetParam().is_provable) << unchanged;
#endif
  EXPECT_NE(CompareFiles(path + "_old", path + "_new"), "same");
  EXPECT_NE(CompareFiles(path + "_new", path + "_old"), "same");
}

INSTANTIATE_TEST_SUITE_P(
    All, AdversaryTest,
    testing::Values(Adversary{1, "Resolver", false}, Adversary{2, "TableOfPointers"},
                    Adversary{3, "FunctionObject"}, Adversary{4, "WeakFunction"},
                    Adversary{5, "OrderOfInitializers"}, Adversary{6, "ThreadLocal"},
                    Adversary{7, "Constructor"}, Adversary{8, "FalseSharing"},
                    Adversary{9, "FoldedOffset"}, Adversary{10, "FoldedOntoAnotherTable"},
                    Adversary{11, "PointerToMember"}, Adversary{12, "LabelsAsValues"},
                    Adversary{13, "ClassOfACast"}, Adversary{14, "LookUpInATemplate", false},
                    Adversary{15, "CopiedList"}, Adversary{16, "VersionOfASymbol"},
                    Adversary{17, "WithoutLocalSymbols", false}, Adversary{18, "EndOfAText"},
                    Adversary{19, "FunctionOfTheLoader", false}),
    [](const testing::TestParamInfo<Adversary>& info) { return info.param.name; });

TEST(AdversaryTest, AnUnrelatedChangeIsNone) {
  EXPECT_EQ(CompareFiles(ADVERSARY "0_old", ADVERSARY "0_new"), "same");
}

}  // namespace
}  // namespace duetbench::duet
