// Google's generateContent API, as Gemini CLI uses it.
import type { Loose } from "../../harness.ts";
import { type Dialect, event, textIn } from "./model.ts";

export const generateContent: Dialect = {
  path: /:streamGenerateContent/,
  asides: [
    [/:countTokens/, { totalTokens: 1 }],
    [
      /:generateContent/,
      { candidates: [{ content: { role: "model", parts: [{ text: "{}" }] }, finishReason: "STOP" }] },
    ],
  ],
  hasTools: (request) => (request.tools ?? []).length > 0,
  results: (request) =>
    request.contents
      .flatMap(({ parts }: Loose) => parts ?? [])
      .filter((part: Loose) => part.functionResponse !== undefined)
      .map((part: Loose) => textIn(part.functionResponse.response)),
  answer(_request, turn) {
    const part = turn === undefined ? { text: "Done." } : { functionCall: { name: turn.name, args: turn.args } };
    return event({
      candidates: [{ index: 0, content: { role: "model", parts: [part] }, finishReason: "STOP" }],
      usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
    });
  },
};
