#include "tools/duet/code/unwinding.h"

#include <gtest/gtest.h>
#include <unistd.h>

namespace duetbench::duet {
namespace {

TEST(Mappings, AreReadFromTheTextOfTheKernel) {
  const std::vector<Mapping> mappings = ParseMappings(
      "55d0c0000000-55d0c0002000 r-xp 00001000 fe:01 123      /tmp/a program (deleted)\n"
      "no mapping\n"
      "7ffc00000000-7ffc00021000 rw-p 00000000 00:00 0        [stack]\n"
      "7f0000000000-7f0000001000 rw-p 00000000 00:00 0\n");
  ASSERT_EQ(mappings.size(), 3u);
  EXPECT_EQ(mappings[0].begin, 0x55d0c0000000u);
  EXPECT_EQ(mappings[0].end, 0x55d0c0002000u);
  EXPECT_EQ(mappings[0].offset, 0x1000u);
  EXPECT_TRUE(mappings[0].executable);
  EXPECT_EQ(mappings[0].file, "/tmp/a program (deleted)");
  EXPECT_FALSE(mappings[1].executable);
  EXPECT_EQ(mappings[1].file, "[stack]");
  EXPECT_EQ(mappings[2].file, "");
}

TEST(Mappings, OfThisProcessHaveItsCode) {
  const auto here = reinterpret_cast<uint64_t>(&ParseMappings);
  bool found = false;
  for (const Mapping& mapping : MappingsOf(getpid())) {
    found |= mapping.executable && mapping.begin <= here && here < mapping.end;
  }
  EXPECT_TRUE(found);
}

}  // namespace
}  // namespace duetbench::duet
