// Variants that tell where they lie in the image of the program, or of a library that it is linked
// with or loads (INTEGRATION_LIBRARY), and where their memory is.
#include <dlfcn.h>
#include <duetbench/duetbench.h>

#include <cstdlib>

#include "tests/integration/work.h"

extern "C" void NoteOldPlace();
extern "C" void NoteNewPlace();

namespace {

void Old(duetbench::State& state);
void New(duetbench::State& state);

#ifndef INTEGRATION_PLACES
void* library = nullptr;

void NoteIn(const char* function, const char* name, void (*variant)(duetbench::State&)) {
  if (library == nullptr) return NoteAddress(name, reinterpret_cast<const void*>(variant));
  reinterpret_cast<void (*)()>(dlsym(library, function))();
}
#define NoteOldPlace() NoteIn("NoteOldPlace", "old", Old)
#define NoteNewPlace() NoteIn("NoteNewPlace", "new", New)
#endif

__attribute__((noinline)) void Old(duetbench::State& state) {
  NoteOldPlace();
  NoteMemory("old_memory");
  for (auto _ : state) Steps(300);
}
__attribute__((noinline)) void New(duetbench::State& state) {
  NoteNewPlace();
  NoteMemory("new_memory");
  for (auto _ : state) Steps(300);
}

}  // namespace

int main(int argc, char** argv) {
#ifndef INTEGRATION_PLACES
  if (const char* const path = std::getenv("INTEGRATION_LIBRARY")) library = dlopen(path, RTLD_NOW);
#endif
  duetbench::RegisterDuet("Addresses", &Old, &New);
  return duetbench::Main(argc, argv);
}
