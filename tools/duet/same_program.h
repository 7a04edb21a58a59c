#ifndef TOOLS_DUET_SAME_PROGRAM_H_
#define TOOLS_DUET_SAME_PROGRAM_H_

#include <string>
#include <vector>

#include "duetbench/google_benchmark/handshake.h"
#include "tools/duet/command_line.h"

namespace duetbench::duet {

// The bytes of an ELF file of this machine without its build id and its debugging sections (DWARF,
// symbols, the section headers): two links of the same objects, with or without -g, have the same.
// All bytes of another file; empty if it cannot be read. Reads the file once.
std::string BytesWithoutDebugging(const std::string& path);

// True if all programs have these bytes in common, and so have the shared libraries that they had
// loaded when they answered, and they run in the same folder: in two folders they may read unlike
// files. False for commands, whose effect is not known, and for scripts. Other files that the
// programs read are not compared.
bool AreSameProgram(const std::vector<ProgramCommand>& programs, const std::vector<Offer>& offers);

}  // namespace duetbench::duet

#endif  // TOOLS_DUET_SAME_PROGRAM_H_
