#ifndef DUETBENCH_TOOLS_DUET_REPORT_EXPLAIN_CODE_NAMES_H_
#define DUETBENCH_TOOLS_DUET_REPORT_EXPLAIN_CODE_NAMES_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace duetbench {

// A function that a place in the code belongs to, and the line that is executed there.
struct NamedFrame {
  std::string function;  // "Trim(std::string)"; empty: there is no symbol
  std::string file;      // of the source; empty: the file has no line numbers
  int line = 0;
  bool is_inlined = false;  // into the next frame
  // The code of a function that is not inlined, addresses like CodePlace::address; 0: not known.
  uint64_t begin = 0;
  uint64_t size = 0;
};

// Names of places in the code of files, from their symbols and DWARF, by libdw of elfutils.
class CodeNames {
 public:
  // Unavailable if this was built without libdw.
  static absl::StatusOr<std::unique_ptr<CodeNames>> Load();
  virtual ~CodeNames() = default;

  // The functions at `address` (CodePlace::address) of `file`, innermost first: those that are
  // inlined there, and last the one whose code it is. At least one. The first place of a file costs
  // milliseconds for each 10 MB of its debugging information; places are remembered.
  virtual const std::vector<NamedFrame>& FramesAt(const std::string& file, uint64_t address) = 0;
};

}  // namespace duetbench

#endif  // DUETBENCH_TOOLS_DUET_REPORT_EXPLAIN_CODE_NAMES_H_
