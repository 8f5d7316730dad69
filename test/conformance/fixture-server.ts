// A server for the conformance suite: the product's server factory with the suite's tools instead of ours, and the
// parts of the protocol that the product does not implement.
import { randomUUID } from "node:crypto";
import {
  createMcpHandler,
  isLegacyRequest,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { Hono } from "hono";
import type { ReadClient } from "../../src/contract/read-client.ts";
import { hostGuard } from "../../src/surfaces/http/guard.ts";
import { listen } from "../../src/surfaces/http/serve.ts";
import { serverFactory } from "../../src/surfaces/mcp/server.ts";
import { PROMPTS, promptMessages, RESOURCES, readFixture, TEMPLATES } from "./fixture-content.ts";
import { askingPrompt, INPUT_TOOLS } from "./fixture-input.ts";
import { fixtureTools } from "./fixture-tools.ts";

/** No tool here reads data. */
const CONTEXT = { client: {} as ReadClient, origin: "http://127.0.0.1" };

export async function startFixtureServer(): Promise<{ url: string; close(): Promise<void> }> {
  const make = serverFactory({
    name: "fixture",
    title: "Fixture",
    version: "1",
    instructions: "For the conformance suite.",
    tools: [
      ...fixtureTools({ tools: () => modern.notify.toolsChanged(), prompts: () => modern.notify.promptsChanged() }),
      ...INPUT_TOOLS,
    ],
    resources: {
      listed: RESOURCES,
      templates: TEMPLATES,
      async read(_context, uri) {
        const found = readFixture(uri);
        if (found === undefined) throw new ResourceNotFoundError(uri);
        return found;
      },
    },
  });
  const modern = createMcpHandler(() => withMore(make(CONTEXT)), { legacy: "reject" });

  /** In the older protocol, sampling and elicitation need a session, which the product does not have. */
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();
  async function legacy(request: Request): Promise<Response> {
    const known = sessions.get(request.headers.get("mcp-session-id") ?? "");
    if (known !== undefined) return known.handleRequest(request);
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, transport),
      onsessionclosed: (id) => void sessions.delete(id),
    });
    await withMore(make(CONTEXT)).connect(transport);
    return transport.handleRequest(request);
  }

  const guard = hostGuard(() => port, undefined);
  const app = new Hono();
  app.all("/mcp", async ({ req: { raw } }) => {
    guard.check(raw);
    return (await isLegacyRequest(raw)) ? legacy(raw) : modern.fetch(raw);
  });
  app.onError((error, context) => context.text(error.message, 403));
  const { port, close } = await listen(app.fetch, 0);
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    async close() {
      await Promise.all([...sessions.values()].map((transport) => transport.close()));
      await modern.close();
      await close();
    },
  };
}

function withMore(server: Server): Server {
  server.registerCapabilities({
    tools: { listChanged: true },
    resources: { subscribe: true },
    prompts: { listChanged: true },
    completions: {},
    logging: {},
  });
  server.setRequestHandler("prompts/list", () => ({ prompts: [...PROMPTS] }));
  server.setRequestHandler("prompts/get", ({ params }, { mcpReq }) => {
    if (params.name === "test_input_required_result_prompt") return askingPrompt(mcpReq);
    const messages = promptMessages(params.name, params.arguments ?? {});
    if (messages === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `no prompt ${params.name}`);
    return { messages };
  });
  server.setRequestHandler("completion/complete", () => ({ completion: { values: ["test"], total: 1 } }));
  server.setRequestHandler("resources/subscribe", () => ({}));
  server.setRequestHandler("resources/unsubscribe", () => ({}));
  return server;
}
