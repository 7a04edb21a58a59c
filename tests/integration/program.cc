#include "tests/integration/program.h"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <system_error>
#include <thread>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "gtest/gtest.h"

namespace duetbench::integration {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;

std::string NewFile() {
  std::string path = fs::temp_directory_path() / "duetbench-XXXXXX";
  const int fd = mkstemp(path.data());
  if (fd < 0) {
    ADD_FAILURE() << "no temporary file " << path;
    return "/dev/null";
  }
  close(fd);
  return path;
}

std::vector<std::string> EnvironmentOf(const Request& request) {
  std::map<std::string, std::string> variables = {{"BENCHMARK_MIN_TIME", "0.02"},
                                                  {"DUET_LOCK", "off"},
                                                  {"DUET_RUNS", "2"},
                                                  {"DUET_UNCHANGED", "measure"},
                                                  {"TERM", "xterm"}};
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::vector<std::string> parts = absl::StrSplit(*entry, absl::MaxSplits('=', 1));
    if (absl::StartsWith(parts[0], "DUET_") || absl::StartsWith(parts[0], "BENCHMARK_")) continue;
    variables.emplace(parts[0], parts.size() > 1 ? parts[1] : "");
  }
  for (const auto& [name, value] : request.environment) variables[name] = value;
  std::vector<std::string> environment;
  environment.reserve(variables.size());
  for (const auto& [name, value] : variables) {
    environment.push_back(absl::StrCat(name, "=", value));
  }
  return environment;
}

std::vector<char*> Pointers(std::vector<std::string>& strings) {
  std::vector<char*> pointers;
  pointers.reserve(strings.size() + 1);
  for (std::string& string : strings) pointers.push_back(string.data());
  pointers.push_back(nullptr);
  return pointers;
}

// In the new process.
[[noreturn]] void Become(const Request& request, int out, int err, char* const* argv,
                         char* const* environment) {
  alarm(request.max_seconds);
  // Whoever started the tests may ignore them, as nohup does.
  for (const int number : {SIGINT, SIGHUP, SIGQUIT, SIGTERM}) signal(number, SIG_DFL);
  const int in = open("/dev/null", O_RDONLY);
  dup2(in, STDIN_FILENO);
  dup2(out, STDOUT_FILENO);
  dup2(err, STDERR_FILENO);
  if (request.only_cpu >= 0) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(static_cast<size_t>(request.only_cpu), &set);
    if (sched_setaffinity(0, sizeof(set), &set) != 0) _exit(99);
  }
  if (!request.folder.empty() && chdir(request.folder.c_str()) != 0) _exit(98);
  execvpe(argv[0], argv, environment);
  _exit(97);
}

}  // namespace

const std::map<std::string, std::string>& Programs() {
  static const std::map<std::string, std::string> programs =
      absl::StrSplit(INTEGRATION_PROGRAMS, absl::ByAnyChar(",="), absl::SkipEmpty());
  return programs;
}

bool HasPath(const std::string& program) { return Programs().count(program) != 0; }

std::string PathOf(const std::string& program) { return fs::absolute(Programs().at(program)); }

Program::Program(const Request& request) {
  std::vector<std::string> arguments = request.arguments;
  arguments.insert(arguments.begin(), request.program);
  std::vector<std::string> environment = EnvironmentOf(request);
  const std::vector<char*> argv = Pointers(arguments);
  const std::vector<char*> envp = Pointers(environment);
  const auto path = request.environment.find("PATH");

  int out = -1;
  int err = -1;
  if (request.on_terminal) {
    terminal_ = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (terminal_ >= 0 && grantpt(terminal_) == 0 && unlockpt(terminal_) == 0) {
      out = err = open(ptsname(terminal_), O_RDWR | O_NOCTTY | O_CLOEXEC);
    }
  } else {
    out_path_ = NewFile();
    err_path_ = NewFile();
    out = open(out_path_.c_str(), O_WRONLY | O_CLOEXEC);
    err = open(err_path_.c_str(), O_WRONLY | O_CLOEXEC);
  }
  EXPECT_GE(out, 0);
  EXPECT_GE(err, 0);
  pid_ = fork();
  if (pid_ == 0) {
    // execvpe looks in the PATH of this process.
    if (path != request.environment.end()) setenv("PATH", path->second.c_str(), 1);
    Become(request, out, err, argv.data(), envp.data());
  }
  EXPECT_GT(pid_, 0);
  close(out);
  if (err != out) close(err);
}

Program::~Program() {
  if (status_ < 0 && pid_ > 0) {
    kill(pid_, SIGKILL);
    Wait();
  }
  if (terminal_ >= 0) close(terminal_);
  for (const std::string& path : {out_path_, err_path_}) {
    if (!path.empty()) unlink(path.c_str());
  }
}

void Program::Signal(int number) const { kill(pid_, number); }

// Reads the output that is there now. A terminal that nobody reads would stop those who write to
// it.
void Program::ReadTerminal() {
  if (terminal_ < 0) return;
  pollfd polled = {terminal_, POLLIN, 0};
  while (poll(&polled, 1, 0) > 0 && (polled.revents & POLLIN) != 0) {
    char buffer[4096];
    const ssize_t size = read(terminal_, buffer, sizeof(buffer));
    if (size <= 0) return;
    terminal_text_.append(buffer, static_cast<size_t>(size));
  }
}

bool Program::HasEnded() {
  if (status_ >= 0) return true;
  ReadTerminal();
  int status = 0;
  if (waitpid(pid_, &status, WNOHANG) != pid_) return false;
  status_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  ReadTerminal();
  return true;
}

Outcome Program::Wait() {
  while (!HasEnded()) std::this_thread::sleep_for(milliseconds(2));
  Outcome outcome;
  outcome.status = status_;
  outcome.pid = pid_;
  outcome.out = terminal_ >= 0 ? terminal_text_ : TextOf(out_path_);
  outcome.err = terminal_ >= 0 ? "" : TextOf(err_path_);
  return outcome;
}

Outcome Execute(const Request& request) { return Program(request).Wait(); }

Outcome Execute(const std::string& program, const std::vector<std::string>& arguments,
                const std::map<std::string, std::string>& environment) {
  Request request;
  request.program = PathOf(program);
  request.arguments = arguments;
  request.environment = environment;
  return Execute(request);
}

Request InShell(const std::string& command, const std::string& folder) {
  Request request;
  request.program = "sh";
  request.arguments = {"-c", command};
  request.folder = folder;
  return request;
}

Request Freely(const std::string& program, const std::vector<std::string>& arguments) {
  Request request;
  request.program = "env";
  request.arguments = {"-u", "DUET_RUNS", "-u", "BENCHMARK_MIN_TIME", PathOf(program)};
  request.arguments.insert(request.arguments.end(), arguments.begin(), arguments.end());
  return request;
}

std::string Folder::CopyOf(const std::string& program) const {
  std::string copy = File(program);
  std::error_code error;
  fs::copy_file(PathOf(program), copy, error);
  EXPECT_FALSE(error) << error.message();
  return copy;
}

bool Eventually(const std::function<bool()>& condition, int seconds) {
  constexpr milliseconds kPause(2);
  for (auto left = std::chrono::seconds(seconds) / kPause; left > 0; --left) {
    if (condition()) return true;
    std::this_thread::sleep_for(kPause);
  }
  return condition();
}

std::vector<Note> NotesOf(const std::string& log) {
  std::vector<Note> notes;
  for (const std::string& line : LinesOf(TextOf(log))) {
    std::istringstream words(line);
    Note note{};
    words >> note.pid >> note.cpu >> note.what;
    notes.push_back(note);
  }
  return notes;
}

std::map<pid_t, std::vector<std::string>> NotesByProcess(const std::string& log) {
  std::map<pid_t, std::vector<std::string>> notes;
  for (const Note& note : NotesOf(log)) notes[note.pid].push_back(note.what);
  return notes;
}

size_t NotingProcesses(const std::string& log) { return NotesByProcess(log).size(); }

bool AwaitProcesses(Program& program, const std::string& log, size_t count) {
  for (size_t so_far = 0; so_far < count;) {
    size_t now = 0;
    const bool goes_on = Eventually([&] {
      now = NotingProcesses(log);
      return now > so_far || program.HasEnded();
    });
    if (!goes_on || now == so_far) return false;
    so_far = now;
  }
  return true;
}

std::vector<int> AllowedCpus() {
  cpu_set_t set;
  CPU_ZERO(&set);
  sched_getaffinity(0, sizeof(set), &set);
  std::vector<int> cpus;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(static_cast<size_t>(cpu), &set)) cpus.push_back(cpu);
  }
  return cpus;
}

std::vector<pid_t> ProcessesOf(const std::string& path) {
  std::vector<pid_t> processes;
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator("/proc", ignored)) {
    const std::string name = entry.path().filename();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    const std::string executable = fs::read_symlink(entry.path() / "exe", ignored);
    if (executable == path || executable == path + " (deleted)") {
      processes.push_back(std::atoi(name.c_str()));
    }
  }
  return processes;
}

bool AllProcessesEnd(const std::string& path) {
  return Eventually([&] { return ProcessesOf(path).empty(); });
}

nlohmann::json JsonOf(const std::string& text) {
  nlohmann::json report = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
  EXPECT_FALSE(report.is_discarded()) << "not JSON:\n" << text;
  if (report.is_discarded()) report = {{"benchmarks", nlohmann::json::array()}};
  return report;
}

std::vector<std::string> NamesOf(const nlohmann::json& report) {
  std::vector<std::string> names;
  for (const nlohmann::json& row : report["benchmarks"]) names.push_back(row["name"]);
  return names;
}

nlohmann::json RowOf(const nlohmann::json& report, const std::string& name) {
  for (const nlohmann::json& row : report["benchmarks"]) {
    if (row["name"] == name) return row;
  }
  ADD_FAILURE() << "no row " << name << " in\n" << report.dump(1);
  return nlohmann::json::object();
}

double RatioOf(const nlohmann::json& report, const std::string& name) {
  const nlohmann::json row = RowOf(report, name);
  return row.is_null() ? 0 : row.value("ratio", 0.0);
}

nlohmann::json ReportWith(const std::string& program, std::vector<std::string> flags,
                          const std::map<std::string, std::string>& environment) {
  flags.emplace_back("--benchmark_format=json");
  const Outcome outcome = Execute(program, flags, environment);
  EXPECT_EQ(outcome.status, 0) << outcome.err << outcome.out;
  return JsonOf(outcome.out);
}

nlohmann::json ReportOf(const std::string& program, const std::string& filter) {
  return ReportWith(program, {"--benchmark_filter=" + filter});
}

void ExpectMeasured(const nlohmann::json& report, const std::string& name) {
  for (const char* suffix : {"/old", "/new"}) {
    const nlohmann::json row = RowOf(report, name + suffix);
    EXPECT_GT(row.value("real_time", 0.0), 0) << name;
  }
  EXPECT_GT(RatioOf(report, name), 0) << name;
}

std::vector<std::string> LinesOf(const std::string& text) {
  return absl::StrSplit(text, '\n', absl::SkipEmpty());
}

}  // namespace duetbench::integration
