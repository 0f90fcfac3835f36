// The tree as the fences see it: files, modules, and lists kept beside the tests.
//
// A fence is a function from what it looks at to a list of complaints. Each has
// two tests: on planted violations it complains, on the tree it does not.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cg::fence {

using Complaints = std::vector<std::string>;

struct Module {
  std::string group;  // the folder above it
  std::string name;
  bool pure = false;
  std::filesystem::path archive;
  std::vector<std::string> deps;
};

/// Reads what cg_finish_modules() writes: "group/name pure|shell archive dep dep …".
[[nodiscard]] std::vector<Module> parse_modules(std::string_view text);

/// The modules of this build, in the order the data flows.
[[nodiscard]] std::vector<Module> modules();
[[nodiscard]] const Module* find(const std::vector<Module>& modules, std::string_view name);

/// One file. `path` is relative to the top of the tree.
struct Source {
  std::string path;
  std::string text;
};

[[nodiscard]] std::filesystem::path source_dir();

/// All files beneath `folder`, or only the C++ ones, sorted by path.
[[nodiscard]] std::vector<Source> files_in(const std::string& folder);
[[nodiscard]] std::vector<Source> cpp_files_in(const std::vector<std::string>& folders);

[[nodiscard]] bool is_cpp(std::string_view path);   // .h or .cc
[[nodiscard]] bool is_test(std::string_view path);  // _test.cc

/// The lines without their ends; a last line without an end counts as one.
[[nodiscard]] std::vector<std::string> lines_of(std::string_view text);
[[nodiscard]] std::vector<std::string> words_of(std::string_view line);

/// "path:line: "
[[nodiscard]] std::string at(const Source& source, std::size_t line);

/// The lines of tests/fence/`name` that hold more than a # comment.
[[nodiscard]] std::vector<std::string> list_file(const std::string& name);

/// True if `text` fits `pattern`, whose last character may be a * for the rest.
[[nodiscard]] bool fits(std::string_view text, std::string_view pattern);

/// One complaint per line; empty if there are none, so that a failing
/// EXPECT_EQ(joined(…), "") reads as a list.
[[nodiscard]] std::string joined(const Complaints& complaints);

/// Standard output of a program that must succeed; throws with its words otherwise.
[[nodiscard]] std::string output_of(const std::vector<std::string>& argv);

/// `document` with `generated` below its marker line; nothing if it has none.
/// What is above the marker is written by people and left alone.
[[nodiscard]] std::optional<std::string> with_generated(const std::string& document,
                                                        const std::string& generated);

/// Complains if the document at `path` is not with_generated(). CG_ACCEPT=1
/// rewrites it and still complains, so that a forgotten variable cannot make a
/// run green.
[[nodiscard]] Complaints check_document(const std::string& path, const std::string& generated);

}  // namespace cg::fence
