#include "tools/duet/code/trace.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>

namespace duetbench::duet {
namespace {

using testing::Contains;

TraceRequest RequestOf(const char* file) {
  TraceRequest request;
  request.executable = "/bin/cat";
  request.argv = {"cat", file};
  request.result_fd_variable = "TRACE_TEST_RESULT";
  return request;
}

TEST(TraceProgram, NotesTheFilesThatAreOpened) {
  const absl::StatusOr<Trace> trace = TraceProgram(RequestOf("/etc/passwd"));
  ASSERT_TRUE(trace.ok()) << trace.status();
  EXPECT_THAT(trace->opened, Contains("/etc/passwd"));
}

// The time is over before the child is known, or soon after.
TEST(TraceProgram, EndsAtTheTimeout) {
  for (const int microseconds : {0, 100, 500, 1000}) {
    TraceRequest request = RequestOf("/dev/stdin");
    request.timeout = std::chrono::microseconds(microseconds);
    const absl::StatusOr<Trace> trace = TraceProgram(request);
    if (microseconds == 0) {
      EXPECT_EQ(trace.status().message(), "it takes too long");
    }
  }
}

}  // namespace
}  // namespace duetbench::duet
