#ifndef TOOLS_DUET_CODE_SAME_CODE_H_
#define TOOLS_DUET_CODE_SAME_CODE_H_

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "tools/duet/code/part_comparison.h"
#include "tools/duet/code/program_code.h"

// Proves that two programs execute the same code.
//
// A program is a graph: its parts are functions and pieces of data, its edges the references
// between them, which the bytes of instructions (addresses relative to them) and relocations (all
// pointers in data: the programs are position-independent) contain. Two parts are the same if they
// have the same bytes apart from references, and if their references lead, one by one, to parts
// that are the same, at the same offset in them, or to the same symbol of another file. Parts are
// compared along the references, from pairs of roots. When all pairs that are reached are the same,
// the graphs are bisimilar: each step of the one program, from the same state, is a step of the
// other one, apart from the numbers that addresses are. Mutable objects must correspond one to one,
// with the same first content, and all code that can fill them is compared.
//
// All code that a process can execute is reached, as a pointer to code comes from somewhere:
//  - from a reference in code that is executed, or in data that such code refers to: an edge;
//  - from the loader: main, initializers, finalizers, and what the program exports under a name
//    that a shared library has too (operator new): roots;
//  - from dlsym: programs that call it, dlopen, or start other programs, are not compared
//  (duetbench
//    itself calls it, for libpfm);
//  - from the registration of benchmarks, by initializers or main: they take the addresses of all
//    benchmarks. A process executes one benchmark. Functions that take a State by reference are
//    called with one by the library only; those that the benchmark executes are roots, which a
//    trace finds, and those that only main, initializers and finalizers refer to are not followed.
//
// Initializers pass the line of each registration on, for reports. In them a constant may be such a
// line of old, where it is that of the same benchmark in new.
//
// As a check, each function that the trace saw executed must have been reached.
//
// Speed depends on places, too. What a compiler or linker chooses by chance (a function that moves
// by 16 bytes) is left out, but not what sources demand: sections have the same alignment of more
// than 32 bytes, and no mutable object was moved from within 128 bytes of another one to the begin
// of a line of the cache, or back.
//
// Data without a symbol has no known size. A direct access has the size of its operand. Where an
// address is taken: EndOfUnnamed. An address may be taken with an offset, outside of its object
// (`&table[i - 1]`): objects within 64 bytes of an address that is taken are compared with it, and
// within 4 KB those that have the same name and the same distance in both programs.
//
// Not seen, and assumed not to be there: larger offsets; another alignment of an object below that
// of its section; a function with a State that only another iteration calls, by way of a pointer
// which an initializer stored; assembly with wrong sizes of symbols; another constant of an
// initializer that changes from a line to that of the same benchmark.
namespace duetbench::duet {

class SameCode {
 public:
  using Lines = PartComparison::Lines;

  // Both programs outlive it.
  SameCode(const ProgramCode& old_code, const ProgramCode& new_code, Lines lines = {});

  // Compares main, initializers, finalizers and `exported`, without the benchmarks that they
  // register. The message of an error names a part that differs.
  absl::Status CompareStart(const std::set<std::string>& exported);
  // Compares the benchmark that executes these functions (their addresses), and checks that each of
  // them was reached. After CompareStart.
  absl::Status CompareExecuted(const std::vector<uint64_t>& old_functions,
                               const std::vector<uint64_t>& new_functions);
  // The functions with these addresses have the same instructions, and refer to functions and data
  // of the same names; what those contain is not compared. An error: it is not known.
  absl::StatusOr<bool> CompareFunctions(const uint64_t (&addresses)[2]);

 private:
  using Pair = PartComparison::Pair;

  // The pairs that were reached from roots.
  struct Reached {
    std::set<const Pair*> pairs;
    std::map<uint64_t, uint64_t> objects[2];  // mutable, from each side to the other one
    std::set<uint64_t> functions[2];
  };

  // Alignments, and the libraries in which symbols are looked up.
  absl::Status CompareFiles() const;
  // No mutable object was moved from beside another one to the begin of a line of the cache, or
  // back.
  absl::Status CompareDistances(const Reached& reached) const;
  // Follows references from `root`.
  absl::Status Follow(const Pair& root, bool stops_at_state, Reached* reached);

  const ProgramCode* const codes_[2];
  PartComparison parts_;
  Reached start_;
};

}  // namespace duetbench::duet

#endif  // TOOLS_DUET_CODE_SAME_CODE_H_
