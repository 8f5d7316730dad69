// SECURITY row 6: the addresses to which events may be sent, and receivers that misbehave.
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { type ClientSite, startClientSite } from "../../test/client-site.ts";
import type { Sending } from "../engine/events/delivery.ts";
import { sendEvent } from "./send.ts";

let site: ClientSite | undefined;
afterEach(async () => {
  await site?.close();
  site = undefined;
});

const serve = async (answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<ClientSite> => {
  site = await startClientSite(answer);
  return site;
};
const sending = (more: Partial<Sending> = {}): Sending => ({
  url: "https://app.example.test/hook?a=1",
  headers: { "content-type": "application/cloudevents+json", "webhook-id": "evt_1" },
  body: '{"id":"evt_1"}',
  allowed: false,
  challenge: false,
  covers: 0,
  ...more,
});
const never = new AbortController().signal;
const outcome = async (reach: object, more: Partial<Sending> = {}) => {
  const { milliseconds: _took, ...rest } = await sendEvent(sending(more), reach, never);
  return rest;
};

describe("SECURITY row 6 F-06 an event", () => {
  it("is sent to the resolved address, with the host's name and certificate, and only its own headers", async () => {
    const bodies: string[] = [];
    const { reach, requests } = await serve((request, response) => {
      request.on("data", (part: Buffer) => bodies.push(part.toString()));
      request.on("end", () => response.writeHead(204).end());
    });
    expect(await outcome(reach)).toEqual({ status: 204 });
    expect(requests.map(({ method, url }) => [method, url])).toEqual([["POST", "/hook?a=1"]]);
    expect(Object.keys(requests[0]!.headers).sort()).toEqual([
      "accept-encoding",
      "connection",
      "content-length",
      "content-type",
      "host",
      "user-agent",
      "webhook-id",
    ]);
    expect(bodies.join("")).toBe('{"id":"evt_1"}');
  });

  it.each([
    ["loopback", ["127.0.0.1"]],
    ["RFC 1918", ["10.0.0.1"]],
    ["link-local", ["169.254.169.254"]],
    ["IPv6 loopback", ["::1"]],
    ["IPv4-mapped", ["::ffff:10.0.0.1"]],
    ["private, as the second of two", ["93.184.215.14", "192.168.0.1"]],
  ])("is not sent to a host whose address is %s, and its log does not reveal the address", async (_name, addresses) => {
    const { reach, requests } = await serve((_request, response) => response.end());
    const resolve = async () => addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
    expect(await outcome({ ...reach, resolve })).toEqual({ error: "the host has an address that is not public" });
    expect(requests).toEqual([]);
    // It is sent if the owner has allowed the host.
    expect(await outcome({ ...reach, resolve }, { allowed: true })).toEqual({ status: 200 });
  });

  it("has its host name resolved once per attempt", async () => {
    const { reach } = await serve((_request, response) => response.end());
    let asked = 0;
    const resolve = async () => [{ address: asked++ === 0 ? "93.184.215.14" : "127.0.0.1", family: 4 }];
    expect(await outcome({ ...reach, resolve })).toEqual({ status: 200 });
    expect(asked).toBe(1);
    expect(await outcome({ ...reach, resolve })).toEqual({ error: "the host has an address that is not public" });
  });

  it("is not sent over http unless the owner has allowed the host", async () => {
    const server = createServer((_request, response) => response.writeHead(202).end());
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
    expect(await outcome({}, { url })).toEqual({ error: "events are sent only to https addresses" });
    expect(await outcome({}, { url, allowed: true })).toEqual({ status: 202 });
    server.close();
    server.closeAllConnections();
  });

  it("is not sent if the certificate is for another host or is not trusted", async () => {
    const { reach, requests } = await serve((_request, response) => response.end());
    expect(await outcome(reach, { url: "https://evil.example.test/" })).toEqual({
      error: "the host's certificate is not valid (ERR_TLS_CERT_ALTNAME_INVALID)",
    });
    expect((await outcome({ ...reach, ca: undefined })).error).toContain("the host's certificate is not valid");
    expect(requests).toEqual([]);
  });
});

describe("F-06 a misbehaving receiver", () => {
  it.each([301, 302, 307, 308])("cannot redirect an event (%i)", async (status) => {
    const { reach, requests } = await serve((_request, response) =>
      response.writeHead(status, { location: "https://169.254.169.254/" }).end(),
    );
    expect(await outcome(reach)).toEqual({ status });
    expect(requests).toHaveLength(1);
  });

  it("times out if it never responds, sends its headers slowly, or has a resolver that hangs", async () => {
    const { reach } = await serve(() => undefined);
    expect(await outcome({ ...reach, milliseconds: 300 })).toEqual({ error: "no response in 0.3 s" });
    await site!.close();
    const dripping = await serve((request) => {
      const timer = setInterval(() => request.socket.write("H"), 20);
      request.socket.on("close", () => clearInterval(timer));
    });
    const dripped = await outcome({ ...dripping.reach, milliseconds: 300 });
    expect(dripped.status).toBeUndefined();
    expect(await outcome({ resolve: () => new Promise(() => undefined), milliseconds: 50 })).toEqual({
      error: "no response in 0.05 s",
    });
  });

  it("can send a slow or endless body, because only the status matters", async () => {
    const drip = await serve((_request, response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write("x"), 20);
      response.on("close", () => clearInterval(timer));
    });
    expect(await outcome({ ...drip.reach, milliseconds: 5000 })).toEqual({ status: 200 });
    // A challenge needs the body of the response, so reading it has a time limit.
    expect(await outcome({ ...drip.reach, milliseconds: 400 }, { challenge: true })).toEqual({
      error: "no response in 0.4 s",
    });
    await drip.close();
    const flood = await serve((_request, response) => {
      response.writeHead(200);
      const more = (): void => void (response.destroyed || response.write(Buffer.alloc(64 * 1024, "x"), more));
      more();
    });
    expect(await outcome(flood.reach)).toEqual({ status: 200 });
    const { answer } = await outcome(flood.reach, { challenge: true });
    expect(answer).toHaveLength(4096);
  });

  it("causes a failed attempt if its headers never end, if it hangs up, or if it does not exist", async () => {
    const { reach } = await serve((_request, response) => response.writeHead(200, { a: "x".repeat(20_000) }).end());
    expect(await outcome(reach)).toEqual({ error: "the response headers are too long" });
    await site!.close();
    const rude = await serve((request) => request.socket.destroy());
    expect(await outcome(rude.reach)).toEqual({ error: "the connection was reset" });
    const { reach: gone } = rude;
    await site!.close();
    expect(await outcome(gone)).toEqual({ error: "the connection was refused" });
    const resolve = () => Promise.reject(Object.assign(new Error("x"), { code: "ENOTFOUND" }));
    expect(await outcome({ resolve })).toEqual({ error: "the host has no address" });
  });

  it("can send Retry-After as seconds or as a date", async () => {
    const answers = ["7", new Date(Date.now() + 60_000).toUTCString(), "soon"];
    const { reach } = await serve((_request, response) =>
      response.writeHead(503, { "retry-after": answers.shift()! }).end(),
    );
    expect(await outcome(reach)).toEqual({ status: 503, retry_after_seconds: 7 });
    expect((await outcome(reach)).retry_after_seconds).toBeGreaterThan(30);
    expect(await outcome(reach)).toEqual({ status: 503 });
  });

  it("is not blamed for an aborted attempt, which throws", async () => {
    const { reach } = await serve(() => undefined);
    const abort = new AbortController();
    const tried = sendEvent(sending(), reach, abort.signal);
    abort.abort(new Error("revoked"));
    await expect(tried).rejects.toThrow("revoked");
  });
});
