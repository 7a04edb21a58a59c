#include "tools/duet_report/explain/code_listing.h"

#include "absl/strings/str_join.h"
#include "gtest/gtest.h"

namespace duetbench {
namespace {

constexpr char kOld[] = R"(
/home/a/bench:     file format elf64-x86-64

Disassembly of section .text:

0000000000001139 <Sum(int const*, int)>:
    1139:	push   rbp
    113a:	call   1030 <std::abs(int)@plt>
    1141:	mov    eax,DWORD PTR [rdi]
    1143:	add    ecx,eax
    1145:	add    rdi,0x4
    1149:	jne    1141 <Sum(int const*, int)+0x8>
    114b:	lea    rax,[rip+0xec0]        # 2004 <table+0x4>
    1150:	ret
)";
constexpr char kNew[] = R"(
0000000000002239 <Sum(int const*, int)>:
    2239:	push   rbp
    2241:	mov    eax,DWORD PTR [rdi]
    2243:	imul   eax,eax
    2246:	add    ecx,eax
    2248:	add    rdi,0x8
    224c:	jne    2241 <Sum(int const*, int)+0x8>
    2250:	ret
)";

TEST(ReadInstructions, NamesWhatIsReferredTo) {
  const std::vector<Instruction> code = ReadInstructions(kOld);
  ASSERT_EQ(code.size(), 8u);
  EXPECT_EQ(code[0].address, 0x1139u);
  EXPECT_EQ(code[0].text, "push rbp");
  EXPECT_EQ(code[1].text, "call <std::abs(int)@plt>");
  EXPECT_EQ(code[1].target, 0u);
  EXPECT_EQ(code[2].text, "mov eax,DWORD PTR [rdi]");
  EXPECT_EQ(code[5].text, "jne");
  EXPECT_EQ(code[5].target, 0x1141u);
  EXPECT_EQ(code[6].text, "lea rax,[table+0x4]");
}

TEST(HottestLoop, IsWhatTheJumpBackwardsEncloses) {
  const std::vector<Instruction> code = ReadInstructions(kOld);
  const std::vector<Instruction> loop = HottestLoop(code, {{0x1143, 9}, {0x1139, 1}});
  ASSERT_EQ(loop.size(), 4u);
  EXPECT_EQ(loop.front().address, 0x1141u);
  EXPECT_EQ(loop.back().address, 0x1149u);
  EXPECT_EQ(HottestLoop(code, {{0x1139, 9}}).size(), code.size()) << "without a loop: around it";
  EXPECT_TRUE(HottestLoop({}, {{1, 2}}).empty());
}

TEST(SideBySide, MovedCodeIsTheSame) {
  const std::map<uint64_t, uint64_t> moments[2] = {{{0x1143, 1}, {0x1141, 1}}, {{0x2243, 4}}};
  const std::vector<Instruction> loops[2] = {HottestLoop(ReadInstructions(kOld), moments[0]),
                                             HottestLoop(ReadInstructions(kNew), moments[1])};
  const std::vector<std::string> lines = SideBySide(loops, moments);
  EXPECT_EQ("\n" + absl::StrJoin(lines, "\n"), R"(
 50 % 1: mov eax,DWORD PTR [rdi]                           1: mov eax,DWORD PTR [rdi]
                                                   > 100 %    imul eax,eax
 50 %    add ecx,eax                                          add ecx,eax
         add rdi,0x4                               |          add rdi,0x8
         jne 1                                                jne 1)");
}

}  // namespace
}  // namespace duetbench
