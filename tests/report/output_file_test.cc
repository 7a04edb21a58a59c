#include "duetbench/report/output_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <utility>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/temporary_folder.h"

namespace duetbench {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

constexpr char kFlag[] = "--out";

class OutputFileTest : public ::testing::Test {
 protected:
  ~OutputFileTest() override { fs::permissions(folder_, fs::perms::owner_all); }

  void WriteBefore(const std::string& text) const { std::ofstream(path_) << text; }
  std::vector<std::string> Names() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_)) {
      names.push_back(entry.path().filename());
    }
    return names;
  }
  std::unique_ptr<OutputFile> Opened() const {
    auto file = OutputFile::Open(kFlag, path_);
    EXPECT_TRUE(file.ok()) << file.status();
    return file.ok() ? *std::move(file) : nullptr;
  }

  const TemporaryFolder temporary_;
  const std::string folder_ = temporary_.path();
  const std::string path_ = temporary_.File("file");
};

TEST_F(OutputFileTest, IsThereWholeOrNotAtAll) {
  {
    const auto file = Opened();
    ASSERT_TRUE(file->Append("one\n").ok());
    EXPECT_FALSE(fs::exists(path_));
    ASSERT_TRUE(file->Append("two\n").ok());
    ASSERT_TRUE(file->Commit().ok());
    EXPECT_EQ(TextOf(path_), "one\ntwo\n");
  }
  EXPECT_EQ(TextOf(path_), "one\ntwo\n");
  EXPECT_EQ(Names().size(), 1u);
}

TEST_F(OutputFileTest, WithoutCommitAnEarlierFileStays) {
  WriteBefore("earlier");
  ASSERT_TRUE(Opened()->Append("new").ok());
  EXPECT_EQ(TextOf(path_), "earlier");
  EXPECT_EQ(Names().size(), 1u);
}

TEST_F(OutputFileTest, ReplacesAnEarlierFileAndKeepsItsMode) {
  WriteBefore("earlier and longer");
  fs::permissions(path_, fs::perms::owner_read | fs::perms::owner_write);
  const auto file = Opened();
  ASSERT_TRUE(file->Append("new").ok());
  ASSERT_TRUE(file->Commit().ok());
  EXPECT_EQ(TextOf(path_), "new");
  EXPECT_EQ(fs::status(path_).permissions(), fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_EQ(Names().size(), 1u);
}

TEST_F(OutputFileTest, ASymbolicLinkStaysOne) {
  WriteBefore("earlier");
  fs::create_symlink("file", folder_ + "/link");
  auto file = OutputFile::Open(kFlag, folder_ + "/link");
  ASSERT_TRUE(file.ok());
  ASSERT_TRUE((*file)->Append("new").ok() && (*file)->Commit().ok());
  EXPECT_TRUE(fs::is_symlink(folder_ + "/link"));
  EXPECT_EQ(TextOf(path_), "new");
}

TEST_F(OutputFileTest, AFullDiskIsAnErrorThatStays) {
  auto file = OutputFile::Open(kFlag, "/dev/full");
  ASSERT_TRUE(file.ok());
  const absl::Status status = (*file)->Append("text");
  EXPECT_EQ(status.message(), "--out: cannot write to '/dev/full': No space left on device");
  EXPECT_EQ((*file)->Append("text"), status);
  EXPECT_EQ((*file)->Commit(), status);
}

TEST_F(OutputFileTest, SaysWhyAFileCannotBeWritten) {
  EXPECT_EQ(OutputFile::Open(kFlag, folder_ + "/no/file").status().message(),
            "--out: cannot write to '" + folder_ + "/no/file': No such file or directory");
  EXPECT_THAT(OutputFile::Open(kFlag, folder_).status().message(), HasSubstr("Is a directory"));
  if (geteuid() == 0) return;  // to root everything is writable
  WriteBefore("earlier");
  fs::permissions(path_, fs::perms::owner_read);
  EXPECT_THAT(OutputFile::Open(kFlag, path_).status().message(), HasSubstr("Permission denied"));
}

TEST_F(OutputFileTest, APipeIsWrittenInPlace) {
  ASSERT_EQ(mkfifo(path_.c_str(), 0600), 0);
  const int reader = open(path_.c_str(), O_RDONLY | O_NONBLOCK);
  const auto file = Opened();
  ASSERT_TRUE(file->Append("text").ok() && file->Commit().ok());
  char text[8] = {};
  EXPECT_EQ(read(reader, text, sizeof(text)), 4);
  EXPECT_STREQ(text, "text");
  close(reader);
  EXPECT_TRUE(fs::is_fifo(path_));
}

TEST_F(OutputFileTest, AppendingKeepsWhatIsThere) {
  EXPECT_TRUE(CheckAppendable(kFlag, path_).ok());
  EXPECT_FALSE(fs::exists(path_)) << "a check changes nothing";
  ASSERT_TRUE(AppendToFile(kFlag, path_, "one\n").ok());
  ASSERT_TRUE(AppendToFile(kFlag, path_, "two\n").ok());
  EXPECT_EQ(TextOf(path_), "one\ntwo\n");
  EXPECT_THAT(AppendToFile(kFlag, "/dev/full", "x").message(), HasSubstr("No space left"));
  EXPECT_THAT(CheckAppendable(kFlag, folder_ + "/no/file").message(), HasSubstr("No such file"));
  EXPECT_THAT(CheckAppendable(kFlag, folder_).message(), HasSubstr("Is a directory"));
}

TEST_F(OutputFileTest, TheSameFileTwiceIsRefused) {
  const std::string other = folder_ + "/other";
  EXPECT_TRUE(CheckDistinct({{"--a", path_}, {"--b", other}, {"--c", ""}, {"--d", ""}}).ok());
  EXPECT_TRUE(CheckDistinct({{"--a", "/dev/null"}, {"--b", "/dev/null"}}).ok());
  EXPECT_EQ(
      CheckDistinct({{"--a", path_},
                     {"--b", folder_ + "/../" + fs::path(folder_).filename().string() + "/file"}})
          .message()
          .substr(0, 31),
      "--a and --b: both would write t");
  WriteBefore("");
  fs::create_symlink("file", other);
  EXPECT_FALSE(CheckDistinct({{"--a", path_}, {"--b", other}}).ok());
  fs::remove(other);
  EXPECT_TRUE(CheckDistinct({{"--a", path_}, {"--b", other}}).ok());
  fs::create_hard_link(path_, other);
  EXPECT_FALSE(CheckDistinct({{"--a", path_}, {"--b", other}}).ok());
}

TEST_F(OutputFileTest, TheRunningProgramIsNoOutput) {
  const std::string program = fs::read_symlink("/proc/self/exe");
  EXPECT_EQ(CheckDistinct({{"--a", program}}).code(), absl::StatusCode::kInvalidArgument);
  fs::create_symlink(program, folder_ + "/link");
  EXPECT_FALSE(CheckDistinct({{"--a", folder_ + "/link"}}).ok());
}

}  // namespace
}  // namespace duetbench
