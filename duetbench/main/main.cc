// The main of programs that link duetbench::main instead of writing DUET_MAIN().
#include "duetbench/api/macros.h"

DUET_MAIN();
