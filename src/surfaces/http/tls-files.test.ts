// Tests that TLS uses the certificate and key from the files, and a renewed pair once both files have changed.
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TLSSocket } from "node:tls";
import { afterAll, describe, expect, it } from "vitest";
import { listen } from "./serve.ts";
import { readTlsFiles } from "./tls-files.ts";

const folder = mkdtempSync(join(tmpdir(), "pdpp-tls-"));
const files = { cert: join(folder, "cert.pem"), key: join(folder, "key.pem") };
const certificates = join(import.meta.dirname, "../../../test/certificates");
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function put(name: string, parts: ("cert" | "key")[]): void {
  if (parts.includes("key")) copyFileSync(join(certificates, `${name}.key.pem`), files.key);
  if (parts.includes("cert")) copyFileSync(join(certificates, `${name}.pem`), files.cert);
}

/** Returns the names in the server's certificate, and the response body. */
const ask = (port: number, ca?: Buffer): Promise<{ names: string; body: string }> =>
  new Promise((resolve, reject) => {
    request({ port, host: "localhost", ca, rejectUnauthorized: ca !== undefined, agent: false }, (response) => {
      const names = (response.socket as TLSSocket).getPeerCertificate().subjectaltname ?? "";
      let body = "";
      response.on("data", (piece) => (body += piece)).on("end", () => resolve({ names, body }));
    })
      .on("error", reject)
      .end();
  });

describe("O-03 TLS", () => {
  it("O-03 serves with the given certificate and key, and uses renewed ones without a restart", async () => {
    put("localhost", ["cert", "key"]);
    const said: string[] = [];
    const tls = { ...files, everyMs: 20, log: (text: string) => void said.push(text) };
    const server = await listen(() => new Response("hello"), 0, { tls });
    try {
      const trusted = readFileSync(join(certificates, "localhost.pem"));
      expect(await ask(server.port, trusted)).toEqual({
        names: expect.stringContaining("DNS:localhost"),
        body: "hello",
      });

      put("example-test", ["cert"]);
      await expect.poll(() => said.join()).toContain("the previous certificate stays in use");
      expect((await ask(server.port, trusted)).body).toBe("hello");

      put("example-test", ["key"]);
      await expect.poll(async () => (await ask(server.port)).names).toContain("app.example.test");
    } finally {
      await server.close();
    }
  });

  it("O-03 refuses files that do not match, and says which files are needed", () => {
    put("localhost", ["key"]);
    expect(() => readTlsFiles(files)).toThrow(/cannot be used for TLS/);
    writeFileSync(files.key, "no key");
    expect(() => readTlsFiles(files)).toThrow(/cannot be used for TLS/);
    expect(() => readTlsFiles({ ...files, key: join(folder, "missing.pem") })).toThrow(/no such file/);
  });
});
