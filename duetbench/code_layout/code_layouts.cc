#include "duetbench/code_layout/code_layouts.h"

#include <link.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <set>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "duetbench/code_layout/elf_file.h"
#include "duetbench/code_layout/executable_file.h"
#include "duetbench/code_layout/program_copy.h"
#include "duetbench/code_layout/shared_libraries.h"
#include "duetbench/platform/process.h"
#include "duetbench/platform/random.h"

namespace duetbench {
namespace {

absl::Status Named(const std::string& path, const absl::Status& status) {
  const std::string name = path.substr(path.rfind('/') + 1);
  return absl::Status(status.code(), absl::StrCat(name, " ", status.message()));
}

// An error if more than `most_bytes` of it are loaded.
absl::StatusOr<Executable::Module> ReadModule(const std::string& path,
                                              uint64_t most_bytes = UINT64_MAX) {
  Executable::Module module;
  module.path = PathOfFile(path);
  if (const absl::Status status = CheckHasNoRights(path); !status.ok()) {
    return Named(module.path, status);
  }
  const absl::StatusOr<MappedFile> file = MappedFile::Open(path);
  if (!file.ok()) return Named(module.path, file.status());
  const absl::StatusOr<ElfFile> elf = ElfFile::Parse(file->bytes());
  if (elf.ok() && elf->LoadedEnd() > most_bytes) {
    return Named(module.path, absl::FailedPreconditionError("is too large to be copied for a run"));
  }
  absl::StatusOr<MovableCode> code = ReadMovableCode(file->bytes());
  if (!code.ok()) return Named(module.path, code.status());
  module.code = *std::move(code);
  module.keys = KeysOfFunctions(module.code, file->bytes());
  return module;
}

// A library whose copy the loader takes for every library and program that demands `name`.
absl::StatusOr<Executable::Module> ReadLibrary(const SharedLibrary& library, uint64_t most_bytes) {
  absl::StatusOr<Executable::Module> module = ReadModule(library.path, most_bytes);
  if (!module.ok()) return module;
  module->name = library.name;
  const MovableCode& code = module->code;
  if (code.library_name != library.name) {
    return Named(module->path,
                 absl::FailedPreconditionError("is demanded by another name than its SONAME"));
  }
  const bool loads = std::any_of(code.imports.begin(), code.imports.end(),
                                 [](const auto& each) { return each.symbol == "dlopen"; });
  if (loads && code.needs_its_folder) {
    return Named(module->path,
                 absl::FailedPreconditionError("may load libraries from its own folder"));
  }
  return module;
}

// Chosen: 0.05 s for the copies of each run.
constexpr uint64_t kMostBytesOfLibraries = 64 << 20;

bool Demands(const Executable::Module& module, const std::string& name) {
  return std::any_of(module.code.libraries.begin(), module.code.libraries.end(),
                     [&](const auto& each) { return each.name == name; });
}

// The descriptor of this process, as another process of it sees it.
std::string PathInThisProcess(int fd) { return absl::StrCat("/proc/", getpid(), "/fd/", fd); }

// An alignment with which several processes of a run have the same base address: equal code then
// has equal addresses. Without randomization the kernel chooses 0x555555554000, of which 17
// alignments leave other ones, each of which has its turn: the seeds of hash functions can be
// addresses of data (absl::Hash), which two builds have elsewhere. The kernel adds less than 2^40
// at random where it cannot be asked not to.
uint64_t AlignmentOfBase(uint64_t seed, int layout) {
  const uint64_t first = MayFixLayout() ? 14 : 42;
  const uint64_t count = (46 - first) / 2 + 1;
  return uint64_t{1} << (first + (seed + static_cast<uint64_t>(layout)) % count * 2);
}

}  // namespace

absl::StatusOr<std::shared_ptr<const Executable>> Executable::Read(
    const std::string& path, const std::string& folder, absl::Span<const std::string> mapped) {
  absl::StatusOr<Module> module = ReadModule(path);
  if (!module.ok()) return module.status();
  std::shared_ptr<Executable> executable(new Executable);
  executable->modules_.push_back(*std::move(module));
  executable->ReadLibraries(path, folder);
  executable->ReadLoadedLibraries(mapped);
  return executable;
}

void Executable::ReadLibraries(const std::string& path, const std::string& folder) {
  // A program that the kernel or another loader starts would be executed.
  const std::string& loader = modules_[0].code.interpreter;
  std::vector<SharedLibrary> libraries;
  if (absl::StartsWith(loader.substr(loader.rfind('/') + 1), "ld-linux")) {
    libraries = SharedLibrariesOf(path, folder);
  }
  std::map<std::string, std::string> own;
  std::map<std::string, Module> movable;
  std::vector<SharedLibrary> staying;
  uint64_t left_bytes = kMostBytesOfLibraries;
  for (const SharedLibrary& library : libraries) {
    if (IsOfSystem(library.path)) {
      staying.push_back(library);
      continue;
    }
    own.emplace(library.name, library.path);
    absl::StatusOr<Module> module = ReadLibrary(library, left_bytes);
    if (module.ok()) {
      left_bytes -= module->code.image.size();
      movable.emplace(library.name, *std::move(module));
    } else {
      staying.push_back(library);
      why_some_stay_ = std::string(module.status().message());
    }
  }
  // A library that is demanded by one that stays does so, too: the loader could take it beside its
  // copy.
  for (size_t i = 0; i < staying.size() && !movable.empty(); ++i) {
    const SharedLibrary library = staying[i];
    for (const std::string& name : DemandsOfLibrary(library.path)) {
      if (movable.erase(name) == 0) continue;
      staying.push_back({name, own[name]});
      why_some_stay_ = absl::StrCat(name, " is demanded by ", library.name, ", which stays");
    }
  }
  while (!movable.empty()) {
    const auto next = std::find_if(movable.begin(), movable.end(), [&](const auto& each) {
      return std::none_of(movable.begin(), movable.end(),
                          [&](const auto& other) { return Demands(other.second, each.first); });
    });
    if (next == movable.end()) {
      why_some_stay_ =
          absl::StrCat(movable.begin()->first, " and another library demand each other");
      modules_.resize(1);
      break;
    }
    modules_.push_back(std::move(next->second));
    movable.erase(next);
  }
  for (Module& module : modules_) {
    std::vector<MovableCode::LibraryName> names;
    for (MovableCode::LibraryName& library : module.code.libraries) {
      const auto found = own.find(library.name);
      if (modules_.size() == 1 || found == own.end()) continue;
      // Those in the folder of a library ($ORIGIN) are not in that of its copy.
      library.path = found->second;
      names.push_back(std::move(library));
    }
    module.code.libraries = std::move(names);
  }
}

std::vector<std::string> Executable::OthersOf(absl::Span<const std::string> mapped) const {
  std::vector<std::string> others;
  for (const std::string& path : mapped) {
    const bool is_copied = std::any_of(modules_.begin(), modules_.end(),
                                       [&](const Module& module) { return module.path == path; });
    if (!is_copied && !IsOfSystem(path)) others.push_back(path);
  }
  return others;
}

void Executable::ReadLoadedLibraries(absl::Span<const std::string> mapped) {
  const std::vector<std::string> others = OthersOf(mapped);
  if (others.empty()) return;
  std::set<std::string> demanded;
  for (const std::string& path : mapped) {
    for (std::string& name : DemandsOfLibrary(path)) demanded.insert(std::move(name));
  }
  for (const std::string& path : others) {
    absl::StatusOr<Module> module = ReadModule(path, kMostBytesOfLibraries);
    // WhySomeStay names the others.
    if (!module.ok() || module->code.needs_its_folder ||
        demanded.count(module->code.library_name) != 0) {
      continue;
    }
    module->is_loaded = true;
    module->code.libraries.clear();
    modules_.push_back(*std::move(module));
  }
}

std::string Executable::WhySomeStay(absl::Span<const std::string> mapped) const {
  if (!why_some_stay_.empty()) return why_some_stay_;
  const std::vector<std::string> others = OthersOf(mapped);
  return others.empty() ? "" : absl::StrCat(others[0], " is loaded by the program");
}

CodeLayouts::CodeLayouts(std::vector<std::shared_ptr<const Executable>> programs)
    : programs_(std::move(programs)), count_(programs_.size()) {
  std::map<std::string, Group> groups;
  for (size_t p = 0; p < programs_.size(); ++p) {
    const std::vector<Executable::Module>& modules = programs_[p]->modules();
    first_library_.push_back(count_);
    count_ += modules.size() - 1;
    // Libraries that a program loads may be versions of one.
    constexpr char kLoaded[] = "/";
    for (size_t m = 0; m < modules.size(); ++m) {
      groups[modules[m].is_loaded ? kLoaded : modules[m].name].modules.push_back({p, m});
    }
  }
  for (auto& [name, group] : groups) groups_.push_back(std::move(group));
}

std::vector<const MovableCode*> CodeLayouts::CodesOf(const Group& group) const {
  std::vector<const MovableCode*> codes;
  for (const auto& [program, module] : group.modules) {
    codes.push_back(&ModuleAt(program, module).code);
  }
  return codes;
}

std::shared_ptr<const CodeLayouts> CodeLayouts::OfVariants(
    std::shared_ptr<const Executable> program, absl::Span<const std::vector<uint64_t>> entries) {
  std::vector<const MovableCode*> codes;
  for (const Executable::Module& module : program->modules()) codes.push_back(&module.code);
  const auto functions = FunctionsOfVariants(codes, entries);
  std::shared_ptr<CodeLayouts> layouts(new CodeLayouts({std::move(program)}));
  for (Group& group : layouts->groups_) {
    const size_t module = group.modules[0].second;
    group.slots = group.modules.size() > 1 ? layouts->CommonSlotsOf(group)
                                           : SlotsOfVariants(*codes[module], functions[module]);
    layouts->turns_ = std::max(layouts->turns_, group.slots.turns);
  }
  return layouts;
}

Slots CodeLayouts::CommonSlotsOf(const Group& group) const {
  std::vector<std::vector<std::string>> keys;
  for (const auto& [program, module] : group.modules) {
    keys.push_back(ModuleAt(program, module).keys);
  }
  return SlotsOfPrograms(CodesOf(group), keys);
}

std::shared_ptr<const CodeLayouts> CodeLayouts::OfPrograms(
    std::vector<std::shared_ptr<const Executable>> programs) {
  std::shared_ptr<CodeLayouts> layouts(new CodeLayouts(std::move(programs)));
  for (Group& group : layouts->groups_) group.slots = layouts->CommonSlotsOf(group);
  return layouts;
}

std::vector<std::vector<Placement>> CodeLayouts::PlacementsOf(uint64_t seed, uint32_t run) const {
  stats::Random random(seed, static_cast<uint64_t>(LayoutOf(run)));
  std::vector<std::vector<Placement>> placements;
  for (const auto& program : programs_) placements.emplace_back(program->modules().size());
  for (const Group& group : groups_) {
    std::vector<Placement> placed =
        PlaceFunctions(CodesOf(group), group.slots, random.Next(), run % group.slots.turns);
    for (size_t i = 0; i < placed.size(); ++i) {
      const auto& [program, module] = group.modules[i];
      placements[program][module] = std::move(placed[i]);
    }
  }
  return placements;
}

uint32_t CodeLayouts::NextRunWithCopies(uint32_t run) const {
  const auto next = kept_.lower_bound(run);
  return next == kept_.end() ? run : next->first;
}

absl::StatusOr<CodeLayouts::Copies> CodeLayouts::MakeCopies(uint64_t seed, uint32_t run,
                                                            bool traps) const {
  if (const auto known = kept_.find(run); known != kept_.end()) {
    ++most_kept_;
    return Copies(known->second);
  }
  const std::vector<std::vector<Placement>> placements = PlacementsOf(seed, run);
  const std::shared_ptr<std::vector<Descriptor>> files = TakeFiles();
  bytes_ = 0;
  for (size_t p = 0; p < programs_.size(); ++p) {
    CopyOptions options;
    options.traps = traps;
    // Libraries first, whose descriptors are in what demands them.
    for (size_t m = placements[p].size(); m-- > 0;) {
      const Executable::Module& module = ModuleAt(p, m);
      if (m == 0 && programs_.size() > 1) {
        options.base_alignment = AlignmentOfBase(seed, LayoutOf(run));
      }
      const std::vector<uint8_t> bytes = WriteCopy(module.code, placements[p][m], options);
      bytes_ += bytes.size();
      Descriptor& file = (*files)[CopyOf(p, m)];
      if (!file.open() || !RewriteExecutable(file, bytes)) {
        const bool needs_folder = m == 0 && module.code.needs_its_folder;
        absl::StatusOr<Descriptor> copy =
            MakeExecutable(bytes, FolderOf(module.path), needs_folder);
        if (!copy.ok()) return Named(module.path, copy.status());
        file = *std::move(copy);
      }
      if (!module.is_loaded) options.libraries[module.name] = PathInThisProcess(file.get());
    }
  }
  // The layouts of variants are those of one benchmark, whose runs have one each.
  if (programs_.size() > 1) kept_.emplace(run, files);
  return Copies(files);
}

std::shared_ptr<std::vector<Descriptor>> CodeLayouts::TakeFiles() const {
  constexpr size_t kMostBytes = 256 << 20;  // of memory, chosen
  constexpr size_t kMostFiles = 256;        // a process may have 1024 by default
  std::shared_ptr<std::vector<Descriptor>> files;
  const size_t more = kept_.size() + 1;
  const bool are_many =
      more > most_kept_ || more * bytes_ > kMostBytes || more * count_ > kMostFiles;
  if (are_many && !kept_.empty()) {
    files = std::move(kept_.begin()->second);
    kept_.erase(kept_.begin());
  }
  if (files.use_count() == 1) return files;
  return std::make_shared<std::vector<Descriptor>>(count_);
}

std::string CodeLayouts::LoadedLibraries(size_t program,
                                         absl::Span<const Descriptor> copies) const {
  std::string lines;
  for (size_t m = 1; m < programs_[program]->modules().size(); ++m) {
    const Executable::Module& module = ModuleAt(program, m);
    if (!module.is_loaded) continue;
    absl::StrAppend(&lines, module.path, "\t", module.code.library_name, "\t",
                    PathInThisProcess(copies[CopyOf(program, m)].get()), "\n");
  }
  return lines;
}

std::optional<size_t> CodeLayouts::ModuleOf(const std::string& path, size_t program,
                                            absl::Span<const Descriptor> copies) const {
  for (size_t m = 1; m < programs_[program]->modules().size(); ++m) {
    if (path == PathInThisProcess(copies[CopyOf(program, m)].get())) return m;
  }
  return std::nullopt;
}

namespace {

// The addresses in functions that have moved as those of the original functions, in place.
void MoveBack(const MovableCode& code, const Placement& placement,
              std::vector<uint64_t*> addresses) {
  const std::vector<MovableCode::Function>& functions = code.functions;
  std::sort(addresses.begin(), addresses.end(),
            [](const uint64_t* a, const uint64_t* b) { return *a < *b; });
  for (size_t i = 0; i < functions.size(); ++i) {
    const uint64_t place = placement.function_at[i];
    if (place == 0) continue;
    const auto first =
        std::lower_bound(addresses.begin(), addresses.end(), place,
                         [](const uint64_t* address, uint64_t at) { return *address < at; });
    // Originals are below all copies: an address that was set is not found again.
    auto behind = first;
    while (behind != addresses.end() && **behind - place < functions[i].size()) ++behind;
    for (auto each = first; each != behind; ++each) **each -= place - functions[i].begin;
    addresses.erase(first, behind);
  }
}

}  // namespace

void CodeLayouts::ToOriginal(size_t program, uint64_t seed, uint32_t run,
                             absl::Span<const Descriptor> copies, std::vector<std::string>* files,
                             absl::Span<const std::pair<size_t, uint64_t*>> addresses) const {
  if (addresses.empty()) return;
  const std::vector<Placement> placements = PlacementsOf(seed, run)[program];
  for (size_t file = 0; file < files->size(); ++file) {
    const std::optional<size_t> module = file == 0 ? 0 : ModuleOf((*files)[file], program, copies);
    if (!module.has_value()) continue;
    (*files)[file] = ModuleAt(program, *module).path;
    std::vector<uint64_t*> in_file;
    for (const auto& [number, address] : addresses) {
      if (number == file) in_file.push_back(address);
    }
    MoveBack(ModuleAt(program, *module).code, placements[*module], std::move(in_file));
  }
}

absl::StatusOr<CodeLayouts::Copies> CopiesOfRuns::Take(std::shared_ptr<const CodeLayouts> layouts,
                                                       uint64_t seed, uint32_t run) {
  const bool follows = layouts == layouts_;
  const CodeLayouts::Copies next = std::exchange(next_, nullptr);
  const bool is_next = follows && run == run_ + 1;
  layouts_ = std::move(layouts);
  seed_ = seed;
  run_ = run;
  is_next_due_ = follows && layouts_->programs() == 1;
  if (is_next && next != nullptr) return next;
  return layouts_->MakeCopies(seed, run);
}

void CopiesOfRuns::MakeNext() {
  is_next_due_ = false;
  const absl::StatusOr<CodeLayouts::Copies> made = layouts_->MakeCopies(seed_, run_ + 1);
  if (made.ok()) next_ = *made;
}

uint64_t AddressInThisExecutable(const void* place) {
  uint64_t base = 0;
  // The first one is the executable.
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t /*size*/, void* first) {
        *static_cast<uint64_t*>(first) = info->dlpi_addr;
        return 1;
      },
      &base);
  return reinterpret_cast<uintptr_t>(place) - base;
}

namespace {

class BreadthFirstSearch {
 public:
  explicit BreadthFirstSearch(absl::Span<const MovableCode* const> modules) : modules_(modules) {
    for (const MovableCode* module : modules) is_reached_.emplace_back(module->functions.size());
  }

  static constexpr uint64_t kVirtualFunctions = 16;  // offset in a virtual table
  // Module and function.
  using Place = std::pair<size_t, int32_t>;

  std::vector<Place> From(absl::Span<const uint64_t> entries) {
    for (const uint64_t entry : entries) {
      Reach(0, modules_[0]->FunctionAt(entry));
      ReachTable(0, entry);
    }
    for (size_t next = 0; next < reached_.size(); ++next) {
      const auto [module, number] = reached_[next];
      const MovableCode& code = *modules_[module];
      const MovableCode::Function& function = code.functions[static_cast<size_t>(number)];
      for (uint32_t r = function.first_reference; r < function.last_reference; ++r) {
        const MovableCode::Reference& reference = code.references[r];
        Reach(module, reference.to);
        if (reference.kind == MovableCode::ReferenceKind::kAddress) {
          ReachTable(module, reference.target);
          ReachImport(module, reference.target - kVirtualFunctions);
        } else if (reference.kind == MovableCode::ReferenceKind::kOperand) {
          ReachPointer(module, reference.target);
        } else if (const auto stub = code.stubs.find(reference.target); stub != code.stubs.end()) {
          ReachPointer(module, stub->second);
        }
      }
    }
    return reached_;
  }

 private:
  void Reach(size_t module, int32_t function) {
    if (function < 0 || is_reached_[module][static_cast<size_t>(function)]) return;
    is_reached_[module][static_cast<size_t>(function)] = true;
    reached_.emplace_back(module, function);
  }

  // The entry with this location; null: there is none.
  template <class T>
  static const T* EntryAt(const std::vector<T>& entries, uint64_t location) {
    const auto found =
        std::lower_bound(entries.begin(), entries.end(), location,
                         [](const T& each, uint64_t at) { return each.location < at; });
    return found == entries.end() || found->location != location ? nullptr : &*found;
  }

  // The pointer at `location`; false: there is none.
  bool ReachPointer(size_t module, uint64_t location) {
    const MovableCode::Pointer* const pointer =
        location == 0 ? nullptr : EntryAt(modules_[module]->pointers, location);
    if (pointer == nullptr) return ReachImport(module, location);
    Reach(module, pointer->to);
    return true;
  }

  bool ReachImport(size_t module, uint64_t location) {
    const MovableCode::Import* const import = EntryAt(modules_[module]->imports, location);
    if (import == nullptr) return false;
    ReachSymbol(import->symbol);
    return true;
  }

  void ReachSymbol(const std::string& symbol) {
    if (!symbols_.insert(symbol).second) return;
    for (size_t module = 0; module < modules_.size(); ++module) {
      const auto found = modules_[module]->exports.find(symbol);
      if (found == modules_[module]->exports.end()) continue;
      Reach(module, modules_[module]->FunctionAt(found->second));
      ReachTable(module, found->second);
      ReachTable(module, found->second + kVirtualFunctions);
      return;
    }
  }

  // Pointers that follow each other.
  void ReachTable(size_t module, uint64_t location) {
    for (; ReachPointer(module, location); location += 8) continue;
  }

  const absl::Span<const MovableCode* const> modules_;
  std::vector<std::vector<bool>> is_reached_;
  std::vector<Place> reached_;
  std::set<std::string> symbols_;
};

}  // namespace

std::vector<std::vector<std::vector<int32_t>>> FunctionsOfVariants(
    absl::Span<const MovableCode* const> modules, absl::Span<const std::vector<uint64_t>> entries) {
  std::vector<std::vector<BreadthFirstSearch::Place>> reached;
  std::map<BreadthFirstSearch::Place, int> variants_with;
  for (const std::vector<uint64_t>& of_variant : entries) {
    reached.push_back(BreadthFirstSearch(modules).From(of_variant));
    for (const BreadthFirstSearch::Place& each : reached.back()) ++variants_with[each];
  }
  std::vector<std::vector<std::vector<int32_t>>> own(
      modules.size(), std::vector<std::vector<int32_t>>(entries.size()));
  for (size_t variant = 0; variant < reached.size(); ++variant) {
    for (const BreadthFirstSearch::Place& each : reached[variant]) {
      const auto& [module, number] = each;
      const bool moves = modules[module]->functions[static_cast<size_t>(number)].moves();
      if (moves && variants_with[each] == 1) own[module][variant].push_back(number);
    }
  }
  return own;
}

}  // namespace duetbench
