#ifndef DUETBENCH_TOOLS_DUET_REPORT_EXPLAIN_STACK_SITE_H_
#define DUETBENCH_TOOLS_DUET_REPORT_EXPLAIN_STACK_SITE_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "duetbench/record/explanation.h"
#include "tools/duet_report/explain/code_names.h"

namespace duetbench {

// The function that a moment of a variant counts for, and the line of the user's code that it goes
// back to. System code is that of the standard libraries, whose functions a user calls but does not
// write: it counts for the call in the user's code.
struct StackSite {
  // The variant's function executes its own code, with what is inlined into it.
  bool is_variant = false;
  // "operator new" or "Hash", without arguments and template arguments, or "code without a symbol
  // in libgcc_s.so.1".
  std::string function;
  // The line of user code that is executed, or that calls `function` if that is system code:
  // "maps.cc:12".
  std::string line;
  // The user's function with that line, or that calls `function`; empty: there is none.
  std::string caller;
  std::string caller_line;  // of that call
  bool is_system = false;   // `function` is
};

struct NamedStack {
  StackSite site;
  // The variant's functions (ShortFunction), outermost first, without that of the variant itself.
  // With inlined functions.
  std::vector<std::string> path;
  double count = 0;  // of moments
};

// `files`: CountedStacks::files. Nothing if the moment is none of the variant's code, but of
// duetbench around it.
std::optional<NamedStack> NameStack(const CountedStack& stack,
                                    const std::vector<std::string>& files, CodeNames* names);

// Code of the standard libraries, in the file `binary`.
bool IsSystemCode(const NamedFrame& frame, const std::string& binary);

// A demangled name without arguments, template arguments and return type: "std::vector::push_back".
std::string ShortFunction(absl::string_view demangled);

}  // namespace duetbench

#endif  // DUETBENCH_TOOLS_DUET_REPORT_EXPLAIN_STACK_SITE_H_
