#include "duetbench/platform/counter_set.h"

#include <algorithm>
#include <cerrno>
#include <optional>

#include "duetbench/platform/reading.h"

namespace duetbench {
namespace {

constexpr int kEmptyRegions = 16;

}  // namespace

CounterSet::CounterSet(PerfSystem* system, const EventCode* codes, size_t events)
    : system_(system), events_(std::min(events, kMaxEvents)) {
  std::copy(codes, codes + events_, codes_);
  std::fill(files_, files_ + kMaxEvents, -1);
  std::fill(turn_of_, turn_of_ + kMaxEvents, -1);
  OpenSoftware();
  OpenHardware();
  MeasureOverhead();
}

CounterSet::~CounterSet() {
  CloseGroup(&software_);
  for (size_t turn = 0; turn < turns_; ++turn) CloseGroup(&groups_[turn]);
}

// On success the event is in the group; on failure errors_ has its errno.
bool CounterSet::Join(Group* group, size_t event) {
  const int file = system_->Open(codes_[event], group->leader);
  errors_[event] = file < 0 ? -file : 0;
  if (file < 0) return false;
  files_[event] = file;
  if (group->leader < 0) group->leader = file;
  group->events[group->size++] = event;
  if (!IsSoftware(codes_[event])) pages_[event] = system_->Map(file);
  return true;
}

void CounterSet::CloseGroup(Group* group) {
  // Members first: if its leader is closed first, each member becomes a group.
  for (size_t i = group->size; i-- > 0;) {
    const size_t event = group->events[i];
    if (pages_[event] != nullptr) system_->Unmap(pages_[event]);
    pages_[event] = nullptr;
    system_->Close(files_[event]);
    files_[event] = -1;
  }
  group->size = 0;
  group->leader = -1;
}

void CounterSet::OpenSoftware() {
  for (size_t event = 0; event < events_; ++event) {
    if (IsSoftware(codes_[event])) Join(&software_, event);
  }
}

void CounterSet::OpenHardware() {
  size_t max_size = kMaxEvents;  // of a group
  for (size_t event = 0; event < events_;) {
    if (IsSoftware(codes_[event])) {
      ++event;
      continue;
    }
    Group* last = turns_ == 0 ? nullptr : &groups_[turns_ - 1];
    if (last != nullptr && last->size < max_size && Join(last, event)) {
      if (GetsOntoPmu(last)) {
        turn_of_[event++] = static_cast<int>(turns_) - 1;
        continue;
      }
      // The kernel accepted it, but it is one too many: it opens the next group.
      max_size = last->size - 1;
      --last->size;
      if (pages_[event] != nullptr) system_->Unmap(pages_[event]);
      pages_[event] = nullptr;
      system_->Close(files_[event]);
      files_[event] = -1;
    }
    // In a new group.
    if (Join(&groups_[turns_], event)) turn_of_[event] = static_cast<int>(turns_++);
    ++event;
  }
}

bool CounterSet::GetsOntoPmu(Group* group) {
  GroupReading before;
  GroupReading after;
  system_->Enable(group->leader);
  bool runs = ReadKernel(*group, &before);
  system_->Exercise();
  runs = runs && ReadKernel(*group, &after) && after.running_ns > before.running_ns;
  system_->Disable(group->leader);
  return runs;
}

void CounterSet::MeasureOverhead() {
  for (size_t turn = 0; turn < turns(); ++turn) {
    double smallest[kMaxEvents];
    bool known[kMaxEvents] = {};
    Enable(turn);
    for (int i = 0; i < kEmptyRegions; ++i) {
      Start();
      Stop();
      for (size_t event = 0; event < events_; ++event) {
        if (!counts_[event].counted) continue;
        smallest[event] =
            known[event] ? std::min(smallest[event], counts_[event].value) : counts_[event].value;
        known[event] = true;
      }
    }
    Disable();
    for (Group* group : {&software_, &groups_[turn]}) {
      for (size_t i = 0; i < group->size; ++i) {
        if (known[group->events[i]]) group->overhead[i] = smallest[group->events[i]];
      }
    }
  }
}

template <class Visit>
void CounterSet::ForEnabled(Visit visit) {
  if (software_.size > 0) visit(software_);
  if (enabled_ != nullptr) visit(*enabled_);
}

void CounterSet::Enable(uint64_t turn) {
  if (events_ == 0) return;
  enabled_ = turns_ == 0 ? nullptr : &groups_[turn % turns_];
  ForEnabled([this](Group& group) { system_->Enable(group.leader); });
}

void CounterSet::Disable() {
  if (events_ == 0) return;
  ForEnabled([this](Group& group) { system_->Disable(group.leader); });
  enabled_ = nullptr;
}

bool CounterSet::ReadKernel(const Group& group, GroupReading* reading) {
  char bytes[GroupReadBytes(kMaxEvents)];
  const long size = system_->Read(group.leader, bytes, GroupReadBytes(group.size));
  return size > 0 && DecodeGroupRead(bytes, static_cast<size_t>(size), group.size, reading);
}

bool CounterSet::Read(const Group& group, GroupReading* reading) {
  reading->from_kernel = false;
  for (size_t i = 0; i < group.size; ++i) {
    const volatile perf_event_mmap_page* page = pages_[group.events[i]];
    const auto value =
        page == nullptr
            ? std::nullopt
            : ReadInUserMode(*page, [this](uint32_t counter) { return system_->ReadPmc(counter); });
    if (!value.has_value()) return ReadKernel(group, reading);
    reading->values[i] = value->value;
    reading->enabled_ns = value->enabled_ns;
    reading->running_ns = value->running_ns;
  }
  return true;
}

void CounterSet::Start() {
  if (events_ == 0) return;
  segments_ = 0;
  std::fill(counts_, counts_ + events_, Count{});
  Resume();
}

void CounterSet::Resume() {
  // The group on the PMU last: its count begins here.
  ForEnabled([this](Group& group) { group.begun = Read(group, &group.before); });
}

void CounterSet::Pause() {
  // The group on the PMU first: its count ends here.
  Group* const groups[] = {enabled_, software_.size > 0 ? &software_ : nullptr};
  GroupReading after[2];
  bool is_read[2] = {false, false};
  for (int i = 0; i < 2; ++i) {
    is_read[i] = groups[i] != nullptr && groups[i]->begun && Read(*groups[i], &after[i]);
  }
  for (int g = 0; g < 2; ++g) {
    if (groups[g] == nullptr) continue;
    const Group& group = *groups[g];
    for (size_t i = 0; i < group.size; ++i) {
      Count part;
      if (is_read[g]) part = Subtract(CountBetween(group.before, after[g], i), group.overhead[i]);
      Count& count = counts_[group.events[i]];
      count = segments_ == 0 ? part : Add(count, part);
    }
  }
  ++segments_;
}

void CounterSet::Stop() { Pause(); }

}  // namespace duetbench
