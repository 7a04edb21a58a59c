// Compares the decoder with objdump(1), instruction by instruction.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "duetbench/code_layout/elf_file.h"
#include "duetbench/code_layout/executable_file.h"
#include "duetbench/code_layout/machine_instruction.h"
#include "gtest/gtest.h"

namespace duetbench {
namespace {

struct Counts {
  size_t instructions = 0, other_lengths = 0;
  std::string first;  // of another length
};

// A line of objdump is "  ADDRESS:\tBYTES \tTEXT"; the next one has the end of the instruction.
Counts CompareWithObjdump(const std::string& link) {
  Counts counts;
  const std::string path = PathOfFile(link);  // of this process, not of objdump
  const absl::StatusOr<MappedFile> mapped = MappedFile::Open(path);
  EXPECT_TRUE(mapped.ok()) << path;
  const absl::StatusOr<ElfFile> file = ElfFile::Parse(mapped->bytes());
  EXPECT_TRUE(file.ok()) << path;
  const std::string command = absl::StrCat(
      "objdump --disassemble --section=.text --disassemble-zeroes --wide '", path, "'");
  const std::unique_ptr<FILE, int (*)(FILE*)> lines(popen(command.c_str(), "r"), pclose);
  char line[4096];
  while (std::fgets(line, sizeof line, lines.get()) != nullptr) {
    char* colon = nullptr;
    const uint64_t address = std::strtoull(line, &colon, 16);
    if (line[0] != ' ' || *colon != ':') continue;
    size_t length = 0;
    for (const char* byte = colon + 2; std::isxdigit(byte[0]) != 0 && byte[2] == ' '; byte += 3) {
      ++length;
    }
    const std::string text = line;
    if (text.find("(bad)") != std::string::npos) continue;
    ++counts.instructions;
    // objdump shows a wait and the instruction behind it as one (fstcw).
    constexpr uint8_t kWait = 0x9b;
    const size_t before = length > 1 && file->From(address)[0] == kWait ? 1 : 0;
    if (before + DecodeInstruction(file->From(address + before)).length == length) continue;
    if (counts.other_lengths++ == 0) counts.first = text;
  }
  return counts;
}

class EveryInstruction : public testing::TestWithParam<const char*> {};

TEST_P(EveryInstruction, HasTheLengthThatObjdumpTells) {
  if (std::system("objdump --version >/dev/null 2>&1") != 0) GTEST_SKIP() << "no objdump";
  if (access(GetParam(), R_OK) != 0) GTEST_SKIP() << "no " << GetParam();
  const Counts counts = CompareWithObjdump(GetParam());
  EXPECT_GT(counts.instructions, 1000u);
  EXPECT_EQ(counts.other_lengths, 0u) << counts.first;
}

INSTANTIATE_TEST_SUITE_P(Files, EveryInstruction,
                         testing::Values("/proc/self/exe", "/lib/x86_64-linux-gnu/libc.so.6",
                                         "/lib/x86_64-linux-gnu/libm.so.6",
                                         "/usr/lib/x86_64-linux-gnu/libstdc++.so.6",
                                         "/usr/bin/cmake", "/usr/bin/git"));

}  // namespace
}  // namespace duetbench
