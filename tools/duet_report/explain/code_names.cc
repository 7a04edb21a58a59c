#include "tools/duet_report/explain/code_names.h"

#include "absl/status/status.h"

#ifdef DUETBENCH_HAVE_LIBDW
#include <cxxabi.h>
#include <dwarf.h>
#include <elfutils/libdwfl.h>

#include <cstdlib>
#include <map>
#include <utility>
#endif

namespace duetbench {

#ifdef DUETBENCH_HAVE_LIBDW

namespace {

std::string Demangled(const char* name) {
  if (name == nullptr) return "";
  int status = 0;
  char* const text = abi::__cxa_demangle(name, nullptr, nullptr, &status);
  if (status != 0 || text == nullptr) return name;
  std::string demangled = text;
  std::free(text);
  return demangled;
}

class LibdwNames final : public CodeNames {
 public:
  LibdwNames() {
    callbacks_.find_debuginfo = dwfl_standard_find_debuginfo;
    callbacks_.section_address = dwfl_offline_section_address;
  }
  ~LibdwNames() override {
    for (const auto& [path, file] : files_) {
      if (file.session != nullptr) dwfl_end(file.session);
    }
  }

  const std::vector<NamedFrame>& FramesAt(const std::string& path, uint64_t address) override {
    const auto [it, is_new] = frames_.try_emplace({path, address});
    if (is_new) it->second = Find(FileOf(path), address);
    return it->second;
  }

 private:
  struct File {
    Dwfl* session = nullptr;
    Dwfl_Module* module = nullptr;  // null: it cannot be read
    GElf_Addr bias = 0;
  };

  struct FunctionRange {
    Dwarf_Addr begin;
    Dwarf_Addr end;
    Dwarf_Die die;
  };

  const File& FileOf(const std::string& path) {
    const auto [it, is_new] = files_.try_emplace(path);
    File& file = it->second;
    if (!is_new || path.empty()) return file;
    file.session = dwfl_begin(&callbacks_);
    if (file.session == nullptr) return file;
    dwfl_report_begin(file.session);
    file.module = dwfl_report_offline(file.session, path.c_str(), path.c_str(), -1);
    dwfl_report_end(file.session, nullptr, nullptr);
    if (file.module != nullptr && dwfl_module_getelf(file.module, &file.bias) == nullptr) {
      file.module = nullptr;
    }
    return file;
  }

  std::vector<NamedFrame> Find(const File& file, uint64_t vaddr) {
    NamedFrame own;
    if (file.module == nullptr) return {own};
    const GElf_Addr address = vaddr + file.bias;
    GElf_Off offset = 0;
    GElf_Sym symbol{};
    own.function = Demangled(
        dwfl_module_addrinfo(file.module, address, &offset, &symbol, nullptr, nullptr, nullptr));
    if (!own.function.empty()) {
      own.begin = vaddr - offset;
      own.size = symbol.st_size;
    }
    if (Dwfl_Line* const line = dwfl_module_getsrc(file.module, address)) {
      if (const char* const source =
              dwfl_lineinfo(line, nullptr, &own.line, nullptr, nullptr, nullptr)) {
        own.file = source;
      }
    }
    return InlinedAt(file, address, std::move(own));
  }

  // The frame `own` with those that are inlined at the address before it.
  std::vector<NamedFrame> InlinedAt(const File& file, GElf_Addr address, NamedFrame own) {
    std::vector<NamedFrame> frames;
    Dwarf_Addr bias = 0;
    if (Dwarf_Die* const unit = UnitOf(file, address, &bias)) {
      std::vector<Dwarf_Die> calls;
      if (Dwarf_Die* const function = FunctionAt(unit, address - bias)) {
        AddInlined(function, address - bias, &calls);
      }
      for (auto call = calls.rbegin(); call != calls.rend(); ++call) {
        NamedFrame& frame = frames.emplace_back();
        frame.function = NameOf(&*call);
        frame.is_inlined = true;
        frame.file = own.file;
        frame.line = own.line;
        // From here on the line is that of the call.
        own.file = CallFile(unit, &*call);
        own.line = static_cast<int>(Number(&*call, DW_AT_call_line));
      }
    }
    frames.push_back(std::move(own));
    return frames;
  }

  // The function of the unit with code there, or null. The functions of a unit are listed once:
  // dwarf_getscopes walks the whole unit for each address, 15 ms in a unit of <regex>.
  Dwarf_Die* FunctionAt(Dwarf_Die* unit, Dwarf_Addr address) {
    const auto [it, is_new] = functions_.try_emplace(unit->addr);
    if (is_new) {
      const auto add = [](Dwarf_Die* die, void* list) {
        static_cast<std::vector<Dwarf_Die>*>(list)->push_back(*die);
        return static_cast<int>(DWARF_CB_OK);
      };
      std::vector<Dwarf_Die> all;
      dwarf_getfuncs(unit, add, &all, 0);
      for (const Dwarf_Die& die : all) AddRanges(die, &it->second);
    }
    FunctionRange* innermost = nullptr;
    for (FunctionRange& range : it->second) {
      if (address < range.begin || range.end <= address) continue;
      if (innermost == nullptr || range.end - range.begin < innermost->end - innermost->begin) {
        innermost = &range;
      }
    }
    return innermost == nullptr ? nullptr : &innermost->die;
  }

  void AddRanges(Dwarf_Die die, std::vector<FunctionRange>* ranges) {
    FunctionRange range{0, 0, die};
    Dwarf_Addr base = 0;
    ptrdiff_t next = 0;
    while ((next = dwarf_ranges(&die, next, &base, &range.begin, &range.end)) > 0) {
      ranges->push_back(range);
    }
  }

  // Appends the calls within `scope` whose inlined code is there, outermost first.
  void AddInlined(Dwarf_Die* scope, Dwarf_Addr address, std::vector<Dwarf_Die>* calls) {
    Dwarf_Die inner;
    if (dwarf_child(scope, &inner) != 0) return;
    do {
      if (dwarf_haspc(&inner, address) != 1) continue;
      if (dwarf_tag(&inner) == DW_TAG_inlined_subroutine) calls->push_back(inner);
      AddInlined(&inner, address, calls);
      return;
    } while (dwarf_siblingof(&inner, &inner) == 0);
  }

  Dwarf_Die* UnitOf(const File& file, GElf_Addr address, Dwarf_Addr* bias) {
    if (Dwarf_Die* const unit = dwfl_module_addrdie(file.module, address, bias)) return unit;
    // Without .debug_aranges, as clang leaves them out.
    Dwarf_Die* unit = nullptr;
    while ((unit = dwfl_module_nextcu(file.module, unit, bias)) != nullptr) {
      if (dwarf_haspc(unit, address - *bias) == 1) return unit;
    }
    return nullptr;
  }

  std::string NameOf(Dwarf_Die* die) {
    Dwarf_Attribute attribute;
    if (dwarf_attr_integrate(die, DW_AT_linkage_name, &attribute) != nullptr) {
      return Demangled(dwarf_formstring(&attribute));
    }
    const char* const name = dwarf_diename(die);
    return name == nullptr ? "" : name;
  }

  Dwarf_Word Number(Dwarf_Die* die, unsigned name) {
    Dwarf_Attribute attribute;
    Dwarf_Word value = 0;
    if (dwarf_attr(die, name, &attribute) == nullptr || dwarf_formudata(&attribute, &value) != 0) {
      return 0;
    }
    return value;
  }

  std::string CallFile(Dwarf_Die* unit, Dwarf_Die* die) {
    Dwarf_Files* files = nullptr;
    size_t count = 0;
    const Dwarf_Word number = Number(die, DW_AT_call_file);
    if (dwarf_getsrcfiles(unit, &files, &count) != 0 || number >= count) return "";
    const char* const name = dwarf_filesrc(files, number, nullptr, nullptr);
    return name == nullptr ? "" : name;
  }

  Dwfl_Callbacks callbacks_{};
  std::map<std::string, File> files_;
  std::map<const void*, std::vector<FunctionRange>> functions_;  // by unit
  std::map<std::pair<std::string, uint64_t>, std::vector<NamedFrame>> frames_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<CodeNames>> CodeNames::Load() {
  return std::unique_ptr<CodeNames>(new LibdwNames);
}

#else

absl::StatusOr<std::unique_ptr<CodeNames>> CodeNames::Load() {
  return absl::UnavailableError(
      "duet_report was built without libdw (libdw-dev), which names functions");
}

#endif

}  // namespace duetbench
