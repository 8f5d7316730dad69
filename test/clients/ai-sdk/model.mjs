// Runs the AI SDK's agent loop with a model that makes the given calls, and prints what the model was shown.
import { createMCPClient } from "@ai-sdk/mcp";
import { generateText, stepCountIs } from "ai";
import { MockLanguageModelV4 } from "ai/test";

const [url, turns] = process.argv.slice(2);
const plan = JSON.parse(turns);
const requests = [];
const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};
const model = new MockLanguageModelV4({
  doGenerate: async ({ prompt, tools }) => {
    requests.push({ prompt, tools });
    const turn = plan[requests.length - 1];
    const [, cursor] = /next_cursor[\\"]*: *[\\"]*([\w-]+)/.exec(JSON.stringify(prompt.at(-1))) ?? [];
    if (turn?.args.cursor !== undefined) turn.args.cursor = cursor;
    const content =
      turn === undefined
        ? { type: "text", text: "Done." }
        : {
            type: "tool-call",
            toolCallId: `${requests.length}`,
            toolName: turn.name,
            input: JSON.stringify(turn.args),
          };
    const finishReason = { unified: turn === undefined ? "stop" : "tool-calls", raw: undefined };
    return { content: [content], finishReason, usage, warnings: [] };
  },
});
const client = await createMCPClient({
  transport: { type: "http", url, headers: { Authorization: `Bearer ${process.env.PDPP_ACCESS_TOKEN}` } },
});
await generateText({
  model,
  instructions: client.instructions,
  tools: await client.tools(),
  prompt: "Find Lisbon",
  stopWhen: stepCountIs(plan.length + 1),
});
console.log(JSON.stringify(requests));
await client.close();
