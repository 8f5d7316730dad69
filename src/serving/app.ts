// The HTTP app: checks that apply to every request, then the surfaces, then a single place that renders errors.
import type { ServerResponse } from "node:http";
import type { GuardedFetch } from "../auth/guarded-fetch.ts";
import { PdppError } from "../contract/errors.ts";
import { PROTOCOL_VERSION } from "../contract/limits.ts";
import type { OwnerFileLens } from "../contract/owner-file-lens.ts";
import type { TrustedProxies } from "../contract/trusted-proxies.ts";
import type { SharedLimiter } from "../core/limiter.ts";
import type { Credential } from "../engine/caller.ts";
import type { EngineHost } from "../engine/host.ts";
import { notHosted } from "../engine/hosted.ts";
import { type HomeLocation, type Housekeeping, housekeeping } from "../engine/housekeeping.ts";
import { uploadsAt } from "../engine/uploads.ts";
import type { FileCaller } from "../files/shell/file-call.ts";
import type { FilesLens } from "../files/shell/lens.ts";
import { splitKey } from "../surfaces/http/browser-key.ts";
import { hostGuard } from "../surfaces/http/guard.ts";
import { answerProbe, isProbe } from "../surfaces/http/probes.ts";
import { type ReadinessProbe, readinessOf } from "../surfaces/http/readiness.ts";
import { asPdppError, baseHeaders, type Exchange, json, problem, requestIdOf } from "../surfaces/http/respond.ts";
import type { HttpApp } from "../surfaces/http/serve.ts";
import { type RestOptions, restHandler } from "../surfaces/rest/rest.ts";
import { notFoundPage, webHandler } from "../surfaces/web/web.ts";
import { opened } from "./browser-links.ts";
import { errorsPage } from "./errors-page.ts";
import { filesApi, isJobRead } from "./files-api.ts";
import { landing } from "./landing.ts";
import type { MetricsPage } from "./metrics-page.ts";

export interface AppOptions {
  place: HomeLocation;
  host: EngineHost;
  /** Backups and health. Created here unless given. */
  house?: Housekeeping;
  /** Opens the files lens when it is first needed. Without it, the lens is not served. */
  files?: () => Promise<FilesLens>;
  /** True on a multi-owner server, whose owners have no access to its machine. */
  isOneOfMany?: boolean;
  /** How often one address may try to sign in, counted across all owners. */
  signIns?: SharedLimiter;
  port: () => number;
  publicUrl?: string;
  proxies?: TrustedProxies;
  /** Replaces the default way of fetching client metadata documents. */
  clientFetch?: GuardedFetch;
  log: (text: string) => void;
  /** Reports the owner's writes. Without it, waiting requests poll. */
  changes?: RestOptions["changes"];
  /** The check behind /readyz. By default it calls the host. */
  readiness?: ReadinessProbe;
  /** Called at the start of each request. */
  watch?: (exchange: Exchange) => void;
  /** Metrics are off if absent. */
  metrics?: MetricsPage;
  /** Responses that stay open as long as the connection does. Stopping the server ends them. */
  eventStreams?: Set<ServerResponse>;
}

export function createApp(options: AppOptions): HttpApp {
  const { place, host, files, isOneOfMany, signIns, port, publicUrl, proxies, clientFetch, log } = options;
  const { watch, metrics, eventStreams } = options;
  const { home, objects } = place;
  const readiness = options.readiness ?? readinessOf(() => host.call("ready", {}, { home: true }));
  const guard = hostGuard(port, publicUrl, proxies);
  const api = files === undefined ? undefined : filesApi(home, files);
  const records = restHandler({ home, objects, host, fileJob: api?.fileJob, changes: options.changes });
  const rest = (exchange: Exchange, session?: Credential): Promise<Response> => {
    const { pathname } = exchange.url;
    if (!pathname.startsWith("/api/") || isJobRead(pathname)) return records(exchange, session);
    if (api === undefined) throw noFiles();
    return api.handle(exchange, session);
  };
  const noFiles = (): PdppError =>
    isOneOfMany
      ? notHosted("files on its machine cannot be read")
      : new PdppError("not_found", "this server does not read files");
  const ownerLens = async (caller: FileCaller): Promise<OwnerFileLens> => {
    if (files === undefined) throw noFiles();
    const [lens, { ownerLensFor }] = await Promise.all([files(), import("../files/shell/owner-lens.ts")]);
    return ownerLensFor(lens, caller);
  };
  const uploads = uploadsAt(home, objects);
  const web = webHandler({
    uploads,
    host,
    rest,
    ownerLens,
    house: options.house ?? housekeeping(place, log),
    publicUrl,
    clientFetch,
    log,
    // With a database, several processes can serve one owner, so they share their counters.
    shared: place.database !== undefined,
    signIns,
  });
  let mcp: Promise<(exchange: Exchange) => Promise<Response>> | undefined;
  /** Loaded on the first call, so that startup stays fast. */
  const gate = () => {
    mcp ??= import("../surfaces/mcp/http.ts").then(({ mcpHandler }) => mcpHandler({ host, log }));
    return mcp;
  };

  let filesMcp: Promise<(exchange: Exchange) => Promise<Response>> | undefined;
  const shell = (open: NonNullable<typeof files>) => {
    filesMcp ??= Promise.all([open(), import("../surfaces/files-mcp/http.ts"), import("../files/shell/shell.ts")]).then(
      ([lens, { filesMcpHandler }, { shellFor }]) =>
        filesMcpHandler({ host, shellFor: (caller) => shellFor(lens, caller), log }),
    );
    return filesMcp;
  };

  async function respond(exchange: Exchange): Promise<Response> {
    const { request, url } = exchange;
    const { pathname } = url;
    if (isProbe(pathname)) {
      guard.checkOrigin(request);
      return answerProbe(exchange, pathname, readiness);
    }
    guard.check(request);
    checkVersion(request);
    if (pathname.startsWith("/v1/") || pathname.startsWith("/api/")) return opened(exchange, rest);
    if (pathname === "/mcp") return (await gate())(exchange);
    if (pathname === "/files/mcp") {
      if (files === undefined) throw noFiles();
      return (await shell(files))(exchange);
    }
    const answer = (pathname === "/metrics" ? await metrics?.(exchange) : undefined) ?? (await web(exchange));
    if (answer !== undefined) return answer;
    if (request.method !== "GET" && request.method !== "HEAD") {
      throw new PdppError("not_found", `there is no ${request.method} ${pathname}`, {
        next_step: "GET / shows where to start.",
      });
    }
    if (pathname === "/") return landing(exchange);
    if (pathname === "/llms.txt" || pathname === "/llms-full.txt") return llms(exchange);
    if (pathname === "/openapi.json") return json(exchange, await openApi());
    if (pathname === "/docs/errors") return errorsPage(exchange);
    const page = notFoundPage(exchange);
    if (page !== undefined) return page;
    throw new PdppError("not_found", `there is nothing at ${pathname}`, { next_step: "GET / shows where to start." });
  }

  return async (request, { incoming, outgoing, requestId }) => {
    const exchange: Exchange = {
      request,
      ...addressed(request.url),
      requestId: requestId ?? requestIdOf(request),
      origin: guard.origin(),
      address: guard.address(request, incoming?.socket.remoteAddress),
      abort: () => outgoing?.destroy(),
      ...(incoming === undefined || outgoing === undefined ? {} : { node: { incoming, outgoing } }),
    };
    watch?.(exchange);
    try {
      const answer = await respond(exchange);
      if (outgoing !== undefined && isEventStream(request, answer)) {
        eventStreams?.add(outgoing);
        outgoing.once("close", () => eventStreams?.delete(outgoing));
      }
      return answer;
    } catch (error) {
      return problem(exchange, asPdppError(error, log, exchange.requestId));
    }
  };
}

/**
 * MCP endpoints are often written with a trailing slash. Logs, metrics and everything else here treat it as the same
 * address.
 */
function addressed(address: string): ReturnType<typeof splitKey> {
  const split = splitKey(address);
  if (/^\/(?:files\/)?mcp\/$/.test(split.url.pathname)) split.url.pathname = split.url.pathname.slice(0, -1);
  return split;
}

/** Inspects the response only if an event stream was requested, so other requests cost nothing. */
const isEventStream = (request: Request, answer: Response): boolean =>
  (request.headers.get("accept") ?? "").includes("text/event-stream") &&
  (answer.headers.get("content-type") ?? "").startsWith("text/event-stream");

let document: Promise<string> | undefined;

/** Loads the schemas on the first request, so that startup stays fast. */
function openApi(): Promise<string> {
  document ??= import("../surfaces/rest/openapi.ts").then(({ openApiDocument }) => JSON.stringify(openApiDocument()));
  return document;
}

/** Generated from the tables of tools and routes, which are also loaded on the first request. */
async function llms({ url, origin, requestId }: Exchange): Promise<Response> {
  const { llmsFullText, llmsText } = await import("./llms.ts");
  const text = url.pathname === "/llms.txt" ? llmsText(origin) : llmsFullText(origin);
  return new Response(text, {
    headers: { ...baseHeaders(requestId), "Content-Type": "text/plain; charset=utf-8" },
  });
}

function checkVersion(request: Request): void {
  const asked = request.headers.get("pdpp-version");
  if (asked !== null && asked !== PROTOCOL_VERSION) {
    throw new PdppError("unsupported_version", `PDPP-Version ${JSON.stringify(asked)} is not supported here`, {
      param: "PDPP-Version",
    });
  }
}
