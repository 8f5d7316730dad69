// The results of each client's run, taken from the recorded traffic and not from the client's output.

import { recordIds } from "../mcp.ts";
import type { Ran } from "./command.ts";
import type { Environment, Workspace } from "./environment.ts";
import { filled, type Model, SHOWN_CURSOR, type Turn } from "./models/model.ts";
import type { Check, CheckName } from "./result.ts";
import { type Said, type Shown, shownOf } from "./shown.ts";
import { type Exchange, rpc } from "./wire.ts";

const GATE_TOOLS = ["aggregate", "fetch", "query_records", "schema", "search"];
const EVIDENCE_MAX = 300;

export interface Report {
  checks: Check[];
  shown?: Shown;
}

/**
 * The calls that every scripted model makes: a small response, evidence, a page of the requested size, and the next
 * page.
 */
export function calls(environment: Environment, limit: number | "default" = 100): { tool: string; args: object }[] {
  const page = { stream: "messages", connection_id: environment.mail, ...(limit === "default" ? {} : { limit }) };
  return [
    { tool: "schema", args: {} },
    { tool: "search", args: { query: "lisbon" } },
    { tool: "query_records", args: page },
    { tool: "query_records", args: { ...page, cursor: SHOWN_CURSOR } },
  ];
}

/** For a client without a model: runs each call as a command, with the cursor that the previous one printed. */
export async function callEach(
  environment: Environment,
  runCall: (tool: string, args: string) => Promise<Ran>,
): Promise<Ran | undefined> {
  let printed = "";
  for (const { tool, args } of calls(environment)) {
    const ran = await runCall(tool, JSON.stringify(filled({ name: tool, args }, printed).args));
    if (ran.code !== 0) return ran;
    printed = ran.stdout;
  }
  return undefined;
}

export const turnsOf = (
  environment: Environment,
  hostName: (tool: string) => string,
  pages = calls(environment),
): Turn[] => pages.map(({ tool, args }) => ({ name: hostName(tool), args }));

export function check(name: CheckName, ok: boolean, evidence: string): Check {
  const line = evidence.replace(/\s+/g, " ").trim().slice(0, EVIDENCE_MAX);
  return { name, outcome: ok ? "ok" : "failed", evidence: line };
}

/** Returns the expected text from a command's output, or else its last lines. */
export function said({ line, code, stdout, stderr }: Ran, hoped?: RegExp): string {
  const command = line
    .split(" ")
    .filter((word) => !word.startsWith("http"))
    .slice(0, 3)
    .join(" ");
  const text = `${stdout}\n${stderr}`;
  const words = hoped?.exec(text)?.[0] ?? text.trim().split("\n").at(-1);
  return `\`${command}\` ${code === null ? "ran out of time" : `exit ${code}`}: "${words}"`;
}

/** Checks that the browser was opened, the owner approved, and the client was called back and used its token. */
export function oauthCheck(
  workspace: Workspace,
  { ran, opened, back }: { ran: Ran; opened?: string; back?: string },
  before: number,
  success: RegExp,
): Check {
  if (opened === undefined) return check("OAuth", false, `no browser was opened; ${said(ran)}`);
  const identity = new URL(opened).searchParams.get("client_id") ?? "";
  const byDocument = identity.startsWith("https:");
  const who = byDocument
    ? `client metadata document ${identity}, by the copy that comes with Postern`
    : "dynamic registration";
  const token = workspace
    .exchanges()
    .slice(before)
    .some(({ path, status }) => path === "/oauth/token" && status === 200);
  const happy = success.test(`${ran.stdout}\n${ran.stderr}`);
  const found = check("OAuth", token && happy, `${who}; callback ${withoutPort(back)}; ${said(ran, success)}`);
  return byDocument ? { ...found, with: "copy" } : found;
}

const withoutPort = (back = "none"): string => back.replace(/:\d+\//, ":PORT/");

export function opensWith(workspace: Workspace): string {
  const first = rpc(workspace.exchanges())[0];
  if (first === undefined) return "nothing";
  const version =
    first.params?.protocolVersion ?? first.params?._meta?.["io.modelcontextprotocol/protocolVersion"] ?? "no version";
  return `\`${first.method}\` ${version}`;
}

/** Returns the server's responses to this client. */
export function gateSaid(workspace: Workspace): Said {
  const heard = rpc(workspace.exchanges());
  const opening = heard.findLast(({ result }) => result?.instructions !== undefined);
  return {
    instructions: opening?.result.instructions ?? "",
    tools: heard.findLast(({ result }) => result?.tools !== undefined)?.result.tools ?? [],
    calls: heard
      .filter(({ method, result }) => method === "tools/call" && result !== undefined)
      .map(({ params, result }) => ({
        tool: params.name,
        content: result.content?.[0]?.text ?? "",
        structured: result.structuredContent,
      })),
  };
}

/**
 * C-01: checks that the client refreshes an expired access token and that its next tool call succeeds. The first token
 * expires immediately, so clients that check the expiry have already refreshed it. The others run again with a token
 * that the server refuses.
 */
export async function expiryCheck(
  environment: Environment,
  workspace: Workspace,
  callAgain: () => Promise<unknown>,
  /** Earlier exchanges belong to another program. */
  from = 0,
): Promise<Check> {
  const isRefresh = ({ path, body }: Exchange): boolean =>
    path === "/oauth/token" && body.includes("grant_type=refresh");
  const byClock = workspace.exchanges().slice(from).some(isRefresh);
  if (!byClock) {
    environment.expireTokens();
    await callAgain();
  }
  const exchanges = workspace.exchanges().slice(from);
  const at = exchanges.findIndex(isRefresh);
  if (at < 0) return check("after expiry", false, "it did not refresh");
  const { body, status } = exchanges[at]!;
  const call = rpc(exchanges.slice(at)).find(({ method, result }) => method === "tools/call" && result !== undefined);
  const sent = new URLSearchParams(body);
  const words = ["scope", "resource"].flatMap((name) => (sent.has(name) ? [`${name}=${sent.get(name)}`] : []));
  const ok = status === 200 && call !== undefined && call.result.isError !== true;
  return check(
    "after expiry",
    ok,
    `refresh ${byClock ? "by the clock" : "after a 401"} with ${words.join(", ") || "neither scope nor resource"}: ${status}; then ${call === undefined ? "no tool was called" : `${call.params.name} was called`}`,
  );
}

/** The checks for every host with a model: the tools that it offers, two tool calls, and two consecutive pages. */
export const gateChecks = (
  workspace: Workspace,
  names: readonly string[],
  how: string,
  /** The model's environment, if the model is another program. */
  modelSeat = workspace,
): Check[] => [
  toolsCheck(names, how),
  callCheck(workspace, "schema"),
  callCheck(workspace, "search"),
  pageCheck(modelSeat),
];

/** Checks that two pages were read, the second with the first one's cursor, and that no record is in both. */
function pageCheck(workspace: Workspace): Check {
  const pages = rpc(workspace.exchanges()).filter(
    ({ method, params, result }) =>
      method === "tools/call" && params?.name === "query_records" && result !== undefined && result.isError !== true,
  );
  const second = pages.find(({ params }) => params.arguments.cursor !== undefined);
  const first = pages.find(({ result }) => result.structuredContent.next_cursor === second?.params.arguments.cursor);
  if (first === undefined || second === undefined) return check("next page", false, "no second page was read");
  const [before, after] = [first, second].map(({ result }) => recordIds(result.structuredContent)) as [
    string[],
    string[],
  ];
  const apart = after.every((id) => !before.includes(id));
  return check(
    "next page",
    apart && after.length > 0,
    `${before.length} records, then ${after.length} ${apart ? "others" : "with repetitions"}, by the cursor that was shown`,
  );
}

/** Checks that a tool was called through this client and that the server returned the requested data. */
function callCheck(workspace: Workspace, tool: "schema" | "search"): Check {
  const call = rpc(workspace.exchanges()).findLast(
    ({ method, params }) => method === "tools/call" && params?.name === tool,
  );
  if (call?.result === undefined) return check(tool, false, "it was not called");
  const { structuredContent: data, isError } = call.result;
  const found =
    tool === "schema"
      ? `${data?.data?.stream_count} streams`
      : `${data?.results?.length} hits, first "${data?.results?.[0]?.title}"`;
  const ok = isError !== true && (tool === "schema" ? data?.data?.stream_count > 0 : data?.results?.length > 0);
  return check(tool, ok, `called with ${JSON.stringify(call.params.arguments)}: ${found}`);
}

/** Checks that there are exactly five tools, under the names that the host gives them. */
function toolsCheck(names: readonly string[], how: string): Check {
  const found = [...new Set(names)].sort();
  return check("five tools", JSON.stringify(found) === JSON.stringify(GATE_TOOLS), `${how}: ${found.join(", ")}`);
}

export function modelShown(
  workspace: Workspace,
  model: Model,
  hostName: (tool: string) => string,
  skip = 0,
): Shown | undefined {
  if (model.requests.length === 0) return undefined;
  return shownOf(gateSaid(workspace), {
    first: model.requests[0],
    last: model.requests.at(-1),
    hostName,
    results: model.results().slice(skip),
  });
}
