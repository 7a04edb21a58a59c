#include "tools/duet/git/build_variables.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duetbench::duet {
namespace {

using testing::ElementsAre;

TEST(UseOfVariable, WhateverIsNotKnownDecides) {
  for (const char* name : {"CC",
                           "CXX",
                           "CFLAGS",
                           "CXXFLAGS",
                           "CPPFLAGS",
                           "LDFLAGS",
                           "LIBRARY_PATH",
                           "CPATH",
                           "CPLUS_INCLUDE_PATH",
                           "PATH",
                           "LD_LIBRARY_PATH",
                           "LD_PRELOAD",
                           "PKG_CONFIG_PATH",
                           "CMAKE_BUILD_TYPE",
                           "CMAKE_PREFIX_PATH",
                           "Boost_ROOT",
                           "SOURCE_DATE_EPOCH",
                           "MAKEFLAGS",
                           "DUETBENCH_LAYOUTS",
                           "HOME",
                           "LANG",
                           "CI",
                           "CIFLAGS",
                           "TERMINAL",
                           "GITHUB_WORKSPACE",
                           "CI_PROJECT_DIR",
                           "ANYTHING",
                           "BASH_FUNC_x%%",
                           ""}) {
    EXPECT_EQ(UseOfVariable(name), VariableUse::kDecides) << name;
  }
}

TEST(UseOfVariable, TheSessionAndTheJobAreHidden) {
  for (const char* name : {"TERM", "TERM_PROGRAM", "DISPLAY", "SHLVL", "OLDPWD", "_", "SSH_TTY",
                           "GITHUB_RUN_ID", "CI_JOB_ID", "SLURM_JOB_ID", "DUET_OUT",
                           "BENCHMARK_FILTER", "BUILD_NUMBER", "HOSTNAME", "ITERM_SESSION_ID"}) {
    EXPECT_EQ(UseOfVariable(name), VariableUse::kHidden) << name;
  }
  // A shell cannot unset it.
  EXPECT_EQ(UseOfVariable("CI_x%%"), VariableUse::kDecides);
}

TEST(UseOfVariable, CredentialsArePassed) {
  for (const char* name : {"GITHUB_TOKEN", "CI_JOB_TOKEN", "SSH_AUTH_SOCK", "GIT_AUTHOR_DATE",
                           "TMPDIR", "PWD", "DB_PASSWORD"}) {
    EXPECT_EQ(UseOfVariable(name), VariableUse::kPassed) << name;
  }
}

TEST(DecidingVariables, AreSorted) {
  EXPECT_THAT(DecidingVariables({"PATH=/bin", "TERM=x", "CXX=c", "A_TOKEN=t", "EMPTY="}),
              ElementsAre("CXX=c", "EMPTY=", "PATH=/bin"));
}

TEST(HideVariables, IsACommand) {
  EXPECT_EQ(HideVariables({"PATH=/bin", "TERM=x", "CI_A=b=c"}), "unset TERM CI_A; ");
  EXPECT_EQ(HideVariables({"PATH=/bin"}), "");
}

}  // namespace
}  // namespace duetbench::duet
