// A model in one client: what it has been shown, and calls based only on that.
import type { Client } from "@modelcontextprotocol/client";
import { decode, encode } from "gpt-tokenizer/encoding/o200k_base";
import { type Loose, readAnswer } from "../harness.ts";
import type { ClientModel } from "./models.ts";

export interface Session {
  model: ClientModel;
  /** Calls a tool and returns what the client shows of the result. */
  call(tool: string, args: Record<string, unknown>): Promise<string>;
  /** Reads a resource, if the client supports resources. */
  read(uri: string): Promise<string>;
  /** Downloads a file with the client's token, without showing it to the model. */
  download(url: string): Promise<string>;
  calls(): number;
  /** The number of tokens that the model was given: definitions, instructions and results. */
  tokens(): number;
}

export interface SessionOptions {
  model: ClientModel;
  client: Client;
  /** The client's own token. */
  token: string;
  /** The person's question. */
  task: string;
}

interface ListedTool {
  name: string;
  inputSchema: { properties?: Record<string, unknown> };
}

export const CUT_MARK = "[cut here]";

export async function openSession({ model, client, token, task }: SessionOptions): Promise<Session> {
  const tools = (await client.listTools()).tools as ListedTool[];
  const loaded = new Map<string, ListedTool>();
  let seen = task;
  let tokens = 0;
  let calls = 0;
  const show = (text: string): string => {
    seen += `\n${text}`;
    tokens += encode(text).length;
    return text;
  };
  const load = (wanted: readonly ListedTool[]): void => {
    show(JSON.stringify(wanted));
    for (const tool of wanted) loaded.set(tool.name, tool);
  };
  show((client.getInstructions() ?? "").slice(0, model.instructions));
  if (model.tools === "all") load(tools);
  else if (model.tools === "names") show(tools.map(({ name }) => name).join("\n"));

  /** Everything in a call must have been shown to the model. It can choose only numbers and structure. */
  function requireSeen(value: unknown, what: string): void {
    if (typeof value === "string" && !numberless(seen).includes(numberless(value)))
      throw new Error(`${model.name} was never shown ${what} ${value}`);
    if (value !== null && typeof value === "object")
      for (const [name, inner] of Object.entries(value)) requireSeen(inner, `${what}.${name}`);
  }

  return {
    model,
    calls: () => calls,
    tokens: () => tokens,
    async call(name, args) {
      const tool = tools.find((candidate) => candidate.name === name);
      if (tool === undefined || !seen.includes(name)) throw new Error(`${model.name} has no tool ${name}`);
      if (!loaded.has(name)) load([tool]);
      for (const argument of Object.keys(args)) {
        if (tool.inputSchema.properties?.[argument] === undefined)
          throw new Error(`${name} does not accept ${argument}`);
        requireSeen(args[argument], `${name}.${argument}`);
      }
      calls++;
      return show(shownOf(model, await client.callTool({ name, arguments: args })));
    },
    async read(uri) {
      requireSeen(uri, "the uri");
      calls++;
      if (model.resources === "links") return show("Resources cannot be read here.");
      if (model.resources === "files") return show("The resource was saved as resource-1.json.");
      if (model.resources === "none") throw new Error(`${model.name} has no resources`);
      const { contents } = await client.readResource({ uri });
      return show(bounded(model, contents.map((part) => ("text" in part ? part.text : "")).join("\n")));
    },
    async download(url) {
      requireSeen(url, "the url");
      const response = await fetch(url, { headers: { Authorization: `Bearer ${token}` } });
      const { status, text } = await readAnswer("GET", response);
      if (status !== 200) throw new Error(`${url}: ${status} ${text}`);
      return text;
    },
  };
}

/** A window's start and length are numbers in its id, so they are ignored. */
const numberless = (text: string): string => text.replace(/\b(limit|offset)=\d+/g, "$1=N").replaceAll("&limit=N", "");

function shownOf(model: ClientModel, { content, structuredContent }: Loose): string {
  const prose = (content as { text: string }[]).map(({ text }) => text).join("\n");
  const data = JSON.stringify(structuredContent);
  const half = { content: prose, structured: data, both: `${prose}\n${data}` }[model.half];
  const linked = model.resources === "links" ? half.replace(/pdpp:\/\/[^\s"\\)]+/g, (uri) => `[${uri}](${uri})`) : half;
  return bounded(model, linked);
}

function bounded({ cut, spill }: ClientModel, text: string): string {
  if (spill !== undefined && text.length > spill.chars)
    return "The result was too large; it was saved as result-1.txt.";
  if (cut === undefined) return text;
  if ("bytes" in cut) {
    const bytes = Buffer.from(text);
    return bytes.length <= cut.bytes ? text : `${bytes.subarray(0, cut.bytes).toString("utf8")}${CUT_MARK}`;
  }
  if ("firstAndLast" in cut) {
    const { firstAndLast: kept } = cut;
    return text.length <= 2 * kept ? text : `${text.slice(0, kept)}${CUT_MARK}${text.slice(-kept)}`;
  }
  const all = encode(text);
  return all.length <= cut.tokens ? text : `${decode(all.slice(0, cut.tokens))}${CUT_MARK}`;
}
