// Linked into each program that is built in the tree of duetbench, which knows duet_report by it.
#include "duetbench/platform/report_tool_path.h"
