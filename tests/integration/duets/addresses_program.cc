// Variants that tell where they lie in the image of the program, or of its library, and where their
// memory is.
#include <duetbench/duetbench.h>

#include "tests/integration/work.h"

#ifdef INTEGRATION_PLACES
void NoteOldPlace();
void NoteNewPlace();
#endif

namespace {

__attribute__((noinline)) void Old(duetbench::State& state) {
#ifdef INTEGRATION_PLACES
  NoteOldPlace();
#else
  NoteAddress("old", reinterpret_cast<const void*>(Old));
#endif
  NoteMemory("old_memory");
  for (auto _ : state) Steps(300);
}
__attribute__((noinline)) void New(duetbench::State& state) {
#ifdef INTEGRATION_PLACES
  NoteNewPlace();
#else
  NoteAddress("new", reinterpret_cast<const void*>(New));
#endif
  NoteMemory("new_memory");
  for (auto _ : state) Steps(300);
}

}  // namespace

int main(int argc, char** argv) {
  duetbench::RegisterDuet("Addresses", &Old, &New);
  return duetbench::Main(argc, argv);
}
