#include "tools/duet/matching.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "duetbench/measure/run_protocol.h"
#include "duetbench/version.h"

namespace duetbench::duet {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

OfferedBenchmark Offered(const std::string& name, int family, bool is_duet = false,
                         const std::string& error = "") {
  OfferedBenchmark offered;
  offered.name = name;
  offered.family_name = name;
  offered.family = family;
  offered.is_duet = is_duet;
  offered.error = error;
  return offered;
}

Offer OfferOf(std::vector<OfferedBenchmark> benchmarks) {
  return {kRunProtocolVersion, "1.2.3", "tsc", std::move(benchmarks), {}};
}

const std::vector<std::string> kTwo = {"old", "new"};

std::vector<std::string> Matched(const Matching& matching) {
  std::vector<std::string> names;
  for (const MatchedBenchmark& benchmark : matching.benchmarks) names.push_back(benchmark.name);
  return names;
}

TEST(Match, TheOrderOfRegistrationMayDiffer) {
  const Matching matching = Match({OfferOf({Offered("a", 0), Offered("b", 1), Offered("c", 2)}),
                                   OfferOf({Offered("d", 0), Offered("c", 1), Offered("a", 2)})},
                                  kTwo, ComparedVariant::kNew);
  EXPECT_THAT(Matched(matching), ElementsAre("c", "a"));
  EXPECT_EQ(matching.benchmarks[0].offered[0].family, 2);
  EXPECT_EQ(matching.benchmarks[0].offered[1].family, 1);
  EXPECT_THAT(matching.only[0], ElementsAre("b"));
  EXPECT_THAT(matching.only[1], ElementsAre("d"));
}

TEST(Match, TheVariantOfADuetIsChosen) {
  const Offer offer = OfferOf({Offered("duet", 0, true), Offered("plain", 1)});
  const Matching old_ones = Match({offer, offer}, kTwo, ComparedVariant::kOld);
  ASSERT_THAT(Matched(old_ones), ElementsAre("duet", "plain"));
  EXPECT_EQ(old_ones.benchmarks[0].variant, 0);
  EXPECT_EQ(Match({offer, offer}, kTwo, ComparedVariant::kNew).benchmarks[0].variant, 1);
  EXPECT_THAT(Matched(Match({offer, offer}, kTwo, ComparedVariant::kBoth)),
              ElementsAre("duet/variant:old", "duet/variant:new", "plain"));
}

TEST(Match, WhatCannotBeMeasuredIsRefused) {
  const Matching matching =
      Match({OfferOf({Offered("a", 0, false, "it is blue"), Offered("b", 1, true)}),
             OfferOf({Offered("a", 0), Offered("b", 1)})},
            kTwo, ComparedVariant::kNew);
  EXPECT_THAT(matching.benchmarks, IsEmpty());
  EXPECT_THAT(matching.refused,
              ElementsAre(Pair("a", "it is blue"), Pair("b", "it is a duet in old only")));
}

TEST(Match, ANameThatAProgramHasTwiceIsRefused) {
  const Offer once = OfferOf({Offered("a", 0), Offered("b", 1), Offered("c", 2)});
  const Offer twice = OfferOf({Offered("a", 0), Offered("b", 1), Offered("a", 2), Offered("d", 3)});
  for (const bool is_old : {false, true}) {
    const Matching matching =
        Match({is_old ? twice : once, is_old ? once : twice}, kTwo, ComparedVariant::kNew);
    EXPECT_THAT(Matched(matching), ElementsAre("b"));
    EXPECT_THAT(matching.refused,
                ElementsAre(Pair("a", is_old ? "old has 2 benchmarks of this name"
                                             : "new has 2 benchmarks of this name")));
  }
}

TEST(Match, SeveralProgramsCompareTheBenchmarksOfAll) {
  OfferedBenchmark with_threads = Offered("threads", 4);
  with_threads.threads = 2;
  const Matching matching =
      Match({OfferOf({Offered("a", 0), Offered("b", 1), Offered("duet", 2, true), with_threads}),
             OfferOf({Offered("duet", 0), with_threads, Offered("b", 2)}),
             OfferOf({Offered("b", 0), Offered("a", 1), Offered("duet", 2, true), with_threads})},
            {"base", "b", "c"}, ComparedVariant::kNew);
  EXPECT_THAT(Matched(matching), ElementsAre("b"));
  ASSERT_EQ(matching.benchmarks[0].offered.size(), 3u);
  EXPECT_EQ(matching.benchmarks[0].offered[1].family, 2);
  EXPECT_THAT(matching.only, ElementsAre(ElementsAre("a"), IsEmpty(), ElementsAre("a")));
  EXPECT_THAT(matching.refused, ElementsAre(Pair("duet", "it is a duet in base, c only"),
                                            Pair("threads",
                                                 "it has several threads: of such benchmarks two "
                                                 "builds are compared")));
}

TEST(CheckOffers, AnotherProtocolNamesBothPrograms) {
  const std::vector<ProgramCommand> programs = {{"./a", false, {}}, {"./b", false, {}}};
  std::vector<Offer> offers = {OfferOf({}), OfferOf({})};
  EXPECT_TRUE(CheckOffers(offers, programs, kTwo, "tsc").ok());
  offers[1].protocol = kRunProtocolVersion + 1;
  EXPECT_EQ(CheckOffers(offers, programs, kTwo, "tsc").message(),
            absl::StrCat("the programs do not speak the same protocol: old (./a) speaks ",
                         kRunProtocolVersion, " (duetbench 1.2.3), new (./b) speaks ",
                         kRunProtocolVersion + 1, " (duetbench 1.2.3), and this tool speaks ",
                         kRunProtocolVersion,
                         " (duetbench " DUETBENCH_VERSION_TEXT
                         "): build all of them with one version of duetbench"));
  offers[1] = OfferOf({});
  EXPECT_EQ(
      CheckOffers(offers, programs, kTwo, "clock_gettime").message(),
      "the programs do not read the same clock: old (./a) reads tsc, new (./b) reads tsc, and this "
      "tool clock_gettime: build all of them for one architecture");
}

TEST(Offer, ComesBackAsItWas) {
  Offer offer = OfferOf({Offered("a \"b\"\t/1", 3, true, "why\nnot")});
  OfferedBenchmark& sent = offer.benchmarks[0];
  sent.ranges = {-1, 1 << 20};
  sent.is_called[1] = true;
  sent.unit = 2;
  sent.min_time = 0.25;
  sent.fixed_iterations = 7;
  sent.file = "a.cc";
  sent.line = 12;
  offer.files = {"/lib/a\tb.so", "/bin/c"};
  const std::string text = EncodeOffer(offer);
  const auto back = DecodeOffer(text);
  ASSERT_TRUE(back.ok()) << back.status();
  EXPECT_EQ(EncodeOffer(*back), text);
  EXPECT_EQ(back->files, offer.files);
  EXPECT_EQ(back->benchmarks[0].name, sent.name);
  EXPECT_EQ(back->benchmarks[0].error, sent.error);
  EXPECT_THAT(back->benchmarks[0].ranges, ElementsAre(-1, 1 << 20));
  EXPECT_EQ(back->benchmarks[0].line, 12);
  EXPECT_FALSE(DecodeOffer(text + "x").ok());
  for (size_t length = 0; length < text.size(); ++length) {
    EXPECT_FALSE(DecodeOffer(text.substr(0, length)).ok()) << length;
  }
}

}  // namespace
}  // namespace duetbench::duet
