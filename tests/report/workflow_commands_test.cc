#include "duetbench/report/workflow_commands.h"

#include <ostream>
#include <sstream>
#include <string>

#include "gtest/gtest.h"

namespace duetbench {
namespace {

std::string Written(const std::string& text) {
  std::ostringstream out;
  WithoutWorkflowCommands guard(out.rdbuf());
  std::ostream stream(&guard);
  // Flushed within the line: what the reader gets is the same.
  for (const char c : text) stream << c << std::flush;
  EXPECT_TRUE(stream.good());
  return out.str();
}

TEST(WithoutWorkflowCommands, OtherTextIsUnchanged) {
  const std::string text =
      "BM_Parse::x  1.2 ns\n:x\n: :\na::error::b\n#[x] # #[y] \n\n  duetbench: 3 runs\n\0\xff\n";
  EXPECT_EQ(Written(text), text);
}

TEST(WithoutWorkflowCommands, CommandsAreNone) {
  EXPECT_EQ(Written("::error::x\n"), "\\::error::x\n");
  EXPECT_EQ(Written("a\n \t::set-env name=PATH::x\n"), "a\n \t\\::set-env name=PATH::x\n");
  EXPECT_EQ(Written("a\r::error::x\n"), "a\r\\::error::x\n");
  EXPECT_EQ(Written(":::error::x\n"), "\\:::error::x\n");
  EXPECT_EQ(Written("a ##[error]x ###[y]\n"), "a ##\\[error]x ###\\[y]\n");
}

TEST(WithoutWorkflowCommands, ADestinationThatFailsIsTold) {
  struct Full : std::streambuf {
  } full;
  WithoutWorkflowCommands guard(&full);
  std::ostream stream(&guard);
  stream << "x" << std::flush;
  EXPECT_FALSE(stream.good());
}

}  // namespace
}  // namespace duetbench
