// The REST surface: turns a request into an engine call, and the call's result into a response.
import { PdppError } from "../../contract/errors.ts";
import { eventCapabilities } from "../../core/event-capabilities.ts";
import type { Credential } from "../../engine/caller.ts";
import type { CallRoute } from "../../engine/calls/calls.ts";
import type { EngineHost } from "../../engine/host.ts";
import { homeObjects, type ObjectPlace, openObjects } from "../../engine/objects-place.ts";
import { uploadsAt } from "../../engine/uploads.ts";
import { ingestStream } from "../../engine/write/ingest-stream.ts";
import { bodyBytes, readJson } from "../http/body.ts";
import { credentialOf, inFlightLimit } from "../http/credential.ts";
import { parseParameters } from "../http/parameters.ts";
import { baseHeaders, type Exchange, json, problem } from "../http/respond.ts";
import type { RouteMatch } from "../http/route-table.ts";
import { signedCaller } from "../http/signed-link.ts";
import { type BlobService, downloadBlob, takeBlob } from "./blobs.ts";
import { type ExportSurface, exportSurface } from "./exports.ts";
import { type FileJobReader, type JobSurface, type JobSurfaceOptions, jobSurface } from "./job-events.ts";
import { matchRoute } from "./router.ts";
import { type UploadSurface, uploadSurface } from "./uploads.ts";

export interface RestOptions {
  home: string;
  /** The location of blobs, exports and uploads. If absent, they are in the home. */
  objects?: ObjectPlace;
  host: EngineHost;
  /** Reads files lens jobs, so that they appear together with all other jobs. */
  fileJob?: FileJobReader;
  /** Announces writes for the owner. If absent, polling is needed. */
  changes?: JobSurfaceOptions["changes"];
}

export function restHandler(options: RestOptions): (exchange: Exchange, session?: Credential) => Promise<Response> {
  const limited = inFlightLimit();
  const objects = openObjects(options.objects ?? homeObjects(options.home));
  const surfaces: Surfaces = {
    blobs: { objects, host: options.host },
    exports: exportSurface({ objects, host: options.host }),
    uploads: uploadSurface({ files: uploadsAt(options.home, options.objects), host: options.host }),
    job: jobSurface(options),
  };
  return async (asked, session) => {
    const signed = session === undefined ? await signedCaller(options.host, asked) : undefined;
    const exchange = signed?.exchange ?? asked;
    const { request, url } = exchange;
    const match = matchRoute(request.method, url.pathname);
    if (match !== undefined && "allow" in match) {
      return problem(exchange, new PdppError("method_not_allowed", `${url.pathname} takes ${match.allow}`), {
        Allow: match.allow,
      });
    }
    if (match?.route.access === "anyone") {
      parseParameters(url.searchParams, match.route.parameters);
      return json(exchange, JSON.stringify(eventCapabilities()));
    }
    // The caller is checked first, so that a refused caller does not learn what exists.
    const credential = session ?? signed?.credential ?? credentialOf(request);
    if (match === undefined)
      throw new PdppError("not_found", `there is no ${request.method} ${url.pathname}`, {
        next_step: "GET /openapi.json lists every call.",
      });
    const query = { ...parseParameters(url.searchParams, match.route.parameters), ...match.path };
    return limited(credential, () => answer({ ...options, ...surfaces }, exchange, match, query, credential));
  };
}

interface Surfaces {
  blobs: BlobService;
  exports: ExportSurface;
  uploads: UploadSurface;
  job: JobSurface;
}

async function answer(
  options: RestOptions & Surfaces,
  exchange: Exchange,
  { route }: RouteMatch<CallRoute>,
  query: Record<string, unknown>,
  credential: Credential,
): Promise<Response> {
  const { host, blobs, exports, uploads, job } = options;
  const { request, requestId } = exchange;
  switch (route.streams) {
    case "ingest": {
      const target = query as { stream: string };
      const report = await ingestStream(bodyBytes(request, Number.POSITIVE_INFINITY), {
        host,
        credential,
        target,
        requestId,
      });
      return json(exchange, JSON.stringify(report));
    }
    case "blob-upload":
      return takeBlob(blobs, exchange, credential, query);
    case "export":
      return exports.stream(exchange, credential, query);
    case "export-download":
      return exports.download(exchange, credential, query as { id: string });
    case "import-upload":
      return uploads.send(exchange, credential, query as { id: string });
    case "import-upload-state":
      return uploads.state(exchange, credential, query as { id: string });
    case "job":
      return job(exchange, credential, query as { id: string });
    case "blob-download":
      return downloadBlob(blobs, exchange, credential, query as { blob_id: string });
  }
  // The caller is checked first, so that a refused caller cannot make the server read a body or learn what it should
  // contain.
  if (route.body !== undefined) await host.call("admit", { owner: route.access === "owner" }, credential, requestId);
  const complete = await withBody(request, route, query);
  const body = await host.callText(route.call, complete as never, credential, requestId);
  if (route.status === 204) return new Response(null, { status: 204, headers: baseHeaders(requestId) });
  return json(exchange, body, route.status);
}

async function withBody(
  request: Request,
  { body, aliases = {} }: CallRoute,
  query: Record<string, unknown>,
): Promise<object> {
  if (body === undefined) return query;
  const content = await readJson(request);
  if (body !== "merge") return { ...query, [body.member]: content };
  if (content === null || typeof content !== "object" || Array.isArray(content)) {
    throw new PdppError("invalid_request", "the body must be a JSON object");
  }
  const clash = Object.keys(content).find((name) => Object.hasOwn(query, name));
  if (clash !== undefined)
    throw new PdppError("invalid_request", `${clash} is already given in the address`, { param: clash });
  return { ...renamed(content as Record<string, unknown>, aliases), ...query };
}

function renamed(content: Record<string, unknown>, aliases: Readonly<Record<string, string>>): Record<string, unknown> {
  const twice = Object.keys(content).find(
    (name) => Object.hasOwn(aliases, name) && Object.hasOwn(content, aliases[name]!),
  );
  if (twice !== undefined)
    throw new PdppError("invalid_request", `${twice} is another name for ${aliases[twice]}; specify only one of them`, {
      param: twice,
    });
  return Object.fromEntries(
    Object.entries(content).map(([name, value]) => [Object.hasOwn(aliases, name) ? aliases[name]! : name, value]),
  );
}
