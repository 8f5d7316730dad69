// OpenAI's Chat Completions API, as opencode, Copilot CLI, Qwen Code and Cline use it with a custom provider.
import type { Loose } from "../../harness.ts";
import { type Dialect, event, textIn } from "./model.ts";

export const chatCompletions: Dialect = {
  path: /\/chat\/completions$/,
  hasTools: (request) => (request.tools ?? []).length > 0,
  results: (request) =>
    request.messages.filter(({ role }: Loose) => role === "tool").map(({ content }: Loose) => textIn(content)),
  answer(request, turn, id) {
    const chunk = (delta: object, finish_reason: string | null): string =>
      event({
        id: `chatcmpl-${id}`,
        object: "chat.completion.chunk",
        created: 0,
        model: request.model,
        choices: [{ index: 0, delta, finish_reason }],
      });
    const call =
      turn === undefined
        ? { content: "Done." }
        : {
            tool_calls: [
              {
                index: 0,
                id: `call_${id}`,
                type: "function",
                function: { name: turn.name, arguments: JSON.stringify(turn.args) },
              },
            ],
          };
    return `${chunk({ role: "assistant", ...call }, null)}${chunk({}, turn === undefined ? "stop" : "tool_calls")}data: [DONE]\n\n`;
  },
};

/** Returns the tools that a request offers under a prefix, without the prefix. */
export const offeredBy = (request: Loose, prefix: string): string[] =>
  (request?.tools ?? [])
    .map((tool: Loose) => tool.function?.name as string)
    .filter((name: string) => name?.startsWith(prefix))
    .map((name: string) => name.slice(prefix.length));
