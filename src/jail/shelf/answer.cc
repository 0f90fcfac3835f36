#include "jail/shelf/answer.h"

#include <fcntl.h>

namespace cg::shelf {

namespace {

constexpr int kNotFound = 404;

std::string_view reason(int status) {
  switch (status) {
    case kNotFound:
      return "Not Found";
    case static_cast<int>(Refusal::bad_request):
      return "Bad Request";
    case static_cast<int>(Refusal::not_allowed):
      return "Method Not Allowed";
    case static_cast<int>(Refusal::too_large):
      return "Content Too Large";
    case static_cast<int>(Refusal::head_too_large):
      return "Request Header Fields Too Large";
    case static_cast<int>(Refusal::version):
      return "HTTP Version Not Supported";
    default:
      return "OK";
  }
}

std::string head_of(int status, std::string_view type, std::uint64_t size, bool keep_alive) {
  std::string head = "HTTP/1.1 " + std::to_string(status) + " ";
  head += reason(status);
  head += "\r\nContent-Type: ";
  head += type;
  head += "\r\nContent-Length: " + std::to_string(size);
  head += keep_alive ? "\r\nConnection: keep-alive" : "\r\nConnection: close";
  return head + "\r\n\r\n";
}

Answer message(int status, Method method, bool keep_alive) {
  std::string body = "{\"error\":\"";
  body += reason(status);
  body += "\"}\n";
  Answer answer;
  answer.keep_alive = keep_alive;
  answer.head = head_of(status, "application/json", body.size(), keep_alive);
  if (method == Method::get) answer.head += body;
  return answer;
}

struct Found {
  os::Fd file;
  os::FileInfo info;
};

Result<Found, os::Error> open_plain(const os::Dir& folder, const std::string& path) {
  CG_TRY_ASSIGN(os::Fd file, folder.open_file(path, O_RDONLY));
  CG_TRY_ASSIGN(const os::FileInfo info, os::info(file, path));
  return Found{std::move(file), info};
}

}  // namespace

Answer answer_to(const Request& request, const os::Dir& folder) {
  const auto missing = [&] { return message(kNotFound, request.method, request.keep_alive); };
  if (request.path.empty()) return missing();
  auto found = open_plain(folder, request.path);
  bool is_document = false;
  if (!found && found.error().kind == os::Error::Kind::not_a_file) {
    found = open_plain(folder, request.path + "/" + kDocument);
    is_document = true;
  }
  if (!found) return missing();
  Answer answer;
  answer.keep_alive = request.keep_alive;
  const std::string_view type = is_document ? "application/json" : "application/octet-stream";
  answer.head = head_of(200, type, found->info.size, request.keep_alive);
  if (request.method == Method::head) return answer;
  answer.size = found->info.size;
  answer.file = std::move(found->file);
  return answer;
}

Answer answer_to(Refusal refusal) { return message(static_cast<int>(refusal), Method::get, false); }

}  // namespace cg::shelf
