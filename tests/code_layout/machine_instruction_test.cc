#include "duetbench/code_layout/machine_instruction.h"

#include <vector>

#include "gtest/gtest.h"

namespace duetbench {
namespace {

MachineInstruction Decode(const std::vector<uint8_t>& bytes) { return DecodeInstruction(bytes); }

TEST(MachineInstruction, FindsTheDisplacements) {
  // lea 0x11223344(%rip), %rdi
  const MachineInstruction lea = Decode({0x48, 0x8d, 0x3d, 0x44, 0x33, 0x22, 0x11});
  EXPECT_EQ(lea.length, 7);
  EXPECT_EQ(lea.displacement_at, 3);
  EXPECT_EQ(lea.displacement_size, 4);
  EXPECT_FALSE(lea.is_branch);
  EXPECT_EQ(lea.reg(), 7);
  // cmpl $0x55667788, 0x11223344(%rip): a constant follows the displacement
  const MachineInstruction compare =
      Decode({0x81, 0x3d, 0x44, 0x33, 0x22, 0x11, 0x88, 0x77, 0x66, 0x55});
  EXPECT_EQ(compare.length, 10);
  EXPECT_EQ(compare.displacement_at, 2);
  // jne, short; call
  EXPECT_EQ(Decode({0x75, 0x10}).displacement_size, 1);
  const MachineInstruction call = Decode({0xe8, 0, 0, 0, 0});
  EXPECT_TRUE(call.is_branch);
  EXPECT_EQ(call.displacement_at, 1);
  // mov 0x11223344(%rax), %eax is relative to a register
  EXPECT_EQ(Decode({0x8b, 0x80, 0x44, 0x33, 0x22, 0x11}).displacement_size, 0);
}

TEST(MachineInstruction, WithoutItsLastByteIsNotUnderstood) {
  const std::vector<uint8_t> lea = {0x48, 0x8d, 0x3d, 0x44, 0x33, 0x22, 0x11};
  for (size_t size = 0; size < lea.size(); ++size) {
    EXPECT_EQ(DecodeInstruction(absl::MakeConstSpan(lea).subspan(0, size)).length, 0) << size;
  }
}

TEST(MachineInstruction, ThatNoCodeHasIsNotUnderstood) {
  EXPECT_EQ(Decode({0x06, 0, 0, 0, 0, 0, 0, 0}).length, 0);              // push %es
  EXPECT_EQ(Decode(std::vector<uint8_t>(15, 0x66)).length, 0);           // prefixes alone
  EXPECT_EQ(Decode({0x67, 0x8b, 0x05, 0, 0, 0, 0, 0}).length, 0);        // mov 0(%eip), %eax
  EXPECT_EQ(Decode({0x8f, 0xe8, 0x78, 0xa2, 0xc0, 0, 0, 0}).length, 0);  // XOP
}

}  // namespace
}  // namespace duetbench
