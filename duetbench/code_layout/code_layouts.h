#ifndef DUETBENCH_CODE_LAYOUT_CODE_LAYOUTS_H_
#define DUETBENCH_CODE_LAYOUT_CODE_LAYOUTS_H_

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "duetbench/code_layout/movable_code.h"
#include "duetbench/code_layout/placement.h"
#include "duetbench/platform/spawn.h"

// The code layouts of runs: each run starts from a copy of its program in which all functions lie
// in random order at random distances, so that runs differ by what the addresses of code do. The
// interval contains that; and what belongs to one variant and takes the place of the other one in
// the next run cancels in the mean of both.
namespace duetbench {

// An executable file and its shared libraries outside of the system's folders, read once.
class Executable {
 public:
  struct Module {
    std::string name;        // by which others demand it; of the executable empty
    bool is_loaded = false;  // by the program itself (dlopen)
    std::string path;        // of the file, whatever links lead to it
    MovableCode code;
    std::vector<std::string> keys;  // KeysOfFunctions
  };

  // `path` may be the one of a process, /proc/self/exe; it is started in `folder`, or in this one
  // if that is empty. `mapped`: the files whose code a process of it has mapped, where copies can
  // take the places of those that it loads (LibraryToLoad). The error names the file and the reason
  // for which its code cannot be moved.
  static absl::StatusOr<std::shared_ptr<const Executable>> Read(
      const std::string& path, const std::string& folder = "",
      absl::Span<const std::string> mapped = {});

  // The executable; the libraries that are copied, each before those that it demands; then those
  // that the program loads.
  const std::vector<Module>& modules() const { return modules_; }
  // Why the code of a library outside of the system's folders is not moved; empty: that of all is.
  // `mapped`: the files whose code a process of it has mapped, in which there may be some that it
  // has loaded itself.
  std::string WhySomeStay(absl::Span<const std::string> mapped) const;

 private:
  Executable() = default;
  void ReadLibraries(const std::string& path, const std::string& folder);
  void ReadLoadedLibraries(absl::Span<const std::string> mapped);
  // Those that are neither copied nor of the system.
  std::vector<std::string> OthersOf(absl::Span<const std::string> mapped) const;
  std::vector<Module> modules_;
  std::string why_some_stay_;
};

class CodeLayouts {
 public:
  // The layouts of the runs of one program. `entries` are addresses in the file, for each variant:
  // its function, or its virtual table (FunctionsOfVariants).
  static std::shared_ptr<const CodeLayouts> OfVariants(
      std::shared_ptr<const Executable> program, absl::Span<const std::vector<uint64_t>> entries);
  // The layouts of the runs of programs that are compared: what they have in common lies at the
  // same addresses.
  static std::shared_ptr<const CodeLayouts> OfPrograms(
      std::vector<std::shared_ptr<const Executable>> programs);

  // The number of the layout of a run, from 0. With variants that take each other's places, as many
  // consecutive runs as there are variants have one layout.
  int LayoutOf(uint32_t run) const { return static_cast<int>(run / turns_); }

  // The first run from `run` on that has copies; `run` itself if none has. The last copies of
  // programs are kept, one more whenever one is asked for again, up to 256 MB: all benchmarks of a
  // suite share them, and those that are behind leave out the layouts that are gone.
  uint32_t NextRunWithCopies(uint32_t run) const;

  // The executable of each program for a run, then their libraries; the same for the same seed. The
  // processes of a run find the libraries as descriptors of this process, which must not fork in
  // between. 0.7 ms for each MB of code; nothing if the run has copies. Of programs, all calls have
  // the same seed. `traps`: CopyOptions.
  using Copies = std::shared_ptr<const std::vector<Descriptor>>;
  absl::StatusOr<Copies> MakeCopies(uint64_t seed, uint32_t run, bool traps = false) const;

  // Places in files of a process of these copies as places in the files that were copied: the paths
  // of `files`, of which the first one is the executable, and addresses, each with the number of
  // its file. What is not moved stays as it is.
  void ToOriginal(size_t program, uint64_t seed, uint32_t run, absl::Span<const Descriptor> copies,
                  std::vector<std::string>* files,
                  absl::Span<const std::pair<size_t, uint64_t*>> addresses) const;
  // The value of kLoadedLibrariesVariable for processes of these copies.
  std::string LoadedLibraries(size_t program, absl::Span<const Descriptor> copies) const;
  size_t programs() const { return programs_.size(); }
  const Executable& program(size_t number) const { return *programs_[number]; }

 private:
  // Modules that have places in common.
  struct Group {
    std::vector<std::pair<size_t, size_t>> modules;  // program, module of it
    Slots slots;
  };
  explicit CodeLayouts(std::vector<std::shared_ptr<const Executable>> programs);
  std::vector<const MovableCode*> CodesOf(const Group& group) const;
  Slots CommonSlotsOf(const Group& group) const;
  const Executable::Module& ModuleAt(size_t program, size_t module) const {
    return programs_[program]->modules()[module];
  }
  // The number of its copy.
  size_t CopyOf(size_t program, size_t module) const {
    return module == 0 ? program : first_library_[program] + module - 1;
  }
  // The module that has this path in a process of the copies; nothing: it is not copied.
  std::optional<size_t> ModuleOf(const std::string& path, size_t program,
                                 absl::Span<const Descriptor> copies) const;
  // By program and module.
  std::vector<std::vector<Placement>> PlacementsOf(uint64_t seed, uint32_t run) const;
  // Files of copies that are not kept any more and that nobody has; else closed ones.
  std::shared_ptr<std::vector<Descriptor>> TakeFiles() const;

  const std::vector<std::shared_ptr<const Executable>> programs_;
  std::vector<size_t> first_library_;  // its copy, by program
  size_t count_ = 0;                   // of copies
  std::vector<Group> groups_;
  uint32_t turns_ = 1;
  // Copies of programs, by run; how many there may be; and the bytes of the last ones.
  mutable std::map<uint32_t, std::shared_ptr<std::vector<Descriptor>>> kept_;
  mutable size_t most_kept_ = 1;
  mutable size_t bytes_ = 0;
};

// The copies of a program for a run, of which those for the next one are made while it starts. They
// are those of one experiment whose runs follow each other: a suite has many experiments.
class CopiesOfRuns {
 public:
  // CodeLayouts::MakeCopies, at once if they have been made.
  absl::StatusOr<CodeLayouts::Copies> Take(std::shared_ptr<const CodeLayouts> layouts,
                                           uint64_t seed, uint32_t run);
  // The next run may follow the one for which copies were taken last. Not of several programs,
  // which share their copies.
  bool is_next_due() const { return is_next_due_; }
  // Makes those for the next run. Where it fails, Take says why.
  void MakeNext();

 private:
  std::shared_ptr<const CodeLayouts> layouts_;
  uint64_t seed_ = 0;
  uint32_t run_ = 0;
  bool is_next_due_ = false;
  CodeLayouts::Copies next_;
};

// The address of a place of this process in the file of its executable.
uint64_t AddressInThisExecutable(const void* place);

// The functions of each of `modules` that only one of several variants leads to, for each variant,
// in the order of a breadth-first search: of variants alike, functions with the same index
// correspond. `entries` are addresses of each variant in the first module: of functions, or of
// tables of functions in data, such as a virtual table. A function leads to those that it calls,
// whose address it takes, or that are in a table of which it takes the address; a symbol to the
// first module that has it. What is called through other pointers is not seen.
std::vector<std::vector<std::vector<int32_t>>> FunctionsOfVariants(
    absl::Span<const MovableCode* const> modules, absl::Span<const std::vector<uint64_t>> entries);

}  // namespace duetbench

#endif  // DUETBENCH_CODE_LAYOUT_CODE_LAYOUTS_H_
