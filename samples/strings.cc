// Functions without arguments need no loop: duetbench calls them in a loop and keeps their results
// alive.
#include <duetbench/duetbench.h>

#include <sstream>
#include <string>

#include "absl/strings/str_cat.h"

static std::string WithStream() {
  std::ostringstream out;
  out << "key " << 42 << " = " << 2.5;
  return out.str();
}

static std::string WithStrCat() { return absl::StrCat("key ", 42, " = ", 2.5); }

DUET_BENCHMARK(WithStream, WithStrCat);

DUET_MAIN();
