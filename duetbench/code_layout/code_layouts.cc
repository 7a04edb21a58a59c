#include "duetbench/code_layout/code_layouts.h"

#include <link.h>

#include <algorithm>
#include <cstddef>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "duetbench/code_layout/executable_file.h"
#include "duetbench/code_layout/program_copy.h"
#include "duetbench/platform/process.h"
#include "duetbench/platform/random.h"

namespace duetbench {
namespace {

absl::Status Named(const std::string& path, const absl::Status& status) {
  const std::string name = path.substr(path.rfind('/') + 1);
  return absl::Status(status.code(), absl::StrCat(name, " ", status.message()));
}

std::vector<const MovableCode*> CodesOf(
    const std::vector<std::shared_ptr<const Executable>>& programs) {
  std::vector<const MovableCode*> codes;
  codes.reserve(programs.size());
  for (const auto& program : programs) codes.push_back(&program->code());
  return codes;
}

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

absl::StatusOr<std::shared_ptr<const Executable>> Executable::Read(const std::string& path) {
  std::shared_ptr<Executable> executable(new Executable);
  executable->path_ = PathOfFile(path);
  const std::string& name = executable->path_;
  if (const absl::Status status = CheckHasNoRights(path); !status.ok()) return Named(name, status);
  const absl::StatusOr<MappedFile> file = MappedFile::Open(path);
  if (!file.ok()) return Named(name, file.status());
  absl::StatusOr<MovableCode> code = ReadMovableCode(file->bytes());
  if (!code.ok()) return Named(name, code.status());
  executable->code_ = *std::move(code);
  executable->keys_ = KeysOfFunctions(executable->code_, file->bytes());
  return executable;
}

CodeLayouts::CodeLayouts(std::vector<std::shared_ptr<const Executable>> programs, Slots slots)
    : programs_(std::move(programs)), slots_(std::move(slots)) {}

std::shared_ptr<const CodeLayouts> CodeLayouts::OfVariants(
    std::shared_ptr<const Executable> program, absl::Span<const std::vector<uint64_t>> entries) {
  Slots slots = SlotsOfVariants(program->code(), FunctionsOfVariants(program->code(), entries));
  return std::shared_ptr<const CodeLayouts>(
      new CodeLayouts({std::move(program)}, std::move(slots)));
}

std::shared_ptr<const CodeLayouts> CodeLayouts::OfPrograms(
    std::vector<std::shared_ptr<const Executable>> programs) {
  std::vector<std::vector<std::string>> keys;
  for (const auto& program : programs) keys.push_back(program->keys());
  Slots slots = SlotsOfPrograms(CodesOf(programs), keys);
  return std::shared_ptr<const CodeLayouts>(new CodeLayouts(std::move(programs), std::move(slots)));
}

std::vector<Placement> CodeLayouts::PlacementsOf(uint64_t seed, uint32_t run) const {
  stats::Random random(seed, static_cast<uint64_t>(LayoutOf(run)));
  return PlaceFunctions(CodesOf(programs_), slots_, random.Next(), run % slots_.turns);
}

uint32_t CodeLayouts::NextRunWithCopies(uint32_t run) const {
  const auto next = kept_.lower_bound(run);
  return next == kept_.end() ? run : next->first;
}

absl::StatusOr<CodeLayouts::Copies> CodeLayouts::MakeCopies(uint64_t seed, uint32_t run) const {
  if (const auto known = kept_.find(run); known != kept_.end()) {
    ++most_kept_;
    return Copies(known->second);
  }
  const std::vector<Placement> placements = PlacementsOf(seed, run);
  CopyOptions options;
  if (programs_.size() > 1) options.base_alignment = AlignmentOfBase(seed, LayoutOf(run));
  const std::shared_ptr<std::vector<Descriptor>> files = TakeFiles();
  bytes_ = 0;
  for (size_t i = 0; i < programs_.size(); ++i) {
    const Executable& program = *programs_[i];
    const std::vector<uint8_t> bytes = WriteCopy(program.code(), placements[i], options);
    bytes_ += bytes.size();
    Descriptor& file = (*files)[i];
    if (file.open() && RewriteExecutable(file, bytes)) continue;
    absl::StatusOr<Descriptor> copy =
        MakeExecutable(bytes, FolderOf(program.path()), program.code().needs_its_folder);
    if (!copy.ok()) return Named(program.path(), copy.status());
    file = *std::move(copy);
  }
  // The layouts of variants are those of one benchmark, whose runs have one each.
  if (programs_.size() > 1) kept_.emplace(run, files);
  return Copies(files);
}

std::shared_ptr<std::vector<Descriptor>> CodeLayouts::TakeFiles() const {
  constexpr size_t kMostBytes = 256 << 20;  // of memory, chosen
  std::shared_ptr<std::vector<Descriptor>> files;
  const bool are_many = kept_.size() >= most_kept_ || (kept_.size() + 1) * bytes_ > kMostBytes;
  if (are_many && !kept_.empty()) {
    files = std::move(kept_.begin()->second);
    kept_.erase(kept_.begin());
  }
  if (files.use_count() == 1) return files;
  return std::make_shared<std::vector<Descriptor>>(programs_.size());
}

void CodeLayouts::ToOriginal(size_t program, uint64_t seed, uint32_t run,
                             std::vector<uint64_t*> addresses) const {
  if (addresses.empty()) return;
  const Placement placement = PlacementsOf(seed, run)[program];
  const std::vector<MovableCode::Function>& functions = programs_[program]->code().functions;
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
  explicit BreadthFirstSearch(const MovableCode& code)
      : code_(code), is_reached_(code.functions.size()) {}

  std::vector<int32_t> From(absl::Span<const uint64_t> entries) {
    for (const uint64_t entry : entries) {
      Reach(code_.FunctionAt(entry));
      ReachTable(entry);
    }
    for (size_t next = 0; next < reached_.size(); ++next) {
      const MovableCode::Function& function = code_.functions[static_cast<size_t>(reached_[next])];
      for (uint32_t r = function.first_reference; r < function.last_reference; ++r) {
        const MovableCode::Reference& reference = code_.references[r];
        Reach(reference.to);
        if (reference.kind == MovableCode::ReferenceKind::kAddress) ReachTable(reference.target);
        if (reference.kind == MovableCode::ReferenceKind::kOperand) ReachPointer(reference.target);
      }
    }
    return reached_;
  }

 private:
  void Reach(int32_t function) {
    if (function < 0 || is_reached_[static_cast<size_t>(function)]) return;
    is_reached_[static_cast<size_t>(function)] = true;
    reached_.push_back(function);
  }

  // The pointer at `location`; false: there is none.
  bool ReachPointer(uint64_t location) {
    const auto found = std::lower_bound(
        code_.pointers.begin(), code_.pointers.end(), location,
        [](const MovableCode::Pointer& each, uint64_t at) { return each.location < at; });
    if (location == 0 || found == code_.pointers.end() || found->location != location) return false;
    Reach(found->to);
    return true;
  }

  // Pointers that follow each other.
  void ReachTable(uint64_t location) {
    for (; ReachPointer(location); location += 8) continue;
  }

  const MovableCode& code_;
  std::vector<bool> is_reached_;
  std::vector<int32_t> reached_;
};

}  // namespace

std::vector<std::vector<int32_t>> FunctionsOfVariants(
    const MovableCode& code, absl::Span<const std::vector<uint64_t>> entries) {
  std::vector<std::vector<int32_t>> functions;
  std::vector<int> variants_with(code.functions.size());
  for (const std::vector<uint64_t>& of_variant : entries) {
    functions.push_back(BreadthFirstSearch(code).From(of_variant));
    for (const int32_t each : functions.back()) ++variants_with[static_cast<size_t>(each)];
  }
  for (std::vector<int32_t>& own : functions) {
    own.erase(std::remove_if(own.begin(), own.end(),
                             [&](int32_t each) {
                               const auto number = static_cast<size_t>(each);
                               return variants_with[number] > 1 || !code.functions[number].moves();
                             }),
              own.end());
  }
  return functions;
}

}  // namespace duetbench
