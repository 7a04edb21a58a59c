#include "duetbench/code_layout/movable_code.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "duetbench/code_layout/elf_file.h"
#include "duetbench/code_layout/machine_instruction.h"
#include "duetbench/platform/memory.h"

namespace duetbench {
namespace {

using Function = MovableCode::Function;
using Reference = MovableCode::Reference;
using ReferenceKind = MovableCode::ReferenceKind;

// Follows the registers through code as compilers write it for a switch:
//   lea table(%rip), a;  movslq (a,i,4), e;  add a, e;  jmp *e
class JumpTableFinder {
 public:
  JumpTableFinder() {
    address_in_.fill(-1);
    entry_in_.fill(-1);
  }

  // `reference` is that of the instruction, -1: none. Returns the reference that has loaded the
  // address of the table by which `instruction` jumps; -1: it is no such jump.
  int64_t Take(const MachineInstruction& instruction, int64_t reference) {
    if (instruction.map != 0) return -1;
    const auto reg = static_cast<size_t>(instruction.reg());
    const auto rm = static_cast<size_t>(instruction.rm());
    switch (instruction.opcode) {
      case 0x8d:  // lea
        if (instruction.displacement_size == 4) address_in_[reg] = reference;
        break;
      case 0x63:  // movslq
        if (ReadsEntry(instruction)) {
          entry_in_[reg] = address_in_[static_cast<size_t>(instruction.base())];
        }
        break;
      case 0x01:  // add
      case 0x03:
        if (instruction.has_register_operand()) {
          entry_in_[reg] = entry_in_[rm] = std::max(entry_in_[reg], entry_in_[rm]);
        }
        break;
      case 0xff:  // jmp
        if (instruction.has_register_operand() && (instruction.modrm >> 3 & 7) == 4) {
          return entry_in_[rm];
        }
        break;
      default:
        break;
    }
    return -1;
  }

 private:
  static bool ReadsEntry(const MachineInstruction& i) {
    return (i.rex & 8) != 0 && (i.modrm & 7) == 4 && i.modrm >> 6 <= 1 && i.operand_offset == 0 &&
           i.sib >> 6 == 2;
  }

  std::array<int64_t, 16> address_in_{};  // by register: the reference that its address is of
  std::array<int64_t, 16> entry_in_{};    // likewise, of the table that its entry is of
};

class MovableCodeReader {
 public:
  explicit MovableCodeReader(const ElfFile& file) : file_(file) {}

  absl::StatusOr<MovableCode> Read() {
    if (absl::Status status = ReadSegments(); !status.ok()) return status;
    if (absl::Status status = ReadFunctions(); !status.ok()) return status;
    GuessAlignments();
    is_instruction_.resize(file_.bytes().size());
    for (size_t number = 0; number < code_.functions.size(); ++number) ReadFunction(number);
    for (Reference& reference : code_.references) {
      reference.to = code_.FunctionAt(reference.target);
      if (reference.to < 0 && reference.kind == ReferenceKind::kBranch) ReadStub(reference.target);
    }
    for (const uint64_t target : short_targets_) {
      if (const int32_t to = code_.FunctionAt(target); to >= 0) At(to).is_entered = true;
    }
    for (const auto& [function, reference] : table_jumps_) ReadTable(function, reference);
    if (absl::Status status = ReadPointers(); !status.ok()) return status;
    if (std::none_of(code_.functions.begin(), code_.functions.end(),
                     [](const Function& function) { return function.moves(); })) {
      return absl::FailedPreconditionError("has no function that can be moved");
    }
    const auto image = file_.bytes().subspan(0, loaded_end_);
    code_.image.assign(image.begin(), image.end());
    return std::move(code_);
  }

 private:
  Function& At(int32_t number) { return code_.functions[static_cast<size_t>(number)]; }

  absl::Status ReadSegments() {
    if (file_.header().e_type != ET_DYN) {
      return absl::FailedPreconditionError("is not position-independent (-no-pie)");
    }
    for (const Elf64_Phdr& segment : file_.segments()) {
      if (segment.p_type != PT_LOAD) continue;
      const uint64_t size = file_.bytes().size();
      constexpr uint64_t kMostAddress = uint64_t{1} << 30;
      if (segment.p_offset > size || segment.p_filesz > size - segment.p_offset ||
          segment.p_vaddr > kMostAddress || segment.p_memsz > kMostAddress) {
        return absl::FailedPreconditionError("has segments that are damaged or too large");
      }
      const uint64_t end = segment.p_vaddr + segment.p_memsz;
      code_.end_address = std::max(code_.end_address, RoundUp(end, kPageBytes));
    }
    loaded_end_ = file_.LoadedEnd();
    const uint64_t header_end =
        file_.header().e_phoff + file_.segments().size() * sizeof(Elf64_Phdr);
    if (loaded_end_ < header_end || loaded_end_ < sizeof(Elf64_Ehdr)) {
      return absl::FailedPreconditionError("does not load its table of segments");
    }
    if (file_.SegmentOf(PT_NOTE) == nullptr && file_.SegmentOf(PT_GNU_PROPERTY) == nullptr) {
      return absl::FailedPreconditionError("has no entry to spare in its table of segments");
    }
    return absl::OkStatus();
  }

  absl::Status ReadFunctions() {
    absl::StatusOr<UnwindTable> table = ReadUnwindTable(file_);
    if (!table.ok()) return table.status();
    std::vector<const Elf64_Shdr*> sections;
    for (const Elf64_Shdr& section : file_.sections()) {
      if ((section.sh_flags & SHF_EXECINSTR) == 0 ||
          !absl::StartsWith(file_.NameOf(section), ".text")) {
        continue;
      }
      sections.push_back(&section);
      largest_alignment_ = std::max<uint64_t>(largest_alignment_, section.sh_addralign);
    }
    for (const UnwoundCode& code : table->codes) {
      const bool is_text =
          std::any_of(sections.begin(), sections.end(), [&](const Elf64_Shdr* section) {
            return code.begin >= section->sh_addr &&
                   code.end - section->sh_addr <= section->sh_size;
          });
      const std::optional<uint64_t> offset = file_.OffsetOf(code.begin, code.end - code.begin);
      if (!is_text || !offset.has_value()) continue;
      Function function;
      static_cast<UnwoundCode&>(function) = code;
      function.offset = *offset;
      if (!code.has_own_landing_pads) function.stays_because = "its landing pads lie elsewhere";
      code_.functions.push_back(std::move(function));
    }
    code_.unwind_entries = std::move(table->entries);
    return absl::OkStatus();
  }

  // The alignment of a function is not in the file. It is more than 16 where 16 bytes or more were
  // left free before it, or where its neighbors are aligned, too. A function that only happens to
  // lie at a multiple of 64 must not be kept there: the copies would not have the layouts in which
  // it is slow, which relinking has (measured: identical functions came out EQUAL by their
  // addresses, and others had another mean than over links).
  void GuessAlignments() {
    constexpr uint64_t kUsual = 16, kMost = 64;
    std::vector<Function>& functions = code_.functions;
    for (size_t i = 0; i < functions.size(); ++i) {
      const uint64_t free = i == 0 ? 0 : functions[i].begin - functions[i - 1].end;
      for (uint64_t alignment = kMost; alignment > kUsual; alignment /= 2) {
        const auto is_aligned = [&](const Function& each) { return each.begin % alignment == 0; };
        if (alignment > largest_alignment_ || !is_aligned(functions[i])) continue;
        const auto here = functions.begin() + static_cast<std::ptrdiff_t>(i);
        const bool is_shared =
            i >= 2 && i + 2 < functions.size() && std::all_of(here - 2, here + 3, is_aligned);
        if (is_shared || (free >= kUsual && free < alignment)) {
          functions[i].alignment = static_cast<uint32_t>(alignment);
          break;
        }
      }
    }
  }

  void ReadFunction(size_t number) {
    Function& function = code_.functions[number];
    function.first_reference = static_cast<uint32_t>(code_.references.size());
    inner_targets_.clear();
    const size_t table_jumps_before = table_jumps_.size();
    const char* const failure = Decode(number);
    function.is_decoded = failure == nullptr;
    if (!function.is_decoded) {
      function.stays_because = failure;
      code_.references.resize(function.first_reference);
      table_jumps_.resize(table_jumps_before);
    }
    function.last_reference = static_cast<uint32_t>(code_.references.size());
    const uint64_t entry = file_.header().e_entry;
    if (entry >= function.begin && entry < function.end)
      function.stays_because = "the program starts here";
  }

  // Null, or why the function is not understood.
  const char* Decode(size_t number) {
    Function& function = code_.functions[number];
    const absl::Span<const uint8_t> code = file_.bytes().subspan(function.offset, function.size());
    JumpTableFinder finder;
    for (size_t at = 0; at < code.size();) {
      const MachineInstruction instruction = DecodeInstruction(code.subspan(at));
      if (instruction.length == 0) return "it is not understood";
      is_instruction_[function.offset + at] = true;
      int64_t reference = -1;
      if (instruction.displacement_size > 0) {
        if (const char* const failure =
                ReadDisplacement(instruction, code, at, &function, &reference)) {
          return failure;
        }
      }
      const int64_t table = finder.Take(instruction, reference);
      if (table >= 0) table_jumps_.emplace_back(number, static_cast<size_t>(table));
      at += instruction.length;
    }
    constexpr uint8_t kLock = 0xf0;
    for (const uint64_t target : inner_targets_) {
      const uint64_t offset = function.offset + (target - function.begin);
      // Hand-written code may skip a lock prefix.
      const bool skips_lock = target > function.begin && is_instruction_[offset - 1] &&
                              file_.bytes()[offset - 1] == kLock;
      if (!is_instruction_[offset] && !skips_lock) return "it jumps into an instruction";
    }
    return nullptr;
  }

  // Adds the reference of an instruction that leads out of its function. Null, or why the function
  // is not understood.
  const char* ReadDisplacement(const MachineInstruction& instruction,
                               absl::Span<const uint8_t> code, size_t at, Function* function,
                               int64_t* reference) {
    const uint8_t* const bytes = code.data() + at + instruction.displacement_at;
    const bool is_short = instruction.displacement_size == 1;
    const int64_t distance = is_short ? LoadFrom<int8_t>(bytes) : LoadFrom<int32_t>(bytes);
    const size_t end = at + instruction.length;
    const uint64_t target = function->begin + end + static_cast<uint64_t>(distance);
    if (target >= function->begin && target < function->end) {
      if (instruction.is_branch) inner_targets_.push_back(target);
      return nullptr;
    }
    if (target > code_.end_address || !file_.IsLoaded(target)) return "it refers to nowhere";
    Reference added;
    added.at = static_cast<uint32_t>(at + instruction.displacement_at);
    added.end = static_cast<uint32_t>(end);
    added.target = target;
    constexpr uint8_t kLea = 0x8d;
    if (!instruction.is_branch) {
      added.kind = instruction.map == 0 && instruction.opcode == kLea ? ReferenceKind::kAddress
                                                                      : ReferenceKind::kOperand;
    }
    if (is_short) {
      constexpr uint8_t kShortJump = 0xeb;
      if (instruction.opcode != kShortJump || instruction.length != 2 || end != code.size()) {
        function->stays_because = "it has a short jump to another function";
        short_targets_.push_back(target);
        return nullptr;
      }
      // A tail call of a neighbor: the copy has a long jump in its place.
      function->extra = 3;
      added.end += function->extra;
    }
    *reference = static_cast<int64_t>(code_.references.size());
    code_.references.push_back(added);
    return nullptr;
  }

  // A moved function has a copy of its jump table, whose original stays: a copy that is too long
  // does no harm, and without one the function continues in its original after the jump.
  void ReadTable(size_t number, size_t reference_number) {
    constexpr size_t kMostEntries = 1 << 16;
    Function& function = code_.functions[number];
    const uint64_t table = code_.references[reference_number].target;
    if (code_.references[reference_number].table >= 0) return;
    std::vector<uint64_t> targets;
    bool is_own = false;  // the first entries may all lead to the cold part
    absl::Span<const uint8_t> entries = file_.From(table);
    for (; entries.size() >= 4; entries.remove_prefix(4)) {
      const uint64_t target =
          table + static_cast<uint64_t>(int64_t{LoadFrom<int32_t>(entries.data())});
      const int32_t to = code_.FunctionAt(target);
      if (to < 0) break;
      const Function& entered = At(to);
      // Where instructions start is not known there: this may be an entry or none.
      if (!entered.is_decoded) return;
      if (!is_instruction_[entered.offset + (target - entered.begin)]) break;
      if (targets.size() == kMostEntries) return;
      is_own = is_own || static_cast<size_t>(to) == number;
      targets.push_back(target);
    }
    if (!is_own) return;
    const auto copy = static_cast<int32_t>(code_.tables.size());
    // Compilers load the address at several places.
    for (uint32_t r = function.first_reference; r < function.last_reference; ++r) {
      if (code_.references[r].target == table) code_.references[r].table = copy;
    }
    function.tables.push_back(copy);
    code_.tables.push_back(std::move(targets));
  }

  void AddPointer(uint64_t offset, uint64_t value, uint64_t location) {
    const int32_t to = code_.FunctionAt(value);
    if (to >= 0) code_.pointers.push_back({offset, value, to, location});
  }

  // Compilers call functions of other files by stubs: [endbr64] jmp *import(%rip).
  void ReadStub(uint64_t address) {
    absl::Span<const uint8_t> code = file_.From(address);
    constexpr uint8_t kMark[] = {0xf3, 0x0f, 0x1e, 0xfa};
    uint64_t at = address;
    if (code.size() > 4 && std::equal(kMark, kMark + 4, code.begin())) {
      code.remove_prefix(4);
      at += 4;
    }
    const MachineInstruction jump = DecodeInstruction(code);
    constexpr uint8_t kIndirect = 0xff;
    if (jump.length == 0 || jump.map != 0 || jump.opcode != kIndirect ||
        (jump.modrm >> 3 & 7) != 4 || jump.displacement_size != 4) {
      return;
    }
    const auto distance = int64_t{LoadFrom<int32_t>(code.data() + jump.displacement_at)};
    code_.stubs.emplace(address, at + jump.length + static_cast<uint64_t>(distance));
  }

  void ReadNames() {
    if (const Elf64_Phdr* const interpreter = file_.SegmentOf(PT_INTERP)) {
      const absl::Span<const uint8_t> path = file_.At(interpreter->p_vaddr, interpreter->p_filesz);
      code_.interpreter.assign(path.begin(), std::find(path.begin(), path.end(), uint8_t{0}));
    }
    const Elf64_Phdr* const dynamic = file_.SegmentOf(PT_DYNAMIC);
    MovableCode::DynamicTexts& texts = code_.dynamic_texts;
    std::map<std::string, MovableCode::LibraryName> libraries;
    for (size_t i = 0; i < file_.dynamic().size(); ++i) {
      const uint64_t value = file_.dynamic()[i].d_un.d_val;
      const uint64_t value_at =
          dynamic->p_offset + i * sizeof(Elf64_Dyn) + offsetof(Elf64_Dyn, d_un);
      switch (file_.dynamic()[i].d_tag) {
        case DT_RPATH:
        case DT_RUNPATH:
          code_.needs_its_folder =
              code_.needs_its_folder || absl::StrContains(file_.DynamicText(value), "ORIGIN");
          break;
        case DT_SONAME:
          code_.library_name = file_.DynamicText(value);
          break;
        case DT_STRTAB:
          texts.offset = file_.OffsetOf(value, 1).value_or(0);
          texts.address_at = value_at;
          break;
        case DT_STRSZ:
          texts.size = value;
          texts.size_at = value_at;
          break;
        case DT_NEEDED:
          libraries[file_.DynamicText(value)].wide_at.push_back(value_at);
          break;
        default:
          break;
      }
    }
    uint64_t at = file_.DynamicValue(DT_VERNEED).value_or(0);
    for (uint64_t left = file_.DynamicValue(DT_VERNEEDNUM).value_or(0); left > 0; --left) {
      const std::optional<Elf64_Verneed> versions = file_.LoadAt<Elf64_Verneed>(at);
      const std::optional<uint64_t> offset = file_.OffsetOf(at, sizeof(Elf64_Verneed));
      if (!versions.has_value()) break;
      libraries[file_.DynamicText(versions->vn_file)].narrow_at.push_back(
          *offset + offsetof(Elf64_Verneed, vn_file));
      if (versions->vn_next == 0) break;
      at += versions->vn_next;
    }
    const bool are_texts_loaded =
        file_.OffsetOf(file_.DynamicValue(DT_STRTAB).value_or(0), texts.size).has_value();
    if (!are_texts_loaded || dynamic == nullptr || dynamic->p_offset > loaded_end_ ||
        dynamic->p_filesz > loaded_end_ - dynamic->p_offset) {
      return;
    }
    for (auto& [name, library] : libraries) {
      library.name = name;
      code_.libraries.push_back(std::move(library));
    }
  }

  absl::Status ReadPointers() {
    ReadNames();
    if (!ReadRelocations(DT_RELA, DT_RELASZ) || !ReadRelocations(DT_JMPREL, DT_PLTRELSZ)) {
      return absl::FailedPreconditionError("has code that the loader changes (text relocations)");
    }
    ReadPackedRelocations();
    ReadDynamicSymbols();
    const auto by_location = [](const auto& a, const auto& b) { return a.location < b.location; };
    std::sort(code_.pointers.begin(), code_.pointers.end(), by_location);
    std::sort(code_.imports.begin(), code_.imports.end(), by_location);
    return absl::OkStatus();
  }

  // False: one is of code.
  bool ReadRelocations(int64_t tag, int64_t size_tag) {
    const uint64_t table = file_.DynamicValue(tag).value_or(0);
    const uint64_t size = file_.DynamicValue(size_tag).value_or(0);
    const uint64_t symbols = file_.DynamicValue(DT_SYMTAB).value_or(0);
    for (uint64_t at = 0; at + sizeof(Elf64_Rela) <= size; at += sizeof(Elf64_Rela)) {
      const std::optional<uint64_t> offset = file_.OffsetOf(table + at, sizeof(Elf64_Rela));
      if (!offset.has_value()) break;
      const auto entry = LoadFrom<Elf64_Rela>(file_.bytes().data() + *offset);
      if (code_.FunctionAt(entry.r_offset) >= 0) return false;
      const uint64_t type = ELF64_R_TYPE(entry.r_info);
      if (type == R_X86_64_64 || type == R_X86_64_GLOB_DAT || type == R_X86_64_JUMP_SLOT ||
          type == R_X86_64_COPY) {
        const std::optional<Elf64_Sym> symbol =
            file_.LoadAt<Elf64_Sym>(symbols + ELF64_R_SYM(entry.r_info) * sizeof(Elf64_Sym));
        if (!symbol.has_value()) continue;
        code_.imports.push_back({entry.r_offset, file_.DynamicText(symbol->st_name)});
        if (type == R_X86_64_COPY) copied_.insert(code_.imports.back().symbol);
        continue;
      }
      if (type != R_X86_64_RELATIVE && type != R_X86_64_IRELATIVE) continue;
      AddPointer(*offset + offsetof(Elf64_Rela, r_addend), static_cast<uint64_t>(entry.r_addend),
                 entry.r_offset);
    }
    return true;
  }

  // DT_RELR: an address, then bitmaps of the 63 words behind it.
  void ReadPackedRelocations() {
    constexpr int64_t kRelrSize = 35, kRelr = 36;  // older headers lack them
    const uint64_t table = file_.DynamicValue(kRelr).value_or(0);
    const uint64_t size = file_.DynamicValue(kRelrSize).value_or(0);
    const auto add = [&](uint64_t location) {
      const std::optional<uint64_t> offset = file_.OffsetOf(location, 8);
      if (!offset.has_value()) return;
      AddPointer(*offset, LoadFrom<uint64_t>(file_.bytes().data() + *offset), location);
    };
    uint64_t next = 0;
    for (uint64_t at = 0; at + 8 <= size; at += 8) {
      const std::optional<uint64_t> entry = file_.LoadAt<uint64_t>(table + at);
      if (!entry.has_value()) break;
      if ((*entry & 1) == 0) {
        add(*entry);
        next = *entry + 8;
        continue;
      }
      for (uint64_t bits = *entry >> 1, word = next; bits != 0; bits >>= 1, word += 8) {
        if ((bits & 1) != 0) add(word);
      }
      next += uint64_t{8} * 63;
    }
  }

  void ReadDynamicSymbols() {
    for (const Elf64_Shdr& section : file_.sections()) {
      if (section.sh_type != SHT_DYNSYM) continue;
      const absl::Span<const uint8_t> symbols = file_.BytesOf(section);
      for (size_t at = 0; at + sizeof(Elf64_Sym) <= symbols.size(); at += sizeof(Elf64_Sym)) {
        const auto symbol = LoadFrom<Elf64_Sym>(symbols.data() + at);
        const int type = ELF64_ST_TYPE(symbol.st_info);
        if (symbol.st_shndx == SHN_UNDEF) continue;
        if (type == STT_FUNC || type == STT_GNU_IFUNC || type == STT_OBJECT) {
          std::string name = file_.DynamicText(symbol.st_name);
          if (copied_.count(name) == 0) code_.exports.emplace(std::move(name), symbol.st_value);
        }
        if (type != STT_FUNC && type != STT_GNU_IFUNC) continue;
        const uint64_t offset = section.sh_offset + at + offsetof(Elf64_Sym, st_value);
        if (offset + 8 <= loaded_end_) AddPointer(offset, symbol.st_value, 0);
      }
    }
  }

  const ElfFile& file_;
  MovableCode code_;
  uint64_t loaded_end_ = 0, largest_alignment_ = 16;
  std::vector<bool> is_instruction_;  // by offset in the file: one starts there
  std::vector<uint64_t> short_targets_, inner_targets_;
  std::set<std::string> copied_;  // symbols of data whose place is here, and whose value elsewhere
  std::vector<std::pair<size_t, size_t>> table_jumps_;  // function, reference to the table
};

// The name by which another build has the function; empty: it has no symbol.
std::vector<std::string> NamesOfFunctions(const MovableCode& code, const ElfFile& file) {
  std::vector<std::string> names(code.functions.size());
  for (const Elf64_Shdr& section : file.sections()) {
    if (section.sh_type != SHT_SYMTAB || section.sh_link >= file.sections().size()) continue;
    const Elf64_Shdr& strings = file.sections()[section.sh_link];
    const absl::Span<const uint8_t> symbols = file.BytesOf(section);
    absl::string_view source;
    for (size_t at = 0; at + sizeof(Elf64_Sym) <= symbols.size(); at += sizeof(Elf64_Sym)) {
      const auto symbol = LoadFrom<Elf64_Sym>(symbols.data() + at);
      const int type = ELF64_ST_TYPE(symbol.st_info);
      if (type == STT_FILE) source = file.TextAt(strings, symbol.st_name);
      if (symbol.st_shndx == SHN_UNDEF || (type != STT_FUNC && type != STT_GNU_IFUNC)) continue;
      const int32_t to = code.FunctionAt(symbol.st_value);
      if (to < 0 || code.functions[static_cast<size_t>(to)].begin != symbol.st_value) continue;
      const bool is_local = ELF64_ST_BIND(symbol.st_info) == STB_LOCAL;
      std::string name = absl::StrCat(is_local ? "local " : "name ", is_local ? source : "", " ",
                                      file.TextAt(strings, symbol.st_name));
      // Aliases: whichever is the first by its name.
      std::string& known = names[static_cast<size_t>(to)];
      if (known.empty() || name < known) known = std::move(name);
    }
  }
  return names;
}

std::string ContentOf(const MovableCode& code, const Function& function) {
  constexpr size_t kDisplacement = 4;
  std::string content(reinterpret_cast<const char*>(code.image.data() + function.offset),
                      function.size());
  for (uint32_t r = function.first_reference; r < function.last_reference; ++r) {
    const size_t at = code.references[r].at;
    if (at < content.size()) {
      content.replace(at, kDisplacement, std::min(kDisplacement, content.size() - at), '\0');
    }
  }
  return content;
}

}  // namespace

int32_t MovableCode::FunctionAt(uint64_t address) const {
  const auto behind =
      std::upper_bound(functions.begin(), functions.end(), address,
                       [](uint64_t at, const Function& function) { return at < function.begin; });
  if (behind == functions.begin() || address >= (behind - 1)->end) return -1;
  return static_cast<int32_t>(behind - functions.begin()) - 1;
}

absl::StatusOr<MovableCode> ReadMovableCode(absl::Span<const uint8_t> bytes) {
  const absl::StatusOr<ElfFile> file = ElfFile::Parse(bytes);
  if (!file.ok()) return file.status();
  return MovableCodeReader(*file).Read();
}

std::vector<std::string> KeysOfFunctions(const MovableCode& code, absl::Span<const uint8_t> bytes) {
  const absl::StatusOr<ElfFile> file = ElfFile::Parse(bytes);
  if (!file.ok()) return std::vector<std::string>(code.functions.size());
  std::vector<std::string> keys = NamesOfFunctions(code, *file);
  std::map<std::string, int> uses;
  for (size_t i = 0; i < keys.size(); ++i) {
    if (keys[i].empty()) keys[i] = absl::StrCat("code ", ContentOf(code, code.functions[i]));
    absl::StrAppend(&keys[i], "#", uses[keys[i]]++);
  }
  return keys;
}

}  // namespace duetbench
