#ifndef DUETBENCH_TESTS_INTEGRATION_PROGRAM_H_
#define DUETBENCH_TESTS_INTEGRATION_PROGRAM_H_

#include <sys/types.h>

#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/temporary_folder.h"

// Runs the programs of this folder as a user would, each in a separate process, and tells what
// they printed and how they ended.
namespace duetbench::integration {

// Where the schedule is demanded, one run calibrates before those that measure, and no pilot
// follows it.
inline constexpr char kNoPilots[] = "--duet_schedule=interleaved";

// The start of a program. Its environment is the one of this process without DUET_* and
// BENCHMARK_*, with two runs and a short measuring time, without waiting for other programs, and
// with `environment`.
struct Request {
  std::string program;                 // a path, or a name that is looked for in PATH
  std::vector<std::string> arguments;  // without argv[0]
  std::map<std::string, std::string> environment;
  std::string folder;        // to start it in; empty: this one
  int only_cpu = -1;         // the one CPU that it may use
  bool on_terminal = false;  // stdout and stderr are one terminal; else two files
  unsigned max_seconds = 120;
};

struct Outcome {
  int status = -1;  // exit status, or 128 + the signal, as shells have it
  pid_t pid = -1;
  std::string out;  // on a terminal: everything
  std::string err;
};

// A program that has been started. It is killed after max_seconds.
class Program {
 public:
  explicit Program(const Request& request);
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  pid_t pid() const { return pid_; }
  void Signal(int number) const;
  bool HasEnded();
  Outcome Wait();

 private:
  void ReadTerminal();

  pid_t pid_ = -1;
  int status_ = -1;
  std::string out_path_;
  std::string err_path_;
  int terminal_ = -1;
  std::string terminal_text_;
};

Outcome Execute(const Request& request);

// The programs of this folder, duet and duet_stat, as far as this build has made them, by name.
const std::map<std::string, std::string>& Programs();
// `program` is one of the programs of this folder, "suite" or "trouble", or "duet_stat".
std::string PathOf(const std::string& program);
// True if this build has made it: programs of a special build may be missing.
bool HasPath(const std::string& program);
Outcome Execute(const std::string& program, const std::vector<std::string>& arguments,
                const std::map<std::string, std::string>& environment = {});
// The start of a shell that executes `command` in `folder`; empty: this one.
Request InShell(const std::string& command, const std::string& folder = "");
// The start of a program of this folder that has no DUET_RUNS and BENCHMARK_MIN_TIME: it measures
// as many runs, and for as long, as it chooses.
Request Freely(const std::string& program, const std::vector<std::string>& arguments);

class Folder : public TemporaryFolder {
 public:
  Folder() {}  // a const one needs it
  // A copy of a program, so that no process of another test executes the same file.
  std::string CopyOf(const std::string& program) const;
};

// Tries every 2 ms whether `condition` holds; false if it does not after `seconds` of trying. While
// the machine stands still, no time passes.
bool Eventually(const std::function<bool()>& condition, int seconds = 60);

// An entry of a variant in `log` (work.h).
struct Note {
  pid_t pid;
  int cpu;
  std::string what;
};
std::vector<Note> NotesOf(const std::string& log);
// The notes of each process, in order.
std::map<pid_t, std::vector<std::string>> NotesByProcess(const std::string& log);
// The number of processes with notes.
size_t NotingProcesses(const std::string& log);
// Waits until there are `count` of them; false if the program ends before, or takes a minute for
// the next one.
bool AwaitProcesses(Program& program, const std::string& log, size_t count);

// True if the compiler of the programs removes loops that do nothing.
#ifdef DUETBENCH_REMOVES_EMPTY_LOOPS
inline constexpr bool kRemovesEmptyLoops = true;
#else
inline constexpr bool kRemovesEmptyLoops = false;
#endif

// The CPUs that this process may use.
std::vector<int> AllowedCpus();

// The processes that execute the file `path`, also if it has been deleted.
std::vector<pid_t> ProcessesOf(const std::string& path);

// Waits for the last of these processes to end; true if it did.
bool AllProcessesEnd(const std::string& path);

// The report as JSON; a failure of the test if it is none.
nlohmann::json JsonOf(const std::string& text);
std::vector<std::string> NamesOf(const nlohmann::json& report);
// The first row of a name; null, and a failure of the test, if there is none.
nlohmann::json RowOf(const nlohmann::json& report, const std::string& name);
// The ratio of that row; 0 if it has none.
double RatioOf(const nlohmann::json& report, const std::string& name);

// The JSON report of a program of this folder with these flags, or about the benchmarks that
// `filter` selects; a failure of the test if its exit status is not 0.
nlohmann::json ReportWith(const std::string& program, std::vector<std::string> flags,
                          const std::map<std::string, std::string>& environment = {});
nlohmann::json ReportOf(const std::string& program, const std::string& filter);
// That old and new of the duet `name` have a time, and the duet a ratio.
void ExpectMeasured(const nlohmann::json& report, const std::string& name);

std::vector<std::string> LinesOf(const std::string& text);

}  // namespace duetbench::integration

#endif  // DUETBENCH_TESTS_INTEGRATION_PROGRAM_H_
