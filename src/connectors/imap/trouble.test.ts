// Problems with mail servers and messages are reported plainly, survived if possible, and never reveal a secret.
import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { type DriveResult, drive, newKept, ofType } from "./drive.fixture.ts";
import { type MailServer, type MailServerOptions, startMailServer } from "./mail-server.fixture.ts";
import { mail, settingsOf } from "./mailbox.fixture.ts";

const certificate = (name: string): string =>
  readFileSync(new URL(`../../../test/certificates/${name}`, import.meta.url), "utf8");

let server: MailServer;
afterEach(() => server.close());

async function begin(options: MailServerOptions, messages = 20): Promise<void> {
  server = await startMailServer(options);
  for (let number = 0; number < messages; number++) server.append("INBOX", mail(`m${number}@example.com`));
}

const keysIn = (run: DriveResult): unknown[] => ofType(run, "RECORD").map(({ key }) => key);
const reasonOf = ({ done }: DriveResult): string | undefined => done?.error?.message;

describe("P-05 IMAP: a login", () => {
  it("that is refused ends the run with a reason after one more attempt, and never reveals the password", async () => {
    await begin({});
    const run = await drive({ settings: settingsOf(server), secret: { password: "hunter2-wrong" }, asProcess: true });
    expect(run).toMatchObject({ code: 0, stderr: "", done: { status: "failed", records_emitted: 0 } });
    expect(reasonOf(run)).toMatch(/127\.0\.0\.1 did not accept the user name or the password.*app password/);
    expect(ofType(run, "INTERACTION").map(({ request_id }) => request_id)).toEqual([
      "credentials",
      "credentials-again",
    ]);
    expect(JSON.stringify(run.said)).not.toContain("hunter2");
    expect(ofType(run, "STATE")).toEqual([]);
  });

  it("without a password ends the run", async () => {
    await begin({});
    const run = await drive({ settings: settingsOf(server), secret: {} });
    expect(reasonOf(run)).toBe("no password was given for testuser at 127.0.0.1");
  });

  it("works with an access token", async () => {
    await begin({ plugins: ["SASL-IR", "XOAUTH2"] });
    const settings = settingsOf(server, { login: "xoauth2" });
    expect((await drive({ settings, secret: { access_token: "testtoken" } })).done?.status).toBe("succeeded");
    const run = await drive({ settings, secret: { access_token: "stale-token-value" } });
    expect(run.done?.status).toBe("failed");
    expect(JSON.stringify(run.said)).not.toContain("stale-token-value");
  });
});

describe("P-05 IMAP: a connection", () => {
  it("that breaks is reopened, and no message is lost or duplicated", async () => {
    await begin({ plugins: ["ENABLE", "CONDSTORE"] }, 60);
    // Break once in the middle of the headers, then in the middle of the messages.
    Object.assign(server.drop, { after: 100, times: 2 });
    const kept = newKept();
    const run = await drive({ settings: settingsOf(server), kept });
    expect(run.done).toMatchObject({ status: "succeeded", records_emitted: 60 });
    expect(new Set(keysIn(run)).size).toBe(60);
    expect(server.drop.times).toBe(0);
    expect(keysIn(await drive({ settings: settingsOf(server), kept }))).toEqual([]);
  });

  it("that breaks every time ends the run, and keeps what was read so far", async () => {
    await begin({});
    Object.assign(server.drop, { after: 3, times: 1000 });
    const run = await drive({ settings: settingsOf(server) });
    expect(run.done?.status).toBe("failed");
    expect(ofType(run, "PROGRESS").filter(({ message }) => /trying again in \d s/.test(String(message)))).toHaveLength(
      3,
    );
  });

  it("to a slow server may take as long as it needs", async () => {
    await begin({});
    server.slow(400);
    expect((await drive({ settings: settingsOf(server) })).done).toMatchObject({ records_emitted: 20 });
  });

  it("to a host that does not respond is reported", async () => {
    await begin({});
    const free = createServer();
    await new Promise<void>((done) => free.listen(0, "127.0.0.1", done));
    const { port } = free.address() as { port: number };
    await new Promise((done) => free.close(done));
    expect(reasonOf(await drive({ settings: settingsOf(server, { port }) }))).toBe(
      `nothing responds at 127.0.0.1:${port}`,
    );
  });

  it.each(["tls", "starttls"])("over %s is made only with a trusted certificate", async (security) => {
    const credentials = { key: certificate("localhost.key.pem"), cert: certificate("localhost.pem") };
    const options = security === "tls" ? { secureConnection: true, credentials } : { credentials };
    await begin({ plugins: ["STARTTLS"], options });
    const settings = settingsOf(server, { security, host: "localhost" });
    const run = await drive({ settings });
    expect(reasonOf(run)).toMatch(/^the certificate of localhost is not trusted: /);
    const trusted = await drive({ settings: { ...settings, ca_certificate: certificate("localhost.pem") } });
    expect(trusted.done).toMatchObject({ status: "succeeded", records_emitted: 20 });
  });

  it("without TLS is not used if TLS was required", async () => {
    await begin({});
    const plain = await drive({ settings: settingsOf(server, { security: "starttls" }) });
    expect(reasonOf(plain)).toMatch(/STARTTLS/);
    const wrong = await drive({ settings: settingsOf(server, { security: "tls" }) });
    expect(reasonOf(wrong)).toMatch(/does not speak TLS from the first byte: try setting security to starttls/);
  });

  it("ends at once if the run is stopped, and the run is reported as cancelled", async () => {
    await begin({}, 300);
    server.slow(200);
    const kept = newKept();
    const run = await drive({ settings: settingsOf(server), kept, killAfter: { lines: 4, signal: "SIGTERM" } });
    expect(run).toMatchObject({ code: 0, done: { status: "cancelled" } });
    expect(run.done?.records_emitted).toBe(ofType(run, "RECORD").length);
    expect(kept.state).toBeNull();
  });
});

describe("P-05 IMAP: a message", () => {
  it("that cannot be read does not affect the others", async () => {
    await begin({}, 3);
    const depth = 60;
    const opened = Array.from(
      { length: depth },
      (_, level) => `--b${level}\r\nContent-Type: multipart/mixed; boundary="b${level + 1}"\r\n\r\n`,
    );
    const extra = ['Content-Type: multipart/mixed; boundary="b0"'];
    server.append("INBOX", mail("deep@example.com", { extra, body: opened.join("") }));
    server.append("INBOX", mail("after@example.com"));
    const kept = newKept();
    const run = await drive({ settings: settingsOf(server), kept });
    expect(run.done).toMatchObject({ status: "succeeded", records_emitted: 4 });
    expect(ofType(run, "SKIP_RESULT")).toMatchObject([
      { key: "deep@example.com", reason: expect.stringMatching(/^INBOX, message 4: this message cannot be read: /) },
    ]);
    expect(ofType(await drive({ settings: settingsOf(server), kept }), "SKIP_RESULT")).toEqual([]);
  });

  it("that is too large is imported with its headers only", async () => {
    await begin({}, 2);
    server.claimSize("INBOX", "m1@example.com", 50 * 1024 * 1024);
    const kept = newKept();
    const run = await drive({ settings: settingsOf(server), kept });
    expect(run.done).toMatchObject({ records_emitted: 2 });
    expect(kept.records.get("m1@example.com")).toMatchObject({
      subject: "About m1@example.com",
      body: "",
      body_cut: true,
      size_bytes: 52428800,
    });
    expect(ofType(run, "SKIP_RESULT")).toMatchObject([{ reason: expect.stringContaining("its text was not") }]);
    expect(server.said.filter((line) => line.includes("BODY.PEEK[]"))).toEqual([expect.stringContaining("FETCH 1 ")]);
  });

  it.each([
    ["in undeclared Latin-1", "Subject: Caf\xe9", "Gr\xfc\xdfe", "Café", "Grüße"],
    ["in UTF-8 headers", "Subject: Caf\xc3\xa9", "ok", "Café", "ok"],
    ["with a NUL in it", "Subject: a\0b", "x\0y", "ab", "xy"],
  ])("%s can be read", async (_, subject, body, readSubject, readBody) => {
    await begin({}, 0);
    server.append("INBOX", `Message-ID: <odd@example.com>\r\n${subject}\r\n\r\n${body}\r\n`);
    const kept = newKept();
    await drive({ settings: settingsOf(server), kept });
    expect(kept.records.get("odd@example.com")).toMatchObject({
      subject: readSubject,
      body: readBody,
      sent_at: "2024-03-01T10:00:00Z",
    });
  });
});

describe("P-05 IMAP: the settings", () => {
  it.each([
    [{ host: "" }, "the setting host is missing"],
    [
      { host: "imap.example.com", security: "none" },
      "with security set to none, the password would be sent unencrypted to imap.example.com",
    ],
    [{ host: "https://imap.example.com" }, "host must be the name of a mail server"],
    [{ security: "ssl" }, "security must be tls, starttls or none"],
    [{ port: 99999 }, "port must be a number from 1 to 65535"],
    [{ since: "last year" }, "since must be a date in the form YYYY-MM-DD"],
    [{ user: undefined }, "the setting user is missing"],
    [{ folders: "Nowhere, Neither" }, "none of the folders Nowhere, Neither is in this mailbox"],
  ])("%o are refused", async (wrong, reason) => {
    await begin({}, 0);
    const run = await drive({ settings: settingsOf(server, wrong as Record<string, string>) });
    expect(run.done).toMatchObject({ status: "failed", error: { message: expect.stringContaining(reason) } });
  });
});
