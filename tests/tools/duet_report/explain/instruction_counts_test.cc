#include "tools/duet_report/explain/instruction_counts.h"

#include "gtest/gtest.h"

namespace duetbench {
namespace {

// Two iterations: each calls Trim once, which allocates once by operator new.
constexpr char kCallgrind[] = R"(# callgrind format
version: 1
creator: callgrind-3.19.0
pid: 8032
cmd:  ./bench --benchmark_filter=BM_Trim
part: 1

positions: line
events: Ir
summary: 1064

ob=/home/a/bench
fl=/src/two.cc
fn=BM_Trim(benchmark::State&)
0 64
cfn=Trim(std::string const&)
calls=2 0
0 1000
cob=/usr/lib/x86_64-linux-gnu/libc.so.6
cfi=???
cfn=malloc
calls=1 0
0 50

fn=Trim(std::string const&)
0 300
fi=/usr/include/c++/12/bits/basic_string.h
0 100
fe=/src/two.cc
cob=/usr/lib/x86_64-linux-gnu/libstdc++.so.6
cfn=operator new(unsigned long)
calls=2 0
0 600

ob=/usr/lib/x86_64-linux-gnu/libstdc++.so.6
fn=operator new(unsigned long)
0 200
cob=/usr/lib/x86_64-linux-gnu/libc.so.6
cfn=malloc
calls=2 0
0 400

ob=/usr/lib/x86_64-linux-gnu/libc.so.6
fn=malloc
0 450
)";

TEST(ReadCallgrind, ArePerIterationByFunction) {
  const FunctionTable counts = ReadCallgrind({kCallgrind, 2});
  EXPECT_DOUBLE_EQ(counts.instructions, (64 + 400 + 200 + 450) / 2.0);
  EXPECT_DOUBLE_EQ(counts.functions.at("BM_Trim").instructions, 32);
  EXPECT_DOUBLE_EQ(counts.functions.at("Trim").calls, 1);
  EXPECT_DOUBLE_EQ(counts.functions.at("Trim").instructions, 200) << "with inlined code";
}

TEST(ReadCallgrind, CallsOfTheLibraryAreThoseOfTheUser) {
  const FunctionTable counts = ReadCallgrind({kCallgrind, 2});
  EXPECT_DOUBLE_EQ(counts.functions.at("operator new").calls, 1);
  EXPECT_DOUBLE_EQ(counts.functions.at("operator new").instructions, 300) << "with malloc";
  EXPECT_DOUBLE_EQ(counts.functions.at("malloc").calls, 0.5) << "not by operator new";
}

TEST(ReadCallgrind, AllocationsAreCountedOnce) {
  EXPECT_DOUBLE_EQ(ReadCallgrind({kCallgrind, 2}).allocations, 1.5);
}

TEST(ReadCallgrind, AreEvents) {
  const FunctionTable counts = ReadCallgrind({kCallgrind, 2});
  EXPECT_EQ(CallgrindCount("CALLGRIND-INSTRUCTIONS", counts), 1114 / 2.0);
  EXPECT_EQ(CallgrindCount("CALLGRIND-ALLOCATIONS", counts), 1.5);
  EXPECT_EQ(CallgrindCount("CALLGRIND-CALLS", counts), 3.5);
  EXPECT_TRUE(IsCallgrindEvent("CALLGRIND-CALLS"));
  EXPECT_FALSE(IsCallgrindEvent("INSTRUCTIONS"));
}

TEST(Allocates, KnowsTheFunctionsOfBothLanguages) {
  EXPECT_TRUE(Allocates("operator new[]"));
  EXPECT_TRUE(Allocates("aligned_alloc"));
  EXPECT_FALSE(Allocates("operator delete"));
  EXPECT_FALSE(Allocates("free"));
}

}  // namespace
}  // namespace duetbench
