// Functions of a shared library that tell where they lie in it.
#include "tests/integration/work.h"

extern "C" {
void NoteOldPlace() { NoteAddress("old", reinterpret_cast<const void*>(NoteOldPlace)); }
void NoteNewPlace() { NoteAddress("new", reinterpret_cast<const void*>(NoteNewPlace)); }
}
