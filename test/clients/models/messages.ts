// Anthropic's Messages API, as Claude Code uses it.
import type { Loose } from "../../harness.ts";
import { type Dialect, event, textIn } from "./model.ts";

const named = (data: { type: string }): string => event(data, data.type);

export const messages: Dialect = {
  path: /^\/v1\/messages(\?|$)/,
  asides: [[/count_tokens/, { input_tokens: 1 }]],
  // Requests for titles and summaries offer few tools or none.
  hasTools: (request) => (request.tools ?? []).length > 2,
  results: (request) =>
    request.messages
      .flatMap(({ content }: Loose) => (Array.isArray(content) ? content : []))
      .filter((block: Loose) => block.type === "tool_result")
      .map((block: Loose) => textIn(block.content)),
  answer(request, turn, id) {
    const usage = { input_tokens: 1, output_tokens: 1 };
    const block =
      turn === undefined
        ? { type: "text", text: "" }
        : { type: "tool_use", id: `toolu_${id}`, name: turn.name, input: {} };
    const delta =
      turn === undefined
        ? { type: "text_delta", text: "Done." }
        : { type: "input_json_delta", partial_json: JSON.stringify(turn.args) };
    const message = {
      id: `msg_${id}`,
      type: "message",
      role: "assistant",
      model: request.model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage,
    };
    return [
      { type: "message_start", message },
      { type: "content_block_start", index: 0, content_block: block },
      { type: "content_block_delta", index: 0, delta },
      { type: "content_block_stop", index: 0 },
      {
        type: "message_delta",
        delta: { stop_reason: turn === undefined ? "end_turn" : "tool_use", stop_sequence: null },
        usage,
      },
      { type: "message_stop" },
    ]
      .map(named)
      .join("");
  },
};
