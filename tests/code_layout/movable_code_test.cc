#include "duetbench/code_layout/movable_code.h"

#include <algorithm>
#include <set>

#include "duetbench/code_layout/elf_file.h"
#include "duetbench/code_layout/executable_file.h"
#include "duetbench/code_layout/program_copy.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace duetbench {
namespace {

const MappedFile& ThisProgram() {
  static const auto* const file =
      new absl::StatusOr<MappedFile>(MappedFile::Open("/proc/self/exe"));
  return **file;
}

TEST(ReadMovableCode, MovesNearlyAllOfThisProgram) {
  const absl::StatusOr<MovableCode> code = ReadMovableCode(ThisProgram().bytes());
  ASSERT_TRUE(code.ok()) << code.status();
  const auto moved =
      std::count_if(code->functions.begin(), code->functions.end(),
                    [](const MovableCode::Function& function) { return function.moves(); });
  EXPECT_GT(code->functions.size(), 1000u);
  EXPECT_GT(static_cast<double>(moved), 0.99 * static_cast<double>(code->functions.size()));
  EXPECT_FALSE(code->pointers.empty());
  EXPECT_EQ(ElfFile::Parse(ThisProgram().bytes())->LoadedEnd(), code->image.size());
}

TEST(ReadMovableCode, GivesEachFunctionItsName) {
  const absl::StatusOr<MovableCode> code = ReadMovableCode(ThisProgram().bytes());
  ASSERT_TRUE(code.ok());
  const std::vector<std::string> keys = KeysOfFunctions(*code, ThisProgram().bytes());
  EXPECT_EQ(std::set<std::string>(keys.begin(), keys.end()).size(), code->functions.size());
  EXPECT_THAT(keys, testing::Contains("name  main#0"));
}

TEST(ReadMovableCode, SaysWhyAFileHasNone) {
  const std::string text = "#!/bin/sh\n";
  const auto* const bytes = reinterpret_cast<const uint8_t*>(text.data());
  EXPECT_EQ(ReadMovableCode(absl::MakeConstSpan(bytes, text.size())).status().message(),
            "is no ELF file");
  std::vector<uint8_t> other(ThisProgram().bytes().begin(), ThisProgram().bytes().end());
  StoreTo(other.data() + offsetof(Elf64_Ehdr, e_machine), uint16_t{EM_AARCH64});
  EXPECT_EQ(ReadMovableCode(other).status().message(), "is not of x86-64");
  StoreTo(other.data() + offsetof(Elf64_Ehdr, e_machine), uint16_t{EM_X86_64});
  StoreTo(other.data() + offsetof(Elf64_Ehdr, e_type), uint16_t{ET_EXEC});
  EXPECT_EQ(ReadMovableCode(other).status().message(), "is not position-independent (-no-pie)");
}

TEST(WriteCopy, HasTheSameBytesAtTheNewPlacesApartFromDistances) {
  const absl::StatusOr<MovableCode> code = ReadMovableCode(ThisProgram().bytes());
  ASSERT_TRUE(code.ok());
  const MovableCode* const programs[] = {&*code};
  const Placement placement =
      PlaceFunctions(programs, SlotsOfVariants(*code, {}), /*seed=*/1, /*turn=*/0)[0];
  const std::vector<uint8_t> copy = WriteCopy(*code, placement, CopyOptions());
  const absl::Span<const uint8_t> segment =
      absl::MakeConstSpan(copy).subspan(copy.size() - (placement.end - placement.begin));
  size_t compared = 0;
  for (size_t i = 0; i < code->functions.size(); ++i) {
    const MovableCode::Function& function = code->functions[i];
    const bool has_references = function.first_reference != function.last_reference;
    if (!function.moves() || has_references) continue;
    ++compared;
    const absl::Span<const uint8_t> moved =
        segment.subspan(placement.function_at[i] - placement.begin, function.size());
    ASSERT_TRUE(std::equal(moved.begin(), moved.end(), code->image.data() + function.offset)) << i;
  }
  EXPECT_GT(compared, 100u);
}

}  // namespace
}  // namespace duetbench
