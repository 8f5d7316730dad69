// /api over HTTP: authorizes the caller, logs the call, and responds with JSON, a list as a file, or a file's bytes.
import type { z } from "zod";
import { PdppError } from "../../contract/errors.ts";
import { firstIssue } from "../../contract/issue.ts";
import type { Credential } from "../../engine/caller.ts";
import { FileCall } from "../../files/shell/file-call.ts";
import type { FilesLens } from "../../files/shell/lens.ts";
import { readJson } from "../http/body.ts";
import { credentialOf, inFlightLimit } from "../http/credential.ts";
import type { RowFormat } from "../http/file-answer.ts";
import { parseParameters } from "../http/parameters.ts";
import { type Exchange, json, problem } from "../http/respond.ts";
import type { RouteMatch } from "../http/route-table.ts";
import { signedCaller } from "../http/signed-link.ts";
import { downloadAnswer } from "./download.ts";
import { inHttpWords } from "./failure.ts";
import { openLimit, type TakeSlot } from "./open-limit.ts";
import { REPORTS } from "./report-names.ts";
import type { FileRoute } from "./route.ts";
import { matchFileRoute } from "./routes.ts";
import { type OpenRows, openRows, rowsAnswer, rowsHead } from "./row-stream.ts";

/** Each download holds an open file, and each list scans an index page by page. */
const DOWNLOADS_MAX = 16;
const LISTS_MAX = 4;

type Match = RouteMatch<FileRoute>;
type FileQuery = Record<string, unknown> & { format?: "json" | "explain" | RowFormat };

export function filesHttpHandler({ lens }: { lens: FilesLens }) {
  const limited = inFlightLimit();
  const places = {
    download: openLimit(DOWNLOADS_MAX, "downloads"),
    list: openLimit(LISTS_MAX, "list exports"),
  };
  return async (asked: Exchange, session?: Credential): Promise<Response> => {
    const signed = session === undefined ? await signedCaller(lens.host, asked) : undefined;
    const exchange = signed?.exchange ?? asked;
    const { request, url } = exchange;
    const match = matchFileRoute(request.method, url.pathname);
    if (match !== undefined && "allow" in match) {
      const error = new PdppError("method_not_allowed", `${url.pathname} takes ${match.allow}`);
      return problem(exchange, error, { Allow: match.allow });
    }
    // The caller is checked first, so that a refused caller does not learn what exists.
    const credential =
      signed?.credential ?? (session === undefined ? credentialOf(request) : underSession(exchange, match, session));
    if (match === undefined) throw notThere(exchange);
    const caller = { credential, requestId: exchange.requestId, origin: exchange.origin };
    const call = new FileCall(lens, caller, match.route.action);
    return limited(credential, () => answered(exchange, call, match, places)).catch((error: unknown) => {
      throw error instanceof PdppError ? inHttpWords(error, { method: request.method, pathname: url.pathname }) : error;
    });
  };
}

/**
 * Listings on the owner's own pages stay on this server, so they are not logged. A downloaded file leaves the server,
 * so the download is logged.
 */
function underSession({ request, url }: Exchange, match: Match | undefined, session: Credential): Credential {
  const isFile = match?.route.download !== undefined || isRowFormat(url.searchParams.get("format"));
  return "token" in session && request.method === "GET" && !isFile ? { ...session, looking: true } : session;
}

const isRowFormat = (format: unknown): format is RowFormat => format === "csv" || format === "jsonl";

function notThere({ request, url }: Exchange): PdppError {
  return new PdppError("not_found", `there is no ${request.method} ${url.pathname}`, {
    next_step: url.pathname.includes("/reports/")
      ? `Reports are ${REPORTS.join(", ")}.`
      : "GET /openapi.json lists every call.",
  });
}

async function answered(
  exchange: Exchange,
  call: FileCall,
  match: Match,
  places: Record<"download" | "list", TakeSlot>,
): Promise<Response> {
  const { route } = match;
  const { credential } = call.caller;
  const { download } = route;
  if (download !== undefined) {
    const leave = places.download(credential);
    const wanted = async () => download(call, (await queryOf(exchange, match)) as never);
    return downloadAnswer(exchange, call, wanted, leave);
  }
  let list: { open: OpenRows; leave: () => void } | undefined;
  let head: Response | undefined;
  let status = route.status ?? 200;
  try {
    const answer = await call.run(route.needs, async () => {
      const { format = "json", ...query } = await queryOf(exchange, match);
      if (format === "explain") {
        status = 200;
        return route.explain!(call, query as never);
      }
      if (!isRowFormat(format)) return withNextPage(exchange, await route.answer!(call, query as never));
      requireNoCursor(query);
      const rows = await route.rows!(call, query as never);
      const outcome = { answer: {}, connectionId: rows.root.connectionId, bytes: 0 };
      if (exchange.request.method === "HEAD") {
        head = rowsHead(exchange, rows, format);
        return outcome;
      }
      const leave = places.list(credential);
      try {
        list = { open: await openRows(rows, format), leave };
      } catch (error) {
        leave();
        throw error;
      }
      return outcome;
    });
    if (head !== undefined) return head;
    if (list === undefined) return json(exchange, JSON.stringify(answer), status);
  } catch (error) {
    list?.leave();
    throw error;
  }
  return rowsAnswer(exchange, call, route.needs, list.open, list.leave);
}

/**
 * Reads the query from the path, the query string and the body, according to the route's schema. The body is read only
 * for admitted callers.
 */
async function queryOf({ request, url }: Exchange, { route, path }: Match): Promise<FileQuery> {
  const named: Record<string, unknown> = { ...parseParameters(url.searchParams, route.parameters), ...path };
  const body = route.body === undefined ? {} : await bodyOf(request, route.body);
  const clash = Object.keys(body).find((name) => Object.hasOwn(named, name));
  if (clash !== undefined)
    throw new PdppError("invalid_request", `${clash} is already given in the address`, { param: clash });
  return parsed(route.schema, { ...body, ...named });
}

async function bodyOf(request: Request, kind: "needed" | "empty"): Promise<object> {
  if (kind === "empty" && (request.body === null || request.headers.get("content-length") === "0")) return {};
  const content = await readJson(request);
  if (content !== null && typeof content === "object" && !Array.isArray(content)) return content;
  throw new PdppError("invalid_request", "the body must be a JSON object");
}

function parsed(schema: z.ZodObject, query: object): FileQuery {
  const result = schema.safeParse(query);
  if (result.success) return result.data as FileQuery;
  const issue = firstIssue(result.error);
  const param = issue.path.join(".") || issue.keys?.[0];
  throw new PdppError(
    "invalid_request",
    param === undefined ? issue.message : `${param}: ${issue.message}`,
    param === undefined ? {} : { param },
  );
}

function requireNoCursor({ cursor }: { cursor?: unknown }): void {
  if (cursor === undefined) return;
  throw new PdppError("invalid_request", "a list that is sent as a file cannot start at a cursor", {
    param: "cursor",
    next_step: "Omit cursor to get the whole list, or set limit; or omit format and page through the list.",
  });
}

/** Adds the address of the next page: the same address with the cursor. */
function withNextPage<T extends { answer: object }>({ request, url, origin }: Exchange, outcome: T): T {
  const { nextCursor, nextPageUrl } = outcome.answer as { nextCursor?: string; nextPageUrl?: string };
  if (nextCursor === undefined || nextPageUrl !== undefined || request.method === "POST") return outcome;
  const search = new URLSearchParams(url.searchParams);
  search.set("cursor", nextCursor);
  return { ...outcome, answer: { ...outcome.answer, nextPageUrl: `${origin}${url.pathname}?${search}` } };
}
