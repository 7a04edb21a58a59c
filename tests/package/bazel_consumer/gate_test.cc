// The gate of a stranger: allocating a string for each call must not get to be faster than none.
#include <duetbench/duetbench.h>

#include <string>

static size_t Short() { return std::string("old").size(); }
static size_t Long() { return std::string(100, 'x').size(); }

DUET_BENCHMARK(Long, Short)->MaxRatio(1.0);
