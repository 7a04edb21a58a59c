#ifndef DUETBENCH_PLATFORM_LOOK_UP_H_
#define DUETBENCH_PLATFORM_LOOK_UP_H_

#include <dlfcn.h>

namespace duetbench {

// Sets `function` to the one of that name in a library of dlopen. False: the library lacks it; the
// pointer is then null, and dlerror() says why.
template <class Function>
bool LookUp(void* library, const char* name, Function* function) {
  *function = reinterpret_cast<Function>(dlsym(library, name));
  return *function != nullptr;
}

}  // namespace duetbench

#endif  // DUETBENCH_PLATFORM_LOOK_UP_H_
