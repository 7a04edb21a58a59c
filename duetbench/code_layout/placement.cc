#include "duetbench/code_layout/placement.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>

#include "duetbench/code_layout/elf_file.h"
#include "duetbench/code_layout/program_copy.h"
#include "duetbench/platform/memory.h"
#include "duetbench/platform/random.h"

namespace duetbench {
namespace {

constexpr uint64_t kUnit = 16;  // of distances

// Makes room for one more function.
void Enlarge(const MovableCode& code, int32_t number, Slots::Slot* slot) {
  const MovableCode::Function& function = code.functions[static_cast<size_t>(number)];
  slot->size = std::max(slot->size, function.size() + function.extra);
  slot->alignment = std::max<uint64_t>(slot->alignment, function.alignment);
  slot->table_entries.resize(std::max(slot->table_entries.size(), function.tables.size()));
  for (size_t t = 0; t < function.tables.size(); ++t) {
    slot->table_entries[t] = std::max<uint64_t>(
        slot->table_entries[t], code.tables[static_cast<size_t>(function.tables[t])].size());
  }
}

}  // namespace

Slots SlotsOfVariants(const MovableCode& code, absl::Span<const std::vector<int32_t>> variants) {
  Slots slots;
  std::vector<bool> has_slot(code.functions.size());
  size_t most = 0;
  for (const std::vector<int32_t>& functions : variants) most = std::max(most, functions.size());
  for (size_t i = 0; i < most; ++i) {
    std::vector<int32_t> ring;
    Slots::Slot slot;
    for (const std::vector<int32_t>& functions : variants) {
      if (i >= functions.size()) continue;
      ring.push_back(functions[i]);
      has_slot[static_cast<size_t>(functions[i])] = true;
      Enlarge(code, functions[i], &slot);
    }
    if (ring.size() > 1) slots.turns = static_cast<uint32_t>(variants.size());
    for (size_t place = 0; place < ring.size(); ++place) {
      slot.functions.clear();
      for (size_t turn = 0; turn < variants.size(); ++turn) {
        slot.functions.push_back(ring[(place + turn) % ring.size()]);
      }
      if (ring.size() == 1) slot.functions.resize(1);
      slots.slots.push_back(slot);
    }
  }
  for (size_t i = 0; i < code.functions.size(); ++i) {
    if (has_slot[i] || !code.functions[i].moves()) continue;
    Slots::Slot& slot = slots.slots.emplace_back();
    slot.functions = {static_cast<int32_t>(i)};
    Enlarge(code, slot.functions[0], &slot);
  }
  return slots;
}

Slots SlotsOfPrograms(absl::Span<const MovableCode* const> programs,
                      absl::Span<const std::vector<std::string>> keys) {
  // In the order of keys: it does not depend on where functions are.
  std::map<std::string, Slots::Slot> by_key;
  for (size_t p = 0; p < programs.size(); ++p) {
    for (size_t i = 0; i < keys[p].size(); ++i) {
      if (!programs[p]->functions[i].moves()) continue;
      Slots::Slot& slot = by_key[keys[p][i]];
      slot.functions.resize(programs.size(), -1);
      slot.functions[p] = static_cast<int32_t>(i);
      Enlarge(*programs[p], slot.functions[p], &slot);
    }
  }
  Slots slots;
  for (auto& [key, slot] : by_key) slots.slots.push_back(std::move(slot));
  return slots;
}

std::vector<Placement> PlaceFunctions(absl::Span<const MovableCode* const> programs,
                                      const Slots& slots, uint64_t seed, uint32_t turn) {
  // Chosen: pages before the segment that may be left out. Programs at the same base address have
  // other addresses in each layout by this.
  constexpr uint64_t kMostPagesBefore = 1024;
  constexpr uint64_t kMostDistance = 256, kLeastDistance = 8, kDistances = 65536;  // units
  stats::Random random(seed, 0);
  std::vector<Placement> placements(programs.size());
  uint64_t place = 0;
  for (size_t p = 0; p < programs.size(); ++p) {
    placements[p].function_at.resize(programs[p]->functions.size());
    placements[p].table_at.resize(programs[p]->tables.size());
    place = std::max(place, programs[p]->end_address);
  }
  place += kPageBytes * random.Below(kMostPagesBefore);
  for (Placement& each : placements) each.begin = place;

  std::vector<const Slots::Slot*> order;
  for (const Slots::Slot& slot : slots.slots) order.push_back(&slot);
  random.Shuffle(order);
  const uint64_t most = std::min(
      kMostDistance, std::max(kLeastDistance, kDistances / std::max<size_t>(1, order.size())));
  const auto for_occupants = [&](const Slots::Slot& slot, auto&& action) {
    for (size_t p = 0; p < programs.size(); ++p) {
      const int32_t number = slot.functions[(p * slots.turns + turn) % slot.functions.size()];
      if (number >= 0) action(p, static_cast<size_t>(number));
    }
  };
  for (const Slots::Slot* const slot : order) {
    place = RoundUp(place + kUnit * random.Below(most), slot->alignment);
    for_occupants(*slot,
                  [&](size_t p, size_t number) { placements[p].function_at[number] = place; });
    place += slot->size;
  }
  place = RoundUp(place, kPageBytes);
  for (const Slots::Slot* const slot : order) {
    for (size_t t = 0; t < slot->table_entries.size(); ++t) {
      for_occupants(*slot, [&](size_t p, size_t number) {
        const std::vector<int32_t>& tables = programs[p]->functions[number].tables;
        if (t < tables.size()) placements[p].table_at[static_cast<size_t>(tables[t])] = place;
      });
      place += 4 * slot->table_entries[t];
    }
  }
  uint64_t end = 0;
  for (size_t p = 0; p < programs.size(); ++p) {
    placements[p].tables_end = RoundUp(place, kUnit);
    end = std::max(end, EndOfCopy(*programs[p], placements[p]));
  }
  for (Placement& each : placements) each.end = RoundUp(end, kPageBytes);
  return placements;
}

}  // namespace duetbench
