#include "duetbench/explain/code_names.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "duetbench/platform/look_up.h"

#ifdef DUETBENCH_HAVE_LIBDW
#include <cxxabi.h>
#include <dlfcn.h>
#include <dwarf.h>
#include <elfutils/libdwfl.h>
#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#endif

namespace duetbench {

#ifdef DUETBENCH_HAVE_LIBDW

namespace {

struct Libdw {
  decltype(&dwfl_begin) begin;
  decltype(&dwfl_end) end;
  decltype(&dwfl_report_begin) report_begin;
  decltype(&dwfl_report_offline) report_offline;
  decltype(&dwfl_report_end) report_end;
  decltype(&dwfl_standard_find_debuginfo) find_debuginfo;
  decltype(&dwfl_offline_section_address) section_address;
  decltype(&dwfl_module_getelf) getelf;
  decltype(&dwfl_module_addrinfo) addrinfo;
  decltype(&dwfl_module_addrdie) addrdie;
  decltype(&dwfl_module_nextcu) nextcu;
  decltype(&dwfl_module_getsrc) getsrc;
  decltype(&dwfl_lineinfo) lineinfo;
  decltype(&dwarf_haspc) haspc;
  decltype(&dwarf_getfuncs) getfuncs;
  decltype(&dwarf_ranges) ranges;
  decltype(&dwarf_child) child;
  decltype(&dwarf_siblingof) siblingof;
  decltype(&dwarf_tag) tag;
  decltype(&dwarf_diename) diename;
  decltype(&dwarf_attr_integrate) attr_integrate;
  decltype(&dwarf_attr) attr;
  decltype(&dwarf_formstring) formstring;
  decltype(&dwarf_formudata) formudata;
  decltype(&dwarf_getsrcfiles) getsrcfiles;
  decltype(&dwarf_filesrc) filesrc;
};

absl::StatusOr<Libdw> LoadLibdw() {
  void* const library = dlopen("libdw.so.1", RTLD_NOW | RTLD_LOCAL);
  Libdw dw{};
  const bool loaded =
      library != nullptr && LookUp(library, "dwfl_begin", &dw.begin) &&
      LookUp(library, "dwfl_end", &dw.end) &&
      LookUp(library, "dwfl_report_begin", &dw.report_begin) &&
      LookUp(library, "dwfl_report_offline", &dw.report_offline) &&
      LookUp(library, "dwfl_report_end", &dw.report_end) &&
      LookUp(library, "dwfl_standard_find_debuginfo", &dw.find_debuginfo) &&
      LookUp(library, "dwfl_offline_section_address", &dw.section_address) &&
      LookUp(library, "dwfl_module_getelf", &dw.getelf) &&
      LookUp(library, "dwfl_module_addrinfo", &dw.addrinfo) &&
      LookUp(library, "dwfl_module_addrdie", &dw.addrdie) &&
      LookUp(library, "dwfl_module_nextcu", &dw.nextcu) &&
      LookUp(library, "dwfl_module_getsrc", &dw.getsrc) &&
      LookUp(library, "dwfl_lineinfo", &dw.lineinfo) && LookUp(library, "dwarf_haspc", &dw.haspc) &&
      LookUp(library, "dwarf_getfuncs", &dw.getfuncs) &&
      LookUp(library, "dwarf_ranges", &dw.ranges) && LookUp(library, "dwarf_child", &dw.child) &&
      LookUp(library, "dwarf_siblingof", &dw.siblingof) && LookUp(library, "dwarf_tag", &dw.tag) &&
      LookUp(library, "dwarf_diename", &dw.diename) &&
      LookUp(library, "dwarf_attr_integrate", &dw.attr_integrate) &&
      LookUp(library, "dwarf_attr", &dw.attr) &&
      LookUp(library, "dwarf_formstring", &dw.formstring) &&
      LookUp(library, "dwarf_formudata", &dw.formudata) &&
      LookUp(library, "dwarf_getsrcfiles", &dw.getsrcfiles) &&
      LookUp(library, "dwarf_filesrc", &dw.filesrc);
  if (loaded) return dw;
  return absl::UnavailableError(
      absl::StrCat("the names of functions need libdw.so.1 of elfutils: ", dlerror()));
}

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
  explicit LibdwNames(const Libdw& dw) : dw_(dw) {
    callbacks_.find_debuginfo = dw.find_debuginfo;
    callbacks_.section_address = dw.section_address;
  }
  ~LibdwNames() override {
    for (const auto& [path, file] : files_) {
      if (file.session != nullptr) dw_.end(file.session);
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
    file.session = dw_.begin(&callbacks_);
    if (file.session == nullptr) return file;
    dw_.report_begin(file.session);
    file.module = dw_.report_offline(file.session, path.c_str(), path.c_str(), -1);
    dw_.report_end(file.session, nullptr, nullptr);
    if (file.module != nullptr && dw_.getelf(file.module, &file.bias) == nullptr) {
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
    own.function =
        Demangled(dw_.addrinfo(file.module, address, &offset, &symbol, nullptr, nullptr, nullptr));
    if (!own.function.empty()) {
      own.begin = vaddr - offset;
      own.size = symbol.st_size;
    }
    if (Dwfl_Line* const line = dw_.getsrc(file.module, address)) {
      if (const char* const source =
              dw_.lineinfo(line, nullptr, &own.line, nullptr, nullptr, nullptr)) {
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
      dw_.getfuncs(unit, add, &all, 0);
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
    while ((next = dw_.ranges(&die, next, &base, &range.begin, &range.end)) > 0) {
      ranges->push_back(range);
    }
  }

  // Appends the calls within `scope` whose inlined code is there, outermost first.
  void AddInlined(Dwarf_Die* scope, Dwarf_Addr address, std::vector<Dwarf_Die>* calls) {
    Dwarf_Die inner;
    if (dw_.child(scope, &inner) != 0) return;
    do {
      if (dw_.haspc(&inner, address) != 1) continue;
      if (dw_.tag(&inner) == DW_TAG_inlined_subroutine) calls->push_back(inner);
      AddInlined(&inner, address, calls);
      return;
    } while (dw_.siblingof(&inner, &inner) == 0);
  }

  Dwarf_Die* UnitOf(const File& file, GElf_Addr address, Dwarf_Addr* bias) {
    if (Dwarf_Die* const unit = dw_.addrdie(file.module, address, bias)) return unit;
    // Without .debug_aranges, as clang leaves them out.
    Dwarf_Die* unit = nullptr;
    while ((unit = dw_.nextcu(file.module, unit, bias)) != nullptr) {
      if (dw_.haspc(unit, address - *bias) == 1) return unit;
    }
    return nullptr;
  }

  std::string NameOf(Dwarf_Die* die) {
    Dwarf_Attribute attribute;
    if (dw_.attr_integrate(die, DW_AT_linkage_name, &attribute) != nullptr) {
      return Demangled(dw_.formstring(&attribute));
    }
    const char* const name = dw_.diename(die);
    return name == nullptr ? "" : name;
  }

  Dwarf_Word Number(Dwarf_Die* die, unsigned name) {
    Dwarf_Attribute attribute;
    Dwarf_Word value = 0;
    if (dw_.attr(die, name, &attribute) == nullptr || dw_.formudata(&attribute, &value) != 0) {
      return 0;
    }
    return value;
  }

  std::string CallFile(Dwarf_Die* unit, Dwarf_Die* die) {
    Dwarf_Files* files = nullptr;
    size_t count = 0;
    const Dwarf_Word number = Number(die, DW_AT_call_file);
    if (dw_.getsrcfiles(unit, &files, &count) != 0 || number >= count) return "";
    const char* const name = dw_.filesrc(files, number, nullptr, nullptr);
    return name == nullptr ? "" : name;
  }

  const Libdw dw_;
  Dwfl_Callbacks callbacks_{};
  std::map<std::string, File> files_;
  std::map<const void*, std::vector<FunctionRange>> functions_;  // by unit
  std::map<std::pair<std::string, uint64_t>, std::vector<NamedFrame>> frames_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<CodeNames>> CodeNames::Load() {
  const absl::StatusOr<Libdw> dw = LoadLibdw();
  if (!dw.ok()) return dw.status();
  return std::unique_ptr<CodeNames>(new LibdwNames(*dw));
}

#else

absl::StatusOr<std::unique_ptr<CodeNames>> CodeNames::Load() {
  return absl::UnavailableError(
      "this duetbench was built without the headers of libdw (libdw-dev), which names functions");
}

#endif

}  // namespace duetbench
