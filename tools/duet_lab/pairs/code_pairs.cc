#include "tools/duet_lab/pairs/code_pairs.h"

#include "tools/duet_lab/pairs/topics.h"

namespace duetbench::lab {

const std::vector<CodePair>& CodePairs() {
  constexpr PairSet kTuning = PairSet::kTuning;
  constexpr PairSet kHoldOut = PairSet::kHoldOut;
  static const auto* const pairs = new std::vector<CodePair>{
      {"std_map_vs_btree_map", kTuning, "look-ups among 4096 keys", StdMapAndBtreeMap},
      {"unordered_vs_flat_hash_map", kTuning, "look-ups among 4096 keys",
       UnorderedMapAndFlatHashMap},
      {"list_vs_vector", kTuning, "the sum of 5000 numbers", ListAndVector},
      {"linear_vs_binary_search", kTuning, "in 64 numbers", LinearAndBinarySearch},
      {"sort_vs_stable_sort", kTuning, "1000 random numbers", SortAndStableSort},
      {"random_vs_sorted_branches", kTuning, "a branch on each of 4096 numbers",
       RandomAndSortedBranches},
      {"snprintf_vs_to_chars", kTuning, "a whole number", SnprintfAndToChars},
      {"plus_vs_strcat", kTuning, "five strings", PlusAndStrCat},
      {"stoi_vs_simple_atoi", kTuning, "a whole number", StoiAndSimpleAtoi},
      {"regex_vs_scanner", kTuning, "a line of KEY=NUMBER;", RegexAndScanner},
      {"shared_ptr_vs_make_shared", kTuning, "an object of 48 bytes", SharedPtrAndMakeShared},
      {"push_back_vs_reserve", kTuning, "a vector of 1000 numbers", PushBackAndReserve},
      {"memcpy_vs_memset", kTuning, "1 MiB", MemcpyAndMemset},
      {"fill_vs_memset", kTuning, "4 KiB", FillAndMemset},
      {"mutex_vs_atomic", kTuning, "a counter", MutexAndAtomic},
      {"virtual_vs_switch", kTuning, "the areas of 256 shapes", VirtualAndSwitch},
      {"exception_vs_value", kTuning, "one error in 16 steps", ExceptionAndValue},
      {"many_vs_few_reads", kTuning, "1 KiB in parts of 64 and of 256 bytes", ManyAndFewReads},
      {"scalar_vs_simd", kTuning, "the product of vectors of 2048 floats", ScalarAndSimd},
      {"division_vs_product", kTuning, "256 numbers modulo another one", DivisionAndProduct},

      {"set_vs_sorted_vector", kHoldOut, "look-ups among 1024 strings", SetAndSortedVector},
      {"branching_vs_branchless", kHoldOut, "binary search in 16384 numbers",
       BranchingAndBranchlessSearch},
      {"partial_sort_vs_nth_element", kHoldOut, "the 100 smallest of 1000 numbers in order",
       PartialSortAndNthElement},
      {"ostringstream_vs_str_format", kHoldOut, "a line with three numbers",
       OstringstreamAndStrFormat},
      {"find_vs_horspool", kHoldOut, "23 bytes in 4 KiB of text", FindAndHorspool},
      {"pointers_vs_values", kHoldOut, "a vector of 200 objects", PointersAndValues},
      {"shared_mutex_vs_plain_mutex", kHoldOut, "a read under a lock", SharedMutexAndMutex},
      {"memmove_vs_memcpy", kHoldOut, "4 MiB", MemmoveAndMemcpy},
      {"pow_vs_horner", kHoldOut, "a polynomial at 64 places", PowAndHorner},
      {"faults_vs_populate", kHoldOut, "64 new pages", FaultsAndPopulate},
  };
  return *pairs;
}

}  // namespace duetbench::lab
