// The owner's pages, behind the owner's session.
import type { Denial } from "../../contract/activity.ts";
import type { List } from "../../contract/answers.ts";
import { PdppError } from "../../contract/errors.ts";
import type { EngineHost } from "../../engine/host.ts";
import type { Exchange } from "../http/respond.ts";
import { APPS, apps, revokeFrom } from "./apps.ts";
import { page, seeOther } from "./page-response.ts";
import { messagePage } from "./pages/message.ts";
import { whyPage } from "./pages/why.ts";
import { type RecordPlace, record } from "./record.ts";
import { signInFirst } from "./sign-in-first.ts";
import { postedForm, type SignedIn, type Visitor, visitorOf } from "./visitor.ts";

const RECORD = /^\/dashboard\/records\/([^/]+)\/([^/]+)\/([^/]+)$/;

export async function dashboard(
  { host, secret }: { host: EngineHost; secret: () => Promise<string> },
  exchange: Exchange,
): Promise<Response | undefined> {
  const { request, url } = exchange;
  const { pathname } = url;
  if (/^\/dashboard\/?$/.test(pathname)) return seeOther(exchange, APPS);
  const place = placeOf(pathname);
  const asked = /^\/dashboard\/why\/([A-Za-z0-9_-]{1,100})$/.exec(pathname)?.[1];
  if (pathname !== APPS && place === undefined && asked === undefined) return undefined;
  const posted =
    request.method === "POST" && pathname === APPS ? await postedForm(exchange, await secret()) : undefined;
  if (posted === undefined && request.method !== "GET" && request.method !== "HEAD") {
    throw new PdppError("method_not_allowed", `${pathname} does not take ${request.method}`);
  }
  const visitor = await visitorOf(exchange, host, await secret());
  const { owner } = visitor;
  if (owner === undefined) return signInFirst(exchange, "This page is for the owner of this server.");
  if (posted !== undefined) return revokeFrom(exchange, host, owner, posted);
  try {
    if (place !== undefined) return await record(exchange, host, visitor, owner, place);
    if (asked !== undefined) return await why(exchange, host, visitor, owner, asked);
    return await apps(exchange, host, visitor, owner);
  } catch (error) {
    if (!(error instanceof PdppError) || error.status >= 500) throw error;
    const { status, code, message } = error;
    const view = { title: "Not there", text: `${message}.`, status, code, requestId: exchange.requestId };
    return page(exchange, messagePage({ ...view, next: { label: "Apps", href: APPS } }), status);
  }
}

async function why(
  exchange: Exchange,
  host: EngineHost,
  visitor: Visitor,
  owner: SignedIn,
  requestId: string,
): Promise<Response> {
  const found = JSON.parse(await host.call("why", { request_id: requestId }, owner.credential)) as List<Denial>;
  const view = {
    requestId,
    denials: found.data,
    owner: { name: owner.name, signOut: { action: "/logout", csrf: visitor.csrf } },
    nav: [{ label: "Apps", href: APPS }],
  };
  return page(exchange, whyPage(view), 200, visitor.cookies);
}

function placeOf(pathname: string): RecordPlace | undefined {
  const [, connection, stream, id] = RECORD.exec(pathname) ?? [];
  if (id === undefined) return undefined;
  try {
    return {
      connection_id: decodeURIComponent(connection!),
      stream: decodeURIComponent(stream!),
      id: decodeURIComponent(id),
    };
  } catch {
    return undefined;
  }
}
