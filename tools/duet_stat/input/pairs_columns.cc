#include "tools/duet_stat/input/pairs_columns.h"

namespace duetbench::duet_stat {
namespace {

constexpr char kFormats[] =
    "a file of pairs has benchmark,run,old_ns,new_ns,flags (as --duet_out writes it) or run,x,y";

}  // namespace

absl::StatusOr<PairsColumns> FindPairsColumns(const CsvReader& reader, const CsvHeader& header) {
  const absl::Status unique = header.CheckUnique(reader, {"benchmark",
                                                          "run",
                                                          "iteration",
                                                          "iter",
                                                          "old_ns",
                                                          "new_ns",
                                                          "x",
                                                          "y",
                                                          "old_cpu",
                                                          "new_cpu",
                                                          "flags",
                                                          "assignment",
                                                          "machine",
                                                          "ops",
                                                          "new_ops",
                                                          "clock",
                                                          "old_cpu_ns",
                                                          "new_cpu_ns",
                                                          "layout",
                                                          "round",
                                                          "start_s",
                                                          "old_probe_ns",
                                                          "new_probe_ns",
                                                          "old_pause_share",
                                                          "new_pause_share"});
  if (!unique.ok()) return unique;
  PairsColumns columns{};
  columns.benchmark = header.Find("benchmark");
  columns.run = header.Find("run");
  columns.iteration = header.Find(header.Has({"iteration"}) ? "iteration" : "iter");
  columns.assignment = header.Find("assignment");
  columns.machine = header.Find("machine");
  columns.layout = header.Find("layout");
  columns.round = header.Find("round");
  columns.start = header.Find("start_s");
  columns.old_probe = columns.new_probe = CsvHeader::kAbsent;
  if (header.Has({"old_probe_ns", "new_probe_ns"})) {
    columns.old_probe = header.Find("old_probe_ns");
    columns.new_probe = header.Find("new_probe_ns");
  }
  columns.old_pause_share = columns.new_pause_share = CsvHeader::kAbsent;
  if (header.Has({"old_pause_share", "new_pause_share"})) {
    columns.old_pause_share = header.Find("old_pause_share");
    columns.new_pause_share = header.Find("new_pause_share");
  }
  columns.old_iterations = columns.new_iterations = CsvHeader::kAbsent;
  columns.clock = columns.old_cpu_time = columns.new_cpu_time = CsvHeader::kAbsent;
  const bool is_duet_out = header.Has({"old_ns"}) || header.Has({"new_ns"});
  if (is_duet_out) {
    if (!header.Has({"benchmark", "run", "old_ns", "new_ns", "flags"})) {
      return header.Missing(reader, {"benchmark", "run", "old_ns", "new_ns", "flags"}, kFormats);
    }
    columns.old_time = header.Find("old_ns");
    columns.new_time = header.Find("new_ns");
    columns.flags = header.Find("flags");
    columns.old_cpu = header.Find("old_cpu");
    columns.new_cpu = header.Find("new_cpu");
    if (header.Has({"ops", "new_ops"})) {
      columns.old_iterations = header.Find("ops");
      columns.new_iterations = header.Find("new_ops");
    }
    if (header.Has({"clock", "old_cpu_ns", "new_cpu_ns"})) {
      columns.clock = header.Find("clock");
      columns.old_cpu_time = header.Find("old_cpu_ns");
      columns.new_cpu_time = header.Find("new_cpu_ns");
    }
  } else {
    if (!header.Has({"run", "x", "y"})) return header.Missing(reader, {"run", "x", "y"}, kFormats);
    columns.old_time = header.Find("y");
    columns.new_time = header.Find("x");
    columns.flags = columns.old_cpu = columns.new_cpu = CsvHeader::kAbsent;
    columns.is_x_over_y = true;
  }
  return columns;
}

}  // namespace duetbench::duet_stat
