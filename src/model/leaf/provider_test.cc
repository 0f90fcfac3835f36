// What servers answer, by the shapes that their public documentation gives. Written by us after
// reading; each case names the page and the section, and doc/adr/0055-providers.md has the
// addresses.
#include "model/leaf/provider.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/json/json.h"
#include "model/leaf/wire.h"

namespace cg::leaf {
namespace {

using net::Wire;
using testing::HasSubstr;
using testing::Not;

/// As it stands inside of JSON.
std::string quoted(const std::string& text) { return json::write_json(json::Value(text)); }

const char* const kAPlan =
    R"({"kind":"dep_bump","manifest_path":"package.json","package":"left-pad",)"
    R"("target_version":"2.0.0","rationale":"newest"})";

/// `$PLAN` is the plan as a text of JSON, `$JSON` the plan as it is.
std::string filled(std::string text) {
  const auto put = [&](const std::string& mark, const std::string& by) {
    for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark)) {
      text.replace(at, mark.size(), by);
    }
  };
  put("$PLAN", quoted(kAPlan));
  put("$JSON", kAPlan);
  return text;
}

/// "plan", "refuse", the fault of a violation with where, or "!" and why there is no answer.
std::string outcome(Wire wire, const Raw& raw) {
  const auto heard = read_answer(wire, raw);
  if (!heard) return "!" + heard.error().detail;
  if (const auto* violation = std::get_if<proposal::Violation>(&heard->said)) {
    return std::string(proposal::name(violation->fault)) + " " + violation->where;
  }
  const auto kind = proposal::kind_of(std::get<proposal::Proposal>(heard->said));
  return kind == "refuse" ? "refuse" : "plan";
}
std::string outcome(Wire wire, const std::string& body) {
  return outcome(wire, Raw{200, "application/json", "", filled(body)});
}

struct Shape {
  const char* what;
  const char* body;
  const char* outcome;
};

std::string message(const std::string& content, const std::string& stop,
                    const std::string& usage = R"({"input_tokens":3,"output_tokens":4})") {
  return R"({"id":"msg_1","type":"message","role":"assistant","model":"m","content":)" + content +
         R"(,"stop_reason":")" + stop + R"(","stop_sequence":null,"usage":)" + usage + "}";
}

// "Handling stop reasons", the stop_reason field and empty answers; "Thinking" and "Thinking
// encryption - Amazon Bedrock", blocks before the text; "Structured outputs", JSON outputs.
TEST(MessagesShapes, WhatIsInTheContent) {
  const Shape shapes[] = {
      {"text", R"([{"type":"text","text":$PLAN}])", "plan"},
      {"text with citations", R"([{"type":"text","text":$PLAN,"citations":null}])", "plan"},
      {"thinking first",
       R"([{"type":"thinking","thinking":"hm","signature":"c2ln"},{"type":"text","text":$PLAN}])",
       "plan"},
      {"thinking that is not shown",
       R"([{"type":"thinking","thinking":"","signature":"c2ln"},{"type":"text","text":$PLAN}])",
       "plan"},
      {"redacted thinking",
       R"([{"type":"redacted_thinking","data":"c2Vh"},{"type":"text","text":$PLAN}])", "plan"},
      {"empty, at the end of a turn", "[]", "missing_key content"},
      {"thinking alone", R"([{"type":"thinking","thinking":"hm","signature":"c2ln"}])",
       "missing_key content"},
      {"in a fence of a code block", R"([{"type":"text","text":"```json\n{}\n```"}])", "not_json "},
      {"as the input of a tool that nobody offered",
       R"([{"type":"tool_use","id":"toolu_1","name":"plan","input":$JSON}])",
       "unknown_kind content"},
      {"a tool after the text",
       R"([{"type":"text","text":$PLAN},{"type":"tool_use","id":"t","name":"n","input":{}}])",
       "unknown_kind content"},
      {"a tool of the server's",
       R"([{"type":"server_tool_use","id":"s","name":"web_search","input":{}}])",
       "unknown_kind content"},
  };
  for (const Shape& shape : shapes) {
    EXPECT_EQ(outcome(Wire::messages, message(shape.body, "end_turn")), shape.outcome)
        << shape.what;
  }
}

// "Stop reasons and fallback", quick reference and the stop_reason field.
TEST(MessagesShapes, WhyItStopped) {
  const Shape shapes[] = {
      {"", "end_turn", "plan"},
      {"", "max_tokens", "too_large cut off at max_tokens"},
      {"", "model_context_window_exceeded", "too_large cut off at max_tokens"},
      {"", "refusal", "refuse"},
      {"", "stop_sequence", "unknown_kind stop_reason"},
      {"", "tool_use", "unknown_kind stop_reason"},
      {"", "pause_turn", "unknown_kind stop_reason"},
      {"", "a_reason_of_tomorrow", "unknown_kind stop_reason"},
  };
  for (const Shape& shape : shapes) {
    EXPECT_EQ(outcome(Wire::messages, message(R"([{"type":"text","text":$PLAN}])", shape.body)),
              shape.outcome)
        << shape.body;
  }
  // A refusal before the first word has no content; one in the middle may have half a plan.
  EXPECT_EQ(outcome(Wire::messages, message("[]", "refusal")), "refuse");
  EXPECT_EQ(outcome(Wire::messages, message(R"([{"type":"text","text":"{\"ki"}])", "refusal")),
            "refuse");
}

// "Handling stop reasons", usage; "Claude Prompt Caching: Why cache_read_input_tokens Stays 0".
TEST(MessagesShapes, WhatItCost) {
  const std::string content = R"([{"type":"text","text":$PLAN}])";
  const auto tokens = [&](const std::string& usage) {
    const auto heard = read_answer(
        Wire::messages, {200, "application/json", "", filled(message(content, "end_turn", usage))});
    return heard ? heard->tokens : net::Tokens{9, 9, 9, 9, false};
  };
  const net::Tokens all =
      tokens(R"({"input_tokens":10,"cache_creation_input_tokens":20,"cache_read_input_tokens":30,)"
             R"("cache_creation":{"ephemeral_5m_input_tokens":20,"ephemeral_1h_input_tokens":0},)"
             R"("output_tokens":40,"service_tier":"standard","server_tool_use":null})");
  EXPECT_TRUE(all.known);
  EXPECT_EQ(all.input + all.cache_write + all.cache_read + all.output, 100U);
  EXPECT_EQ(all.cache_read, 30U);
  EXPECT_EQ(tokens(R"({"input_tokens":1,"output_tokens":2,"cache_read_input_tokens":null})").input,
            1U);
  for (const char* odd :
       {R"({"output_tokens":2})", R"({"input_tokens":1})", "null", "{}", "[]",
        R"({"input_tokens":-1,"output_tokens":2})", R"({"input_tokens":"1","output_tokens":2})",
        R"({"input_tokens":1.5,"output_tokens":2})",
        R"({"input_tokens":100000001,"output_tokens":2})",
        R"({"input_tokens":1,"output_tokens":2,"cache_read_input_tokens":[]})"}) {
    EXPECT_EQ(outcome(Wire::messages, message(content, "end_turn", odd)),
              "!the answer has no usable usage")
        << odd;
  }
}

std::string completion(
    const std::string& message, const std::string& finish,
    const std::string& rest =
        R"(,"usage":{"prompt_tokens":10,"completion_tokens":5,"total_tokens":15})") {
  return R"({"id":"chatcmpl-1","object":"chat.completion","created":1,"model":"m","choices":[)"
         R"({"index":0,"logprobs":null,"finish_reason":)" +
         finish + R"(,"message":)" + message + "}]" + rest + "}";
}

// OpenAI's types, ChatCompletion.Choice. llama.cpp, tools/server/README.md, POST
// /v1/chat/completions, reasoning support. vLLM, "Reasoning Outputs". Ollama, openai/openai.go.
TEST(ChatShapes, WhatIsInTheMessage) {
  const Shape shapes[] = {
      {"content", R"({"role":"assistant","content":$PLAN})", "plan"},
      {"all members",
       R"({"role":"assistant","content":$PLAN,"refusal":null,"annotations":[],)"
       R"("audio":null,"function_call":null,"tool_calls":[]})",
       "plan"},
      {"llama.cpp thinks", R"({"role":"assistant","reasoning_content":"hm","content":$PLAN})",
       "plan"},
      {"vLLM and Ollama think", R"({"role":"assistant","reasoning":"hm","content":$PLAN})", "plan"},
      {"null", R"({"role":"assistant","content":null})", "missing_key content"},
      {"empty", R"({"role":"assistant","content":""})", "not_json "},
      {"in parts", R"({"role":"assistant","content":[{"type":"text","text":$PLAN}]})",
       "missing_key content"},
      {"it thought up to the end", R"({"role":"assistant","content":null,"reasoning":"hm"})",
       "missing_key content"},
      {"in a fence", R"({"role":"assistant","content":"```json\n{}\n```"})", "not_json "},
      {"refused", R"({"role":"assistant","content":null,"refusal":"I cannot"})", "refuse"},
      {"a call",
       R"({"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function",)"
       R"("function":{"name":"plan","arguments":$PLAN}}]})",
       "unknown_kind content"},
      {"another's turn", R"({"role":"user","content":$PLAN})", "!the answer has no usable message"},
  };
  for (const Wire wire : {Wire::chat, Wire::plain_chat}) {
    for (const Shape& shape : shapes) {
      EXPECT_EQ(outcome(wire, completion(shape.body, R"("stop")")), shape.outcome) << shape.what;
    }
  }
}

// OpenAI's types, ChatCompletion.Choice, finish_reason; Ollama answers null where it has no reason
// (openai/openai.go).
TEST(ChatShapes, WhyItStopped) {
  const std::string said = R"({"role":"assistant","content":$PLAN})";
  EXPECT_EQ(outcome(Wire::chat, completion(said, R"("stop")")), "plan");
  EXPECT_EQ(outcome(Wire::chat, completion(said, R"("length")")),
            "too_large cut off at max_tokens");
  EXPECT_EQ(outcome(Wire::chat, completion(said, R"("content_filter")")), "refuse");
  EXPECT_EQ(outcome(Wire::chat,
                    completion(R"({"role":"assistant","content":null})", R"("content_filter")")),
            "refuse");
  for (const char* other : {R"("tool_calls")", R"("function_call")", R"("error")", R"("")"}) {
    EXPECT_EQ(outcome(Wire::chat, completion(said, other)), "unknown_kind finish_reason") << other;
  }
  EXPECT_EQ(outcome(Wire::chat, completion(said, "null")),
            "!the answer has no usable finish_reason");
}

TEST(ChatShapes, OneChoiceWasAskedFor) {
  const std::string choice =
      R"({"index":0,"finish_reason":"stop","message":{"role":"assistant","content":$PLAN}})";
  const auto answer = [](const std::string& choices) {
    return R"({"model":"m","choices":)" + choices +
           R"(,"usage":{"prompt_tokens":1,"completion_tokens":1}})";
  };
  EXPECT_EQ(outcome(Wire::chat, answer("[" + choice + "]")), "plan");
  for (const std::string& odd : {std::string("[]"), "[" + choice + "," + choice + "]",
                                 std::string("null"), choice, std::string("[null]")}) {
    EXPECT_THAT(outcome(Wire::chat, answer(odd)), HasSubstr("!the answer has no usable ")) << odd;
  }
  // A name twice is a body that two readers would read in two ways.
  EXPECT_THAT(outcome(Wire::chat, R"({"model":"m",)" + answer("[" + choice + "]").substr(1)),
              HasSubstr("!the answer is not JSON"));
}

// llama.cpp, tools/server/README.md, POST /v1/chat/completions, timings and context usage. vLLM
// leaves the details out or null unless they are switched on (issue 16162).
TEST(ChatShapes, WhatItCostMayBeUnknown) {
  const std::string said = R"({"role":"assistant","content":$PLAN})";
  const auto heard = [&](const std::string& rest) {
    return read_answer(Wire::chat,
                       {200, "application/json", "", filled(completion(said, R"("stop")", rest))});
  };
  const auto cached = heard(R"(,"usage":{"prompt_tokens":100,"completion_tokens":5,)"
                            R"("prompt_tokens_details":{"cached_tokens":60}})");
  ASSERT_TRUE(cached.has_value());
  EXPECT_EQ(cached->tokens.input, 40U);
  EXPECT_EQ(cached->tokens.cache_read, 60U);
  const auto null = heard(R"(,"usage":{"prompt_tokens":100,"completion_tokens":5,)"
                          R"("prompt_tokens_details":null})");
  ASSERT_TRUE(null.has_value());
  EXPECT_EQ(null->tokens.input, 100U);
  for (const char* none : {"", R"(,"usage":null)"}) {
    const auto answer = heard(none);
    ASSERT_TRUE(answer.has_value()) << none;
    EXPECT_FALSE(answer->tokens.known);
    EXPECT_EQ(answer->tokens.input, 0U);
  }
  for (const char* odd : {R"(,"usage":{})", R"(,"usage":{"prompt_tokens":1})",
                          R"(,"usage":{"prompt_tokens":1,"completion_tokens":"x"})",
                          R"(,"usage":{"prompt_tokens":1,"completion_tokens":1,)"
                          R"("prompt_tokens_details":{"cached_tokens":2}})"}) {
    const auto answer = heard(odd);
    ASSERT_FALSE(answer.has_value()) << odd;
    EXPECT_EQ(answer.error().detail, "the answer has no usable usage");
  }
}

// "Anthropic 529 overloaded_error", 529, 429, or spend cap. llama.cpp, issue 11847. Ollama,
// openai/openai.go, NewError. vLLM, ErrorResponse: flat, with a name in upper case.
TEST(Errors, AreToldWithTheServersNameForThem) {
  const struct {
    int status;
    const char* body;
    const char* detail;
  } cases[] = {
      {429,
       R"({"type":"error","error":{"type":"rate_limit_error","message":"x"},"request_id":"r"})",
       "status 429: rate_limit_error"},
      {429,
       R"({"type":"error","error":{"type":"rate_limit_error","message":"x",)"
       R"("details":{"error_code":"enforced_spend_limit_reached"}}})",
       "status 429: rate_limit_error, enforced_spend_limit_reached"},
      {529, R"({"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}})",
       "status 529: overloaded_error"},
      {400, R"({"error":{"message":"x","type":"invalid_request_error","param":null,"code":null}})",
       "status 400: invalid_request_error"},
      {503, R"({"error":{"code":503,"message":"Loading model","type":"unavailable_error"}})",
       "status 503: unavailable_error"},
      {400, R"({"object":"error","message":"x","type":"BadRequestError","param":null,"code":400})",
       "status 400: BadRequestError"},
      {404, R"({"error":"model not found"})", "status 404"},
      {422, R"({"detail":[{"loc":["body"],"msg":"x"}]})", "status 422"},
      {502, "<html>Bad Gateway</html>", "status 502"},
      {500, "", "status 500"},
      {500, "{\"error\":{\"type\":\"a b\"}}", "status 500"},
      {500, "{\"error\":{\"type\":\"x\"", "status 500"},
      {302, "", "status 302, a redirect, is not followed"},
  };
  for (const auto& c : cases) {
    for (const Wire wire : {Wire::messages, Wire::chat}) {
      EXPECT_EQ(outcome(wire, {static_cast<std::uint16_t>(c.status), "text/html", "", c.body}),
                std::string("!") + c.detail);
    }
  }
  // An error under a status that says yes, as a gateway may send it.
  EXPECT_EQ(outcome(Wire::messages, R"({"type":"error","error":{"type":"overloaded_error"}})"),
            "!the answer is an error: overloaded_error");
  EXPECT_EQ(outcome(Wire::chat, R"({"error":{"message":"x","type":7}})"),
            "!the answer is an error");
}

TEST(Errors, AStreamThatWasNotAskedForIsNoAnswer) {
  const std::string events = "event: message_start\ndata: {\"type\":\"message_start\"}\n\n";
  EXPECT_EQ(outcome(Wire::messages, Raw{200, "text/event-stream", "", events}),
            "!the answer is not application/json");
  EXPECT_THAT(outcome(Wire::messages, Raw{200, "application/json", "", events}),
              HasSubstr("!the answer is not JSON"));
}

TEST(Providers, EachRowAsksForWhatItsServersTake) {
  const Question question{"m", std::string_view("s"), "b", 9};
  const auto chat = json::parse_json(write_question(Wire::chat, question));
  const auto plain = json::parse_json(write_question(Wire::plain_chat, question));
  ASSERT_TRUE(chat && plain);
  EXPECT_NE(chat->find("response_format"), nullptr);
  EXPECT_EQ(plain->find("response_format"), nullptr);
  EXPECT_EQ(plain->as_object()->size() + 1, chat->as_object()->size());
  EXPECT_EQ(json::write_json(*plain->find("messages")), json::write_json(*chat->find("messages")));
  EXPECT_THAT(write_question(Wire::plain_chat, question), Not(HasSubstr("schema")));
  for (const Wire wire : {Wire::messages, Wire::chat, Wire::plain_chat}) {
    EXPECT_EQ(provider_of(wire).wire, wire);
    EXPECT_EQ(ending_of(provider_of(wire), "a word of tomorrow"), Ending::elsewhere);
  }
}

TEST(Providers, PolicyNamesAServerOrNone) {
  for (const char* known : {"llama.cpp", "vllm", "ollama"}) {
    EXPECT_EQ(wire_of_server(known), Wire::chat) << known;
  }
  EXPECT_EQ(wire_of_server("other"), Wire::plain_chat);
  for (const char* odd : {"", "Ollama", "openai", "messages"}) {
    EXPECT_EQ(wire_of_server(odd), std::nullopt) << odd;
  }
}

}  // namespace
}  // namespace cg::leaf
