// OpenAI's Responses API, as Codex uses it: a server's tools are in a namespace, and the model searches for them first.
import type { Loose } from "../../harness.ts";
import { type Dialect, event, type Turn, textIn } from "./model.ts";

/** The name of the tool that finds unlisted tools. */
export const TOOL_SEARCH = "tool_search";

function item(turn: Turn | undefined, id: string): object {
  if (turn === undefined)
    return { type: "message", id: `msg_${id}`, role: "assistant", content: [{ type: "output_text", text: "Done." }] };
  const call_id = `call_${id}`;
  if (turn.name === TOOL_SEARCH)
    return { type: "tool_search_call", id: `ts_${id}`, call_id, execution: "client", arguments: turn.args };
  const [namespace, name] = turn.name.split("/");
  return { type: "function_call", id: `fc_${id}`, call_id, namespace, name, arguments: JSON.stringify(turn.args) };
}

export const responses: Dialect = {
  path: /^\/v1\/responses(\?|$)/,
  hasTools: (request) => (request.tools ?? []).length > 0,
  results: (request) =>
    request.input
      .filter(({ type }: Loose) => type === "function_call_output" || type === "tool_search_output")
      .map((one: Loose) => textIn(one.output ?? one.tools)),
  answer(_request, turn, id) {
    const response = { id: `resp_${id}` };
    const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
    return [
      { type: "response.created", response },
      { type: "response.output_item.done", output_index: 0, item: item(turn, id) },
      { type: "response.completed", response: { ...response, usage } },
    ]
      .map((data) => event(data, data.type))
      .join("");
  },
};
