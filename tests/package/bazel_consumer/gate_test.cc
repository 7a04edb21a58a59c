// A gate: building a string with an allocation must not become faster than building one without.
#include <duetbench/duetbench.h>

#include <string>

static size_t Short() { return std::string("old").size(); }
static size_t Long() { return std::string(100, 'x').size(); }

DUET_BENCHMARK(Long, Short)->MaxRatio(1.0);
