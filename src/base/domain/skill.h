// Skill: what a model is told by us, from a plugin whose digest was checked.
#pragma once

#include <string>
#include <utility>

namespace cg {

namespace plugin {
class SkillReader;
}  // namespace plugin

/// The text of skills/NAME.md of a verified plugin: UTF-8, 16 KiB at most, no delimiter of
/// the fence. Only loading a plugin makes one (fix/plugin/skill.h).
class Skill {
 public:
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  friend class plugin::SkillReader;
  Skill(std::string name, std::string text) : name_(std::move(name)), text_(std::move(text)) {}
  std::string name_;
  std::string text_;
};

}  // namespace cg
