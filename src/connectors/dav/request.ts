// Requests to a DAV server: verified TLS, credentials sent only to the server they were given for, redirects and
// retries.
import http, { type IncomingMessage } from "node:http";
import https from "node:https";
import { setTimeout as wait } from "node:timers/promises";
import { CollectFailure } from "../common/failure.ts";
import { tlsOptions } from "../common/settings.ts";
import { DavError, isBusy, isLost } from "./failure.ts";
import { ANSWER_BYTES_MAX, CONNECT_MS, REDIRECTS_MAX, RETRY_AFTER_MAX_MS, RETRY_MS, SILENCE_MS } from "./limits.ts";
import { conditionsIn } from "./multistatus.ts";
import { type DavSettings, mayCarryPassword } from "./settings.ts";

interface DavRequest {
  method: "PROPFIND" | "REPORT" | "GET";
  url: URL;
  depth?: "0" | "1";
  body?: string;
}

interface DavAnswer {
  /** The URL after redirects. */
  url: URL;
  text: string;
}

export interface DavClient {
  /** Returns the body of a successful response. Throws a DavError otherwise. */
  request(request: DavRequest): Promise<DavAnswer>;
  close(): void;
}

export function createClient(settings: DavSettings, password: string, stop: AbortSignal): DavClient {
  const { url: home, user, ca } = settings;
  const agents = {
    "http:": new http.Agent({ keepAlive: true, maxSockets: 2 }),
    "https:": new https.Agent({ keepAlive: true, maxSockets: 2, ...tlsOptions(ca) }),
  };
  const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;

  const once = (request: DavRequest): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const { method, url, depth, body } = request;
      const send = url.protocol === "https:" ? https.request : http.request;
      const outgoing = send(url, {
        method,
        agent: agents[url.protocol as keyof typeof agents],
        signal: stop,
        headers: {
          Authorization: authorization,
          "User-Agent": "Postern",
          Accept: "*/*",
          ...(depth === undefined ? {} : { Depth: depth }),
          ...(body === undefined
            ? {}
            : { "Content-Type": "application/xml; charset=utf-8", "Content-Length": String(Buffer.byteLength(body)) }),
        },
      });
      const late = (): void => void outgoing.destroy(Object.assign(new Error("no response"), { code: "ETIMEDOUT" }));
      outgoing.setTimeout(SILENCE_MS, late);
      const connecting = setTimeout(late, CONNECT_MS);
      outgoing.once("socket", (socket) => {
        if (!socket.connecting) clearTimeout(connecting);
        else socket.once(url.protocol === "https:" ? "secureConnect" : "connect", () => clearTimeout(connecting));
      });
      outgoing.once("close", () => clearTimeout(connecting));
      outgoing.once("error", reject);
      outgoing.once("response", resolve);
      outgoing.end(body);
    });

  async function followed(request: DavRequest): Promise<DavAnswer> {
    let { url } = request;
    for (let redirects = 0; redirects <= REDIRECTS_MAX; redirects++) {
      if (!isTrusted(url, home))
        throw new CollectFailure(
          `${home.host} redirects to ${url.host}, which is another server. If you trust it, set its address.`,
        );
      const answer = await once({ ...request, url });
      const status = answer.statusCode ?? 0;
      const text = await textOf(answer, url);
      if (status >= 300 && status < 400 && answer.headers.location !== undefined) {
        const next = URL.parse(answer.headers.location, url.href);
        if (next === null) throw new DavError(url, status);
        url = next;
        continue;
      }
      if (status < 200 || status > 299) {
        const offered = answer.headers["www-authenticate"] ?? "";
        const schemes = [...offered.matchAll(/(?:^|,\s*)([a-z]+)(?=\s|$)/gi)].map(([, name]) => name!.toLowerCase());
        const error = new DavError(url, status, { conditions: conditionsIn(text), schemes });
        throw Object.assign(error, { retryAfter: Number(answer.headers["retry-after"]) });
      }
      return { url, text };
    }
    throw new CollectFailure(`${home.host} redirects in a circle: check the address`);
  }

  return {
    async request(request) {
      for (let tries = 0; ; tries++) {
        try {
          return await followed(request);
        } catch (error) {
          const pause = RETRY_MS[tries];
          if (pause === undefined || stop.aborted || !(isLost(error) || isBusy(error))) throw error;
          const asked = (error as { retryAfter?: number }).retryAfter;
          await wait(asked !== undefined && asked > 0 ? Math.min(asked * 1000, RETRY_AFTER_MAX_MS) : pause, undefined, {
            signal: stop,
          });
        }
      }
    },
    close() {
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}

/**
 * Returns true for the server that the owner entered, or another one in the same domain: iCloud keeps calendars on
 * p42-caldav.icloud.com.
 */
export function isTrusted(url: URL, home: URL): boolean {
  if (!mayCarryPassword(url)) return false;
  if (url.host === home.host) return url.protocol === home.protocol || url.protocol === "https:";
  if (url.protocol !== "https:") return false;
  const labels = home.hostname.split(".");
  if (/^[\d.]+$|:/.test(home.hostname) || labels.length < 2) return false;
  const domain = labels.length === 2 ? home.hostname : labels.slice(1).join(".");
  return url.hostname === domain || url.hostname.endsWith(`.${domain}`);
}

async function textOf(answer: IncomingMessage, url: URL): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of answer as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > ANSWER_BYTES_MAX) {
      answer.destroy();
      throw new CollectFailure(`${url.host} sent more than ${ANSWER_BYTES_MAX / 1024 / 1024} MB in one response`);
    }
    parts.push(part);
  }
  return Buffer.concat(parts, bytes).toString("utf8");
}
