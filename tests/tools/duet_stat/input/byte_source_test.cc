#include "tools/duet_stat/input/byte_source.h"

#include <cstdio>
#include <fstream>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace duetbench::duet_stat {
namespace {

using ::testing::HasSubstr;

TEST(OpenByteSource, ReadsAFileInBlocks) {
  const std::string path = testing::TempDir() + "duetbench_file_source_test.csv";
  std::ofstream(path) << "run,x,y\n0,1,2\n";
  absl::StatusOr<ByteSource> source = OpenByteSource(path);
  ASSERT_TRUE(source.ok());
  std::string text;
  char buffer[5];
  while (true) {
    const absl::StatusOr<std::size_t> count = (*source)(buffer, sizeof buffer);
    ASSERT_TRUE(count.ok());
    if (*count == 0) break;
    text.append(buffer, *count);
  }
  EXPECT_EQ(text, "run,x,y\n0,1,2\n");
  EXPECT_EQ((*source)(buffer, sizeof buffer).value(), 0u);
  std::remove(path.c_str());
}

TEST(OpenByteSource, SaysWhichFileAndWhy) {
  const absl::Status missing = OpenByteSource("/no/such/file.csv").status();
  EXPECT_THAT(std::string(missing.message()),
              HasSubstr("cannot open /no/such/file.csv: No such file or directory"));
  char buffer[5];
  const absl::Status directory = OpenByteSource("/").value()(buffer, sizeof buffer).status();
  EXPECT_THAT(std::string(directory.message()), HasSubstr("cannot read /: Is a directory"));
}

}  // namespace
}  // namespace duetbench::duet_stat
