#ifndef DUETBENCH_TOOLS_DUET_REPORT_EXPLAIN_CODE_LISTING_H_
#define DUETBENCH_TOOLS_DUET_REPORT_EXPLAIN_CODE_LISTING_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

// The machine code of a function in old and new, side by side. Pure functions of what objdump(1)
// prints.
namespace duetbench {

struct Instruction {
  uint64_t address = 0;
  std::string text;
  uint64_t target = 0;  // of a branch within the function; 0: it is none
};

// Instructions of the output of `objdump --disassemble --no-show-raw-insn` for one function. Where
// an instruction has an address of something with a symbol, its text has the symbol.
std::vector<Instruction> ReadInstructions(absl::string_view objdump);

// The innermost loop around the instruction with most moments, or its surroundings if there is no
// loop of 60 instructions at most. A loop is what a jump backwards encloses.
std::vector<Instruction> HottestLoop(const std::vector<Instruction>& function,
                                     const std::map<uint64_t, uint64_t>& moments);

// One line for each instruction: the share of the moments of old, its instruction, '|' where the
// two differ, '<' or '>' where only one has it, and the same of new. Targets of branches are
// numbers of lines of the listing where they are in it, so that moved code is the same.
std::vector<std::string> SideBySide(const std::vector<Instruction> (&loops)[2],
                                    const std::map<uint64_t, uint64_t> (&moments)[2]);

}  // namespace duetbench

#endif  // DUETBENCH_TOOLS_DUET_REPORT_EXPLAIN_CODE_LISTING_H_
