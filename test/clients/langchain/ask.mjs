import { MultiServerMCPClient } from "@langchain/mcp-adapters";

const client = new MultiServerMCPClient({
  mcpServers: {
    pdpp: {
      transport: "http",
      url: "http://127.0.0.1:7887/mcp",
      headers: { Authorization: `Bearer ${process.env.PDPP_ACCESS_TOKEN}` },
    },
  },
});
const tools = await client.getTools();
// createAgent({ model, tools, systemPrompt: (await client.getClient("pdpp")).getInstructions() })
console.log(tools.map(({ name }) => name).join(" "));
await client.close();
