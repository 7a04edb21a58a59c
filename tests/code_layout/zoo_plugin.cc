// A shared library that calls functions of the program that loads it.
#include <any>

extern "C" int Exported(int x);
extern "C" int CallBack(int (*function)(int), int x) { return function(x) + Exported(x); }
extern "C" int IsExported(int (*function)(int)) { return function == Exported ? 1 : 0; }
// Its function pointers and type information are compared with those of the program.
extern "C" void MakeAny(std::any* any) { *any = 42; }
