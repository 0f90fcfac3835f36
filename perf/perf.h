// Measuring: interleaved repeats of two or more bodies, and rows that hold the
// first of them against a bar.
//
// A program of perf/ ends with 0 once it has measured, whatever came out, and with
// 1 when what it measured was not right: a wrong answer has no speed.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/base/result.h"
#include "base/domain/error.h"
#include "base/os/error.h"

namespace cg::perf {

/// What one run took, in seconds. `cpu` is user and system time of all threads.
struct Cost {
  double wall = 0;
  double cpu = 0;
};

/// What `work` takes in this process.
[[nodiscard]] Cost cost_of(const std::function<void()>& work);
/// What a program takes as a whole process, from before it is started until it has
/// been waited for. Its output goes to /dev/null; gives up unless it exits with 0.
[[nodiscard]] Cost cost_of_process(const std::vector<std::string>& argv);

using Body = std::function<Cost()>;
/// Runs every body `repeats` times, in turns, every second turn in reverse: drift
/// and neighbours hit all of them alike. Element i holds the costs of body i.
[[nodiscard]] std::vector<std::vector<Cost>> interleave(std::size_t repeats,
                                                        const std::vector<Body>& bodies);

struct Summary {
  double min = 0;
  double median = 0;
};
enum class Clock { wall, cpu };
[[nodiscard]] Summary summary(const std::vector<Cost>& costs, Clock clock);
/// The value below which `percent` of the wall times lie.
[[nodiscard]] double percentile(const std::vector<Cost>& costs, double percent);

/// Ours and what it is held against, in seconds or in bytes.
struct Pair {
  Summary ours;
  Summary other;
};

struct Bar {
  enum class Kind {
    at_most,   // ours / other
    at_least,  // other / ours: how many times faster or smaller we are
  };
  Kind kind = Kind::at_most;
  double value = 1;
};
/// Which of the two ratios must be within the bar.
enum class Judge { min_or_median, median };
enum class Unit { seconds, bytes };

struct Row {
  std::string number;  // as in README.md
  std::string what;
  std::string other;  // what ours is held against
  Bar bar;
  Judge judge = Judge::min_or_median;
  Unit unit = Unit::seconds;
};

/// Measures and prints one line that ends in "met" or "NOT MET". After a miss the
/// row is measured once more, which is printed, and the second time stands.
void report(const Row& row, const std::function<Pair()>& measure);
/// For a peer that is not there: a line that ends in "not measured: …".
void report_absent(const Row& row, const std::string& why);
/// A line beneath a row that is no part of its bar.
void report_fact(const std::string& text);

/// Ends the program with 1: what was measured is not right.
[[noreturn]] void give_up(const std::string& why);

[[nodiscard]] std::string words(const Problem& problem);
[[nodiscard]] std::string words(const os::Error& error);
/// The value, or give_up().
template <class T, class E>
T must(Result<T, E> result) {
  if (!result) give_up(words(result.error()));
  return *std::move(result);
}

/// "--name" and "--name NUMBER", out of a fixed list; anything else ends with 2.
class Arguments {
 public:
  Arguments(int argc, char** argv, const std::vector<std::string>& switches,
            const std::vector<std::string>& numbers);
  [[nodiscard]] bool has(const std::string& name) const { return found_.contains(name); }
  [[nodiscard]] std::uint64_t number(const std::string& name, std::uint64_t otherwise) const;

 private:
  std::map<std::string, std::uint64_t> found_;
};

/// Asks for real-time priority for this process and its children, and prints whether
/// it was given: without it, on a busy machine, wall time is the wait for a core, for
/// ours and the other alike, and every ratio looks like one.
void ask_for_priority();
/// The absolute path of a program in $PATH.
[[nodiscard]] std::optional<std::string> find_program(const std::string& name);
/// What an ended program printed; gives up unless it exited with 0.
[[nodiscard]] std::string output_of(const std::vector<std::string>& argv);
/// "ext4", "tmpfs" … of the file system that `path` is on.
[[nodiscard]] std::string file_system_of(const std::string& path);
/// The folder for logs and files of the programs here; made if need be.
[[nodiscard]] std::string work_folder();

/// 1284 -> "1,284".
[[nodiscard]] std::string with_commas(std::uint64_t value);
/// `value` with so many `digits` behind the point.
[[nodiscard]] std::string fixed(double value, int digits);

}  // namespace cg::perf
