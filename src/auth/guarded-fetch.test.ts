// The guarded fetch with a fake resolver and a real https server: what it refuses and what it returns.
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from "node:http";
import { afterEach, describe, expect, it } from "vitest";
import { type ClientSite, startClientSite } from "../../test/client-site.ts";
import { guardedFetch } from "./guarded-fetch.ts";

const DOCUMENT = { client_id: "https://app.example.test/client.json", client_name: "App" };

let site: ClientSite | undefined;
afterEach(async () => {
  await site?.close();
  site = undefined;
});

const serve = async (answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<ClientSite> => {
  site = await startClientSite(answer);
  return site;
};
const sendJson =
  (body: string | Buffer, headers: Record<string, string> = {}) =>
  (_: unknown, response: ServerResponse) =>
    response.writeHead(200, { "content-type": "application/json", ...headers }).end(body);

describe("SECURITY row 6: a document on a public host", () => {
  it("is fetched from the resolved address, with the host's name and certificate", async () => {
    const { reach, requests } = await serve(
      sendJson(JSON.stringify(DOCUMENT), { "cache-control": "max-age=60", "set-cookie": "a=b" }),
    );
    const answer = await guardedFetch(reach)("https://app.example.test/client.json?v=1");
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual(DOCUMENT);
    expect([...answer.headers.keys()].sort()).toEqual(["cache-control", "content-type"]);
    expect(requests.map(({ method, url, headers }) => [method, url, headers])).toEqual([
      [
        "GET",
        "/client.json?v=1",
        { host: "app.example.test", accept: "application/json", "accept-encoding": "identity", connection: "close" },
      ],
    ]);
  });

  it("may be exactly 5 KB, and any JSON content type is accepted", async () => {
    const { reach } = await serve(
      sendJson(Buffer.alloc(5 * 1024, " "), { "content-type": "application/jwk-set+json; charset=utf-8" }),
    );
    const answer = await guardedFetch(reach)("https://app.example.test/keys");
    expect((await answer.arrayBuffer()).byteLength).toBe(5 * 1024);
  });

  it("is requested without any of the caller's headers or cookies", async () => {
    const { reach, requests } = await serve(sendJson("{}"));
    const init: RequestInit = { headers: { authorization: "Bearer secret", cookie: "a=b" }, redirect: "follow" };
    await guardedFetch(reach)("https://app.example.test/", init);
    expect(JSON.stringify(requests[0]!.rawHeaders)).not.toMatch(/secret|cookie/i);
  });

  it("is returned without its body if the status is not 200", async () => {
    const { reach } = await serve((_, response) => response.writeHead(404, STATUS_CODES[404]).end("secret page"));
    const answer = await guardedFetch(reach)("https://app.example.test/");
    expect([answer.status, await answer.text()]).toEqual([404, ""]);
  });
});

describe("SECURITY row 6: refused before a connection is made", () => {
  const attempt = async (url: string, addresses: readonly string[] = ["93.184.215.14"]): Promise<string> => {
    const { reach, requests } = await serve(sendJson("{}"));
    const resolve = async () => addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
    const failed = await guardedFetch({ ...reach, resolve })(url).then(
      () => "fetched",
      (error: Error) => error.message,
    );
    expect(requests).toEqual([]);
    return failed;
  };

  it.each([
    ["loopback", ["127.0.0.1"]],
    ["RFC 1918", ["192.168.1.1"]],
    ["link-local, where clouds keep credentials", ["169.254.169.254"]],
    ["IPv6 loopback", ["::1"]],
    ["IPv4-mapped", ["::ffff:10.0.0.1"]],
    ["the second of two addresses is private", ["93.184.215.14", "10.0.0.1"]],
    ["the last of many addresses is private", ["93.184.215.14", "2606:4700::1111", "fd00::1"]],
    ["an answer that is not an IP address", ["localhost"]],
  ])("%s", async (_name, addresses) => {
    expect(await attempt("https://app.example.test/", addresses)).toMatch(/resolves to \S+, which is not public$/);
  });

  it.each([
    ["http://app.example.test/", "only https"],
    ["ftp://app.example.test/", "only https"],
    ["file:///etc/passwd", "only https"],
    ["data:application/json,{}", "only https"],
    ["https://app.example.test:8443/", "only port 443"],
    ["https://app.example.test:22/", "only port 443"],
    ["https://user:pass@app.example.test/", "credentials"],
    ["https://127.0.0.1/", "an IP address"],
    ["https://2130706433/", "an IP address"],
    ["https://0x7f.1/", "an IP address"],
    ["https://[::1]/", "an IP address"],
    ["https://[::ffff:7f00:1]/", "an IP address"],
    ["https://93.184.215.14/", "an IP address"],
    ["https://app.example.test./", "ends with a dot"],
    ["/client.json", "Invalid URL"],
    ["https://", "Invalid URL"],
  ])("%s", async (url, reason) => {
    expect(await attempt(url)).toContain(reason);
  });

  it("a host without an address, and a host that cannot be resolved", async () => {
    expect(await attempt("https://app.example.test/", [])).toContain("no address");
    const resolve = () => Promise.reject(new Error("ENOTFOUND"));
    await expect(guardedFetch({ resolve })("https://app.example.test/")).rejects.toThrow("ENOTFOUND");
  });

  it("localhost, as the system's own resolver resolves it", async () => {
    await expect(guardedFetch()("https://localhost/")).rejects.toThrow("not public");
  });

  it("a method other than GET", async () => {
    const { reach } = await serve(sendJson("{}"));
    await expect(guardedFetch(reach)("https://app.example.test/", { method: "POST" })).rejects.toThrow("only GET");
  });
});

describe("SECURITY row 6: DNS rebinding", () => {
  it("a name is resolved once, and the connection uses the address that was checked", async () => {
    const { reach } = await serve(sendJson("{}"));
    let asked = 0;
    const resolve = async () => [{ address: asked++ === 0 ? "93.184.215.14" : "127.0.0.1", family: 4 }];
    expect((await guardedFetch({ ...reach, resolve })("https://app.example.test/")).status).toBe(200);
    expect(asked).toBe(1);
    // The next fetch resolves again and gets the private address.
    await expect(guardedFetch({ ...reach, resolve })("https://app.example.test/")).rejects.toThrow("not public");
  });
});

describe("SECURITY row 6: refused after the connection", () => {
  const attempt = async (
    answer: (request: IncomingMessage, response: ServerResponse) => void,
    limits: { milliseconds?: number } = {},
  ): Promise<string> => {
    const { reach } = await serve(answer);
    const fetched = guardedFetch({ ...reach, ...limits })("https://app.example.test/");
    return fetched.then(
      () => "fetched",
      (error: Error) => error.message,
    );
  };

  it.each([301, 302, 303, 307, 308])("a redirect (%i) to a private address", async (status) => {
    const message = await attempt((_, response) =>
      response.writeHead(status, { location: "https://169.254.169.254/latest/meta-data" }).end(),
    );
    expect(message).toContain(`redirects (${status})`);
    expect(site!.requests).toHaveLength(1);
  });

  it.each(["text/html", "text/plain", "application/javascript", "application/jsonp", "text/json-not", ""])(
    "the content type %j",
    async (type) => {
      expect(await attempt(sendJson("{}", { "content-type": type }))).toContain("content type");
    },
  );

  it("a response without a content type", async () => {
    expect(await attempt((_, response) => response.end("{}"))).toContain("content type");
  });

  it("a compressed body, which may expand far beyond its length", async () => {
    expect(await attempt(sendJson("{}", { "content-encoding": "gzip" }))).toContain("encoded");
  });

  it("a body over 5 KB, with and without a Content-Length, in one chunk or endless", async () => {
    expect(await attempt(sendJson(Buffer.alloc(5 * 1024 + 1, " ")))).toContain("larger than 5120 bytes");
    const endless = (_: unknown, response: ServerResponse) => {
      response.writeHead(200, { "content-type": "application/json" });
      const more = () => response.destroyed || response.write(Buffer.alloc(1024, " "), more);
      more();
    };
    expect(await attempt(endless)).toContain("larger than 5120 bytes");
  });

  it("endless headers", async () => {
    expect(await attempt(sendJson("{}", { "x-long": "a".repeat(10_000) }))).toMatch(/header/i);
  });

  it("a server that never responds, one that sends its body slowly, and a resolver that hangs", async () => {
    expect(await attempt(() => {}, { milliseconds: 400 })).toContain("no response within 400 ms");
    const drip = (_: unknown, response: ServerResponse) => {
      response.writeHead(200, { "content-type": "application/json" });
      const timer = setInterval(() => response.write(" "), 20);
      response.on("close", () => clearInterval(timer));
    };
    expect(await attempt(drip, { milliseconds: 400 })).toContain("no response within 400 ms");
    const hung = guardedFetch({ resolve: () => new Promise(() => {}), milliseconds: 50 });
    await expect(hung("https://app.example.test/")).rejects.toThrow("no response within 50 ms");
  });

  it("a request that its caller aborted", async () => {
    const { reach, requests } = await serve(sendJson("{}"));
    const signal = AbortSignal.abort(new Error("gave up"));
    await expect(guardedFetch(reach)("https://app.example.test/", { signal })).rejects.toThrow("gave up");
    expect(requests).toEqual([]);
  });

  it("a certificate for another host, and a self-signed certificate", async () => {
    const { reach, requests } = await serve(sendJson("{}"));
    await expect(guardedFetch(reach)("https://evil.example.test/")).rejects.toThrow("altnames");
    await expect(guardedFetch({ ...reach, ca: undefined })("https://app.example.test/")).rejects.toThrow("self-signed");
    expect(requests).toEqual([]);
  });
});
