// Changes a program at random places of what a benchmark executes: no changed program may be proved
// to execute the same code. MUTANTS in the environment says how many.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "tools/duet/code/image.h"
#include "tools/duet/code/program_code.h"
#include "tools/duet/code/same_code.h"

namespace duetbench::duet {
namespace {

constexpr int kMutants = 400;
constexpr uint64_t kSeed = 20240607;
constexpr char kBenchmark[] = "_Z6BM_AllRN9benchmark5StateE";

// A range of the file whose bytes decide what the benchmark does.
struct Range {
  std::string name;
  size_t begin;
  size_t size;
};

std::string ContentOf(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

class MutationTest : public testing::Test {
 protected:
  void SetUp() override {
    content_ = ContentOf(FIXTURE "0");
    absl::StatusOr<std::unique_ptr<Image>> image = Image::Read(FIXTURE "0");
    ASSERT_TRUE(image.ok()) << image.status();
    original_ = std::make_unique<ProgramCode>(*std::move(image));
    for (const char* const name :
         {"_Z6BM_AllRN9benchmark5StateE", "_Z6Scaledi", "_Z7Shiftedi", "_Z5Counti", "_Z6Lookedi",
          "_Z15CalledByPointeri", "_Z15CalledVirtuallyRK5Shapei", "_Z8Switchedi", "_Z8MayThrowi",
          "_Z6Caughti", "_Z10Multipliedd", "_Z8InThreadi", "_ZNK6Square4AreaEi",
          "_ZNK5Shape4EdgeEi", "main", "_Z7Initialv"}) {
      AddPart(original_->image().FunctionNamed(name), name);
    }
    for (const NamedPart& object : original_->image().objects()) {
      for (const char* const name : {"_ZL6kTable", "_ZL13first_counter", "_ZL14second_counter"}) {
        if (object.names.front() == name) AddPart(&object, name);
      }
    }
    AddTexts();
    AddPointers();
    AddTables();
  }

  // The bytes of an address in the file.
  size_t OffsetOf(uint64_t address) const {
    const Section* const section = original_->image().SectionAt(address);
    const std::string bytes(reinterpret_cast<const char*>(section->bytes), section->size);
    return content_.find(bytes) + (address - section->address);
  }

  void AddPart(const NamedPart* part, const std::string& name) {
    if (part == nullptr) return;  // it was inlined
    ranges_.push_back({name, OffsetOf(part->address), part->size});
  }

  void AddTexts() {
    for (const char* const text : {"negative", "a hundred"}) {
      const size_t at = content_.find(text);
      ASSERT_NE(at, std::string::npos) << text;
      ranges_.push_back({text, at, std::strlen(text)});
    }
  }

  // The addends of relocations in the vtable and the table of functions.
  void AddPointers() {
    for (const NamedPart& object : original_->image().objects()) {
      const std::string& name = object.names.front();
      if (name != "_ZTV6Square" && name != "_ZL10kFunctions") continue;
      for (const auto& [at, relocation] : original_->image().relocations()) {
        if (at < object.address || at >= object.end() || !relocation.symbol.empty()) continue;
        // r_offset, r_info and r_addend of an Elf64_Rela.
        std::string entry(16, '\0');
        std::memcpy(entry.data(), &at, 8);
        entry[8] = 8;  // R_X86_64_RELATIVE
        const size_t found = content_.find(entry);
        ASSERT_NE(found, std::string::npos) << name;
        ranges_.push_back({name, found + 16, 3});
      }
    }
  }

  // Entries of tables of switches, which have no symbols.
  void AddTables() {
    const NamedPart* const function = original_->image().FunctionNamed("_Z8Switchedi");
    ASSERT_NE(function, nullptr);
    for (const CodeReference& reference : original_->decoded(*function).references) {
      if (reference.is_branch || reference.access > 0) continue;
      uint64_t size = 0;
      uint64_t offset = 0;
      while (original_->EntryOfTable(reference.target, reference.target + size, *function,
                                     &offset) != nullptr) {
        size += 4;
      }
      if (size > 0) ranges_.push_back({"switch", OffsetOf(reference.target), size});
    }
  }

  // True if a proof of the benchmark goes through for the original and the program in `path`.
  bool IsSame(const std::string& path) const {
    absl::StatusOr<std::unique_ptr<Image>> image = Image::Read(path);
    if (!image.ok()) return false;
    const ProgramCode changed(*std::move(image));
    SameCode same(*original_, changed);
    if (!same.CompareStart({}).ok()) return false;
    const NamedPart* const old_function = original_->image().FunctionNamed(kBenchmark);
    const NamedPart* const new_function = changed.image().FunctionNamed(kBenchmark);
    return same.CompareExecuted({old_function->address}, {new_function->address}).ok();
  }

  std::string content_;
  std::unique_ptr<ProgramCode> original_;
  std::vector<Range> ranges_;
};

TEST_F(MutationTest, NoMutantIsUnchanged) {
  ASSERT_GE(ranges_.size(), 20u);
  ASSERT_TRUE(IsSame(FIXTURE "0"));
  const char* const wanted = std::getenv("MUTANTS");
  const int mutants = wanted != nullptr ? std::atoi(wanted) : kMutants;
  const std::string path = testing::TempDir() + "mutant_" + std::to_string(getpid());
  std::mt19937_64 random(kSeed);
  int unchanged = 0;
  for (int i = 0; i < mutants; ++i) {
    const Range& range = ranges_[random() % ranges_.size()];
    const size_t at = range.begin + random() % range.size;
    std::string mutant = content_;
    const auto before = static_cast<uint8_t>(mutant[at]);
    // One bit, or any byte.
    const auto after = random() % 2 == 0 ? static_cast<uint8_t>(before ^ (1u << (random() % 8)))
                                         : static_cast<uint8_t>(before + 1 + random() % 255);
    mutant[at] = static_cast<char>(after);
    std::ofstream(path, std::ios::binary) << mutant;
    if (!IsSame(path)) continue;
    ++unchanged;
    ADD_FAILURE() << range.name << ": byte " << at - range.begin << " is " << int{after}
                  << " in place of " << int{before};
  }
  unlink(path.c_str());
  EXPECT_EQ(unchanged, 0) << "of " << mutants;
}

}  // namespace
}  // namespace duetbench::duet
