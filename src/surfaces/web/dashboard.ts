// The dashboard: the owner's pages, behind the owner's session. Each page consists of data and a view. If a page is
// requested as JSON, only the data is returned.
import { Readable } from "node:stream";
import { html } from "hono/html";
import { PdppError } from "../../contract/errors.ts";
import type { OwnerFileLens } from "../../contract/owner-file-lens.ts";
import type { Preferences } from "../../contract/preferences.ts";
import { sessionId } from "../../engine/authority/sessions.ts";
import type { Credential } from "../../engine/caller.ts";
import type { EngineHost } from "../../engine/host.ts";
import type { Housekeeping } from "../../engine/housekeeping.ts";
import type { Uploads } from "../../engine/uploads.ts";
import { withKey } from "../http/browser-key.ts";
import { credentialOf } from "../http/credential.ts";
import type { RowFormat } from "../http/file-answer.ts";
import { isMultipart } from "../http/multipart.ts";
import { baseHeaders, type Exchange } from "../http/respond.ts";
import { pathTable, segmentsNamed } from "../http/route-table.ts";
import { shellScriptPath } from "./assets.ts";
import { askForPassword, takePassword } from "./confirm-password.ts";
import { OWNER_PAGES } from "./dashboard/pages.ts";
import { sentence } from "./format.ts";
import { alert, documentOf, type Html } from "./layout.ts";
import { navigation, placeOf } from "./navigation.ts";
import type { AnyOwnerPage, SavedFile, Visit } from "./owner-page.ts";
import type { PageJobs } from "./page-jobs.ts";
import { page, pageData, seeOther } from "./page-response.ts";
import { messagePage } from "./pages/message.ts";
import { passkeysOf } from "./passkey-form.ts";
import type { PasswordGuesses } from "./password-guesses.ts";
import { rowsResponse } from "./rows-response.ts";
import { sentForm } from "./sent-form.ts";
import type { SignIn } from "./sign-in.ts";
import { elsewhere } from "./snippets.ts";
import { timesIn, zoneOf } from "./times.ts";
import { isUndoable, saysItself, undoOffer, withUndo } from "./undo.ts";
import { verifiedPassword } from "./verified-password.ts";
import { checkFormToken, ownerShown, postedForm, type SignedIn, type Visitor, visitorOf } from "./visitor.ts";

export type OwnerLensOf = (caller: {
  credential: Credential;
  requestId: string;
  origin: string;
}) => Promise<OwnerFileLens>;

export interface DashboardOptions {
  uploads: Uploads;
  host: EngineHost;
  secret: () => Promise<string>;
  signInFirst: SignIn["first"];
  /** The REST surface under the owner's session, for page scripts, uploads and downloads. */
  rest: (exchange: Exchange, credential: Credential) => Promise<Response>;
  ownerLens: OwnerLensOf;
  house: Housekeeping;
  publicUrl?: string;
  guesses: PasswordGuesses;
  pageJobs: PageJobs;
}

const ROOT = "/dashboard";
/** Paths of the records and files APIs, whose links lead back here. */
const RECORDS_API = `${ROOT}/v1/`;
const FILES_API = `${ROOT}/api/`;

export async function dashboard(options: DashboardOptions, exchange: Exchange): Promise<Response | undefined> {
  const { request, url } = exchange;
  if (url.pathname.startsWith(RECORDS_API) || url.pathname.startsWith(FILES_API))
    return underSession(options, exchange);
  const asJson = wantsJson(exchange);
  const file = filePage(url.pathname);
  const match = file ?? matchPage(url.pathname.replace(/\.json$/, "").replace(/(.)\/$/, "$1"));
  if (match === undefined)
    return request.method === "GET" && wantsPage(exchange) ? nowhere(options, exchange) : undefined;
  const { found, params } = match;
  const secret = await options.secret();
  const uploads = request.method === "POST" && found.upload !== undefined && isMultipart(request);
  const posts = request.method === "POST" && found.post !== undefined && !uploads;
  const posted = posts ? await postedForm(exchange, secret) : undefined;
  if (posted === undefined && !uploads && request.method !== "GET" && request.method !== "HEAD") {
    throw new PdppError("method_not_allowed", `${url.pathname} does not accept ${request.method}`);
  }
  if (asJson && request.headers.has("authorization")) {
    const credential = credentialOf(request);
    await options.host.call("admit", { owner: true }, credential, exchange.requestId);
    const account = await options.host.call("ownerAccount", {}, { home: true });
    const visit = visitOf(options, exchange, credential, params, account.preferences);
    return pageData(exchange, await found.load(visit));
  }
  const visitor = await visitorOf(exchange, options.host, secret);
  const { owner } = visitor;
  if (owner === undefined) {
    if (asJson) throw new PdppError("authentication_error", "sign in first, or send an owner token");
    return options.signInFirst(exchange, "This page is for the owner of this server.");
  }
  const visit = {
    ...visitOf(options, exchange, owner.credential, params, owner.preferences),
    sessionId: sessionId(owner.sessionHash),
    ...passkeysOf(exchange, { secret, csrf: visitor.csrf }, owner),
  };
  const rows = file?.found.rows?.(visit);
  if (file !== undefined)
    return rows === undefined ? nowhere(options, exchange) : rowsResponse(exchange, rows, file.format, found.under);
  if (asJson) return pageData(exchange, await found.load(visit));
  // Uploads are accepted only from the owner.
  const sent = uploads ? await sentForm(exchange, secret, options.uploads) : undefined;
  if (posted === undefined && sent === undefined) {
    const undo = undoOffer(exchange, { secret, csrf: visitor.csrf });
    return shown(exchange, visit, found, visitor, owner, { undo });
  }
  try {
    if (posted !== undefined) await takePassword(options, exchange, visitor, owner, posted);
    const done = await (sent === undefined ? found.post!(visit, posted!) : found.upload!(visit, sent));
    if (typeof done === "string") return seeOther(exchange, done);
    if (isUndoable(done)) return seeOther(exchange, withUndo(done, { secret, csrf: visitor.csrf }));
    return isSavedFile(done) ? saved(exchange, done) : shown(exchange, visit, found, visitor, owner, { view: done });
  } catch (error) {
    const failure = errorForPeople(error);
    if (posted !== undefined && failure.code === "password_required")
      return askForPassword(
        options,
        exchange,
        visitor,
        posted,
        failure,
        around(found.under, visit.house, visitor, owner),
      );
    return shown(exchange, visit, found, visitor, owner, { failure });
  }
}

const isSavedFile = (done: object): done is SavedFile => "bytes" in done && done.bytes instanceof Readable;

const saved = (exchange: Exchange, { name, bytes }: SavedFile): Response =>
  new Response(Readable.toWeb(bytes) as ReadableStream<Uint8Array>, {
    headers: {
      ...baseHeaders(exchange.requestId),
      "Content-Type": "application/octet-stream",
      "Content-Disposition": `attachment; filename="${name}"`,
    },
  });

/** Shows a page. Form errors appear above the page that the form was sent from. */
async function shown(
  exchange: Exchange,
  visit: Visit,
  found: AnyOwnerPage,
  visitor: Visitor,
  owner: SignedIn,
  { failure, view: given, undo = "" }: { failure?: PdppError; view?: object; undo?: Html | "" } = {},
): Promise<Response> {
  const common = around(found.under, visit.house, visitor, owner);
  try {
    const view = given ?? (await found.load(visit));
    const { origin, now, zone } = visit;
    const { time_zone, date_language } = owner.preferences;
    const times = timesIn(zone, now, date_language);
    const frame = { csrf: visitor.csrf, origin, url: exchange.url, now, times, undo };
    const failed = failure === undefined ? undefined : inWords(failure);
    const {
      body,
      snippets = [],
      scripts = [],
      ...rest
    } = found.show(view, failed === undefined ? frame : { ...frame, failed });
    const parts = html`${saysItself(exchange) ? "" : undo}${failed === undefined ? "" : alert([failed])}${body}${elsewhere(snippets)}`;
    const text = documentOf({
      width: "wide",
      ...rest,
      ...common,
      // If the owner chose a time zone, pages use it instead of the browser's.
      ...(time_zone === undefined ? { zone } : {}),
      body: parts,
      scripts: [shellScriptPath, ...scripts],
    });
    return page(exchange, text, failure?.status ?? 200, visitor.cookies);
  } catch (error) {
    const shownError = errorForPeople(error);
    const { status, code } = shownError;
    const title = status === 404 ? "Not found" : "That did not work";
    const view = { title, text: inWords(shownError), status, code, requestId: exchange.requestId, ...common };
    const place = placeOf(found.under);
    // A button that leads back to the same page would be useless.
    const next = place.href === exchange.url.pathname ? placeOf("home") : place;
    return page(exchange, messagePage({ ...view, next }), status);
  }
}

const around = (under: string, { home }: Housekeeping, { csrf }: Visitor, owner: SignedIn) => ({
  owner: { ...ownerShown(owner), signOut: { action: "/logout", csrf } },
  nav: navigation(under, home !== undefined),
});

/** Responds to an address without a page, which may be incomplete, mistyped, or from another version. */
async function nowhere({ host, secret, signInFirst, house }: DashboardOptions, exchange: Exchange): Promise<Response> {
  const visitor = await visitorOf(exchange, host, await secret());
  if (visitor.owner === undefined) return signInFirst(exchange, "This page is for the owner of this server.");
  const view = {
    title: "Not found",
    text: "There is no page at this address.",
    status: 404,
    requestId: exchange.requestId,
    next: placeOf("home"),
    ...around("", house, visitor, visitor.owner),
  };
  return page(exchange, messagePage(view), 404);
}

function errorForPeople(error: unknown): PdppError {
  if (error instanceof PdppError && error.status < 500) return error;
  throw error;
}

/** Matches a next step for programs, which is useless on a page. A button is shown instead. */
const FOR_PROGRAMS = /\b(?:GET|POST|PUT|PATCH|DELETE) \//;

const inWords = ({ message, details: { next_step } }: PdppError): string =>
  [sentence(message), ...(next_step === undefined || FOR_PROGRAMS.test(next_step) ? [] : [next_step])].join(" ");

function visitOf(
  { host, ownerLens, house, publicUrl, guesses, pageJobs }: DashboardOptions,
  exchange: Exchange,
  credential: Credential,
  params: Record<string, string>,
  preferences: Preferences | undefined,
): Visit {
  const looking = "token" in credential ? { ...credential, looking: true as const } : credential;
  return {
    exchange,
    params,
    search: exchange.url.searchParams,
    origin: exchange.origin,
    zone: preferences?.time_zone ?? zoneOf(exchange),
    now: Date.now(),
    house,
    ...(publicUrl === undefined ? {} : { publicUrl }),
    pageJobs,
    verifiedPassword: (given) => verifiedPassword(host, guesses, exchange, given),
    look: (name, query) => host.call(name, query, looking, exchange.requestId),
    act: (name, query) => host.call(name, query, credential, exchange.requestId),
    files: () => ownerLens({ credential, requestId: exchange.requestId, origin: exchange.origin }),
  };
}

/**
 * Serves the REST surface. A request that changes something must send the form token in a header, which another site
 * cannot do.
 */
async function underSession(
  { host, secret, signInFirst, rest }: DashboardOptions,
  exchange: Exchange,
): Promise<Response> {
  const { request, url } = exchange;
  if (request.method !== "GET" && request.method !== "HEAD") {
    checkFormToken(exchange, await secret(), request.headers.get("postern-form"));
  }
  const { owner } = await visitorOf(exchange, host, await secret());
  if (owner === undefined) {
    if (request.method === "GET" && !wantsJson(exchange))
      return signInFirst(exchange, "This is for the owner of this server.");
    throw new PdppError("authentication_error", "sign in first");
  }
  const inside = new URL(url);
  inside.pathname = url.pathname.slice(ROOT.length);
  // A picture or video on a page is only viewed, so it is not logged. Opening or downloading it is logged.
  const isShown = SHOWN.has(request.headers.get("sec-fetch-dest") ?? "") && "token" in owner.credential;
  const credential = isShown ? { ...owner.credential, looking: true as const } : owner.credential;
  const origin = url.pathname.startsWith(FILES_API) ? withKey(exchange, exchange.origin + ROOT) : exchange.origin;
  const answer = await rest({ ...exchange, url: inside, origin }, credential);
  // A blob that is opened as one of our pages must not be able to do anything, no matter what it contains.
  answer.headers.set("Content-Security-Policy", "default-src 'none'; sandbox");
  return answer;
}

/** Sec-Fetch-Dest values of requests for a part of a page. */
const SHOWN = new Set(["image", "video"]);

function wantsJson({ request, url }: Exchange): boolean {
  const accept = request.headers.get("accept") ?? "";
  return url.pathname.endsWith(".json") || (accept.includes("application/json") && !accept.includes("text/html"));
}

const wantsPage = ({ request }: Exchange): boolean => (request.headers.get("accept") ?? "").includes("text/html");

const pageAt = pathTable<AnyOwnerPage>(OWNER_PAGES);

/** Finds a page with rows that is requested as a file. Ids can have the same ending, but their pages have no rows. */
function filePage(pathname: string): (ReturnType<typeof matchPage> & { format: RowFormat }) | undefined {
  const [, path, format] = /^(.+)\.(csv|jsonl)$/.exec(pathname) ?? [];
  const match = path === undefined ? undefined : matchPage(path);
  return match?.found.rows === undefined ? undefined : { ...match, format: format as RowFormat };
}

function matchPage(pathname: string): { found: AnyOwnerPage; params: Record<string, string> } | undefined {
  const found = pageAt(pathname)?.routes[0];
  if (found === undefined) return undefined;
  try {
    const params = segmentsNamed(found.path, pathname);
    return Object.values(params).includes("") ? undefined : { found, params };
  } catch {
    return undefined;
  }
}
