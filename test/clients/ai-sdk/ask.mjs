import { createMCPClient } from "@ai-sdk/mcp";

const client = await createMCPClient({
  transport: {
    type: "http",
    url: "http://127.0.0.1:7887/mcp",
    headers: { Authorization: `Bearer ${process.env.PDPP_ACCESS_TOKEN}` },
  },
});
const tools = await client.tools();
// generateText({ model, instructions: client.instructions, tools, prompt, stopWhen: stepCountIs(20) })
console.log(Object.keys(tools).join(" "));
await client.close();
