// The CLI of the PDPP reference implementation connects with two JSON calls. They are the device flow in another
// format, with the same pages, codes and checks (C-08).
import { IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import type { KoaContextWithOIDC } from "oidc-provider";
import { AUTH_PATHS, DEVICE_GRANT } from "./discovery.ts";

export const AGENT_POLL_PATH = `${AUTH_PATHS.agentConnect}/poll`;
const BODY_MAX = 16 * 1024;
/** The polling interval if the server specifies none (RFC 8628 section 3.2). */
const INTERVAL_SECONDS = 5;

type ConnectStep = "start" | "poll";
/** The device-flow requests that were built from JSON calls. */
const steps = new WeakMap<IncomingMessage, ConnectStep>();

export const isAgentConnect = (pathname: string): boolean =>
  pathname === AUTH_PATHS.agentConnect || pathname === AGENT_POLL_PATH;

/** Builds the device-flow request that is equivalent to a JSON call. */
export async function asDeviceRequest(incoming: IncomingMessage, pathname: string): Promise<IncomingMessage> {
  const length = Number(incoming.headers["content-length"] ?? Number.NaN);
  const asked = length <= BODY_MAX ? members(await text(incoming)) : {};
  const [step, path, fields] =
    pathname === AUTH_PATHS.agentConnect
      ? (["start", AUTH_PATHS.device, startFields(asked)] as const)
      : (["poll", AUTH_PATHS.token, pollFields(asked)] as const);
  const body = new URLSearchParams(fields).toString();
  const request = new IncomingMessage(incoming.socket);
  // Marked as complete, because an incomplete request closes the connection once its body has been read.
  Object.assign(request, { method: incoming.method, url: path, complete: true });
  Object.assign(request.headers, incoming.headers, {
    "content-type": "application/x-www-form-urlencoded",
    "content-length": String(Buffer.byteLength(body)),
  });
  request.push(body);
  request.push(null);
  steps.set(request, step);
  return request;
}

function startFields({ client_id, scope, resource }: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries({ client_id, scope, resource }).filter(([, value]) => value !== undefined),
  ) as Record<string, string>;
}

/** The poll sends only the code, so the code contains the client id too. */
function pollFields({ polling_code = "" }: Record<string, string>): Record<string, string> {
  const at = polling_code.indexOf(".");
  return {
    grant_type: DEVICE_GRANT,
    client_id: polling_code.slice(0, Math.max(at, 0)),
    device_code: polling_code.slice(at + 1),
  };
}

function members(body: string): Record<string, string> {
  try {
    const value = JSON.parse(body) as object;
    return Object.fromEntries(Object.entries(value).filter(([, one]) => typeof one === "string"));
  } catch {
    return {};
  }
}

interface DeviceAnswer {
  device_code: string;
  verification_uri_complete: string;
}
interface AgentTokenAnswer {
  expires_in: number;
  error?: string;
}

/** Translates device-flow responses into the caller's format. */
export async function answerAgents(ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> {
  await next();
  const step = steps.get(ctx.req);
  if (step === "start" && ctx.status === 200) {
    const { device_code, ...started } = ctx.body as DeviceAnswer;
    ctx.body = {
      ...started,
      approval_url: started.verification_uri_complete,
      poll_url: `${ctx.oidc.issuer}${AGENT_POLL_PATH}`,
      polling_code: `${ctx.oidc.client!.clientId}.${device_code}`,
      interval: INTERVAL_SECONDS,
      interval_ms: INTERVAL_SECONDS * 1000,
    };
  }
  if (step !== "poll") return;
  const answer = ctx.body as AgentTokenAnswer;
  if (ctx.status === 200) {
    ctx.body = {
      status: "approved",
      ...answer,
      expires_at: new Date(Date.now() + answer.expires_in * 1000).toISOString(),
    };
  } else if (answer.error === "authorization_pending" || answer.error === "slow_down") {
    // Pending is not an error: the reference CLI treats every status other than 200 as final.
    ctx.status = 200;
    ctx.body = { status: "pending", interval_ms: INTERVAL_SECONDS * 1000 };
  }
}
