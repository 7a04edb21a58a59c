#ifndef TOOLS_DUET_VARIANT_ELSEWHERE_H_
#define TOOLS_DUET_VARIANT_ELSEWHERE_H_

#include <memory>

#include "duetbench/variant/state.h"
#include "duetbench/variant/variant.h"

namespace duetbench::duet {

// A variant that another program has.
class VariantElsewhere final : public Variant {
 public:
  explicit VariantElsewhere(bool is_called) : is_called_(is_called) {}
  void Run(State& state) const override { state.SkipWithError("another program has the variant"); }
  std::shared_ptr<const Variant> Copy() const override {
    return std::make_shared<VariantElsewhere>(is_called_);
  }
  bool is_called_for_each_sample() const override { return is_called_; }

 private:
  const bool is_called_;
};

}  // namespace duetbench::duet

#endif  // TOOLS_DUET_VARIANT_ELSEWHERE_H_
