// Compiled where duetbench is built and where it is used, and never linked: CMake compares the
// numbers in both object files (DuetbenchGoogleBenchmarkLayout.cmake).
#include "duetbench/variant/google_benchmark_layout.h"
