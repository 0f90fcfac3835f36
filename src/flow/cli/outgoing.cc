#include "flow/cli/outgoing.h"

namespace cg::cli {

std::string outgoing(std::string_view text, Format format, const Style& style) {
  Ours ours = style.ours();
  switch (format) {
    case Format::json:
    case Format::jsonl:
    case Format::sarif:
    case Format::cyclonedx:
    case Format::openvex:
      return defused_json(text);
    case Format::gh_annotations:
      ours.commands = true;
      break;
    case Format::table:
    case Format::markdown:
    case Format::html:
    case Format::pr_body:
    case Format::commit_message:
      break;
  }
  return defused(text, ours);
}

}  // namespace cg::cli
