#ifndef DUETBENCH_TOOLS_DUET_LAB_PAIRS_TOPICS_H_
#define DUETBENCH_TOOLS_DUET_LAB_PAIRS_TOPICS_H_

#include "tools/duet_lab/pairs/code_pair.h"

// The pairs by topic: OLD and NEW of each. code_pairs.cc has the table of them.
namespace duetbench::lab {

// containers.cc
PairSides StdMapAndBtreeMap();
PairSides UnorderedMapAndFlatHashMap();
PairSides ListAndVector();
PairSides LinearAndBinarySearch();
PairSides SetAndSortedVector();
PairSides BranchingAndBranchlessSearch();

// sorts.cc
PairSides SortAndStableSort();
PairSides PartialSortAndNthElement();
PairSides RandomAndSortedBranches();

// text.cc
PairSides SnprintfAndToChars();
PairSides PlusAndStrCat();
PairSides StoiAndSimpleAtoi();
PairSides RegexAndScanner();
PairSides OstringstreamAndStrFormat();
PairSides FindAndHorspool();

// memory.cc
PairSides SharedPtrAndMakeShared();
PairSides PushBackAndReserve();
PairSides PointersAndValues();
PairSides MemcpyAndMemset();
PairSides FillAndMemset();
PairSides MemmoveAndMemcpy();
PairSides FaultsAndPopulate();

// calls.cc
PairSides MutexAndAtomic();
PairSides SharedMutexAndMutex();
PairSides VirtualAndSwitch();
PairSides ExceptionAndValue();
PairSides ManyAndFewReads();

// arithmetic.cc
PairSides ScalarAndSimd();
PairSides DivisionAndProduct();
PairSides PowAndHorner();

}  // namespace duetbench::lab

#endif  // DUETBENCH_TOOLS_DUET_LAB_PAIRS_TOPICS_H_
