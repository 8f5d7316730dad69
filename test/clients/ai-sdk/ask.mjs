import { createMCPClient } from "@ai-sdk/mcp";

const client = await createMCPClient({
  transport: {
    type: "http",
    url: "http://127.0.0.1:7887/mcp",
    headers: { Authorization: `Bearer ${process.env.PDPP_ACCESS_TOKEN}` },
  },
});
const tools = await client.tools(); // goes into generateText({ model, prompt, tools })
console.log(Object.keys(tools).join(" "));
await client.close();
