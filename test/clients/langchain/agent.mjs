// Runs a LangChain agent with a model that makes the given calls, and prints what the model was shown.
import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage } from "@langchain/core/messages";
import { MultiServerMCPClient } from "@langchain/mcp-adapters";
import { createAgent } from "langchain";

const [url, turns] = process.argv.slice(2);
const plan = JSON.parse(turns);
const requests = [];
const headers = { Authorization: `Bearer ${process.env.PDPP_ACCESS_TOKEN}` };
const client = new MultiServerMCPClient({ mcpServers: { pdpp: { transport: "http", url, headers } } });
const tools = await client.getTools();

class Scripted extends BaseChatModel {
  _llmType() {
    return "scripted";
  }
  bindTools() {
    return this;
  }
  async _generate(messages) {
    const shown = messages.map((message) => ({ type: message.getType(), content: message.content }));
    requests.push({ messages: shown, tools: tools.map(({ name, description }) => ({ name, description })) });
    const turn = plan[requests.length - 1];
    const [, cursor] = /next_cursor[\\"]*: *[\\"]*([\w-]+)/.exec(JSON.stringify(shown.at(-1))) ?? [];
    if (turn?.args.cursor !== undefined) turn.args.cursor = cursor;
    const tool_calls = turn === undefined ? [] : [{ id: `${requests.length}`, name: turn.name, args: turn.args }];
    const message = new AIMessage({ content: turn === undefined ? "Done." : "", tool_calls });
    return { generations: [{ text: "", message }] };
  }
}

const systemPrompt = (await client.getClient("pdpp")).getInstructions();
const agent = createAgent({ model: new Scripted({}), tools, systemPrompt });
await agent.invoke({ messages: [{ role: "user", content: "Find Lisbon" }] });
console.log(JSON.stringify(requests));
await client.close();
