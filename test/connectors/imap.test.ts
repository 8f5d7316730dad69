// P-05: the IMAP connector under the runner, with a mail server on loopback: records in the store, cursors, refusals
// and secrets.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectorAt } from "../../src/collect/connectors/manifest-file.ts";
import { ConnectorRunner } from "../../src/collect/connectors/runner.ts";
import { type MailServer, startMailServer } from "../../src/connectors/imap/mail-server.fixture.ts";
import { mail, settingsOf } from "../../src/connectors/imap/mailbox.fixture.ts";
import { openHome } from "../../src/engine/home.ts";
import type { EngineHost } from "../../src/engine/host.ts";
import { HOME_OWNER, type Loose } from "../harness.ts";
import { ok, pdpp } from "../pdpp.ts";
import { stored } from "./hostile-connector.ts";

const folder = mkdtempSync(join(tmpdir(), "pdpp-imap-"));
const home = join(folder, "home");
let server: MailServer;
let host: EngineHost;
let runner: ConnectorRunner;

beforeAll(async () => {
  server = await startMailServer({ plugins: ["ENABLE", "CONDSTORE", "UIDPLUS"] });
  for (let number = 0; number < 300; number++)
    server.append(number % 3 === 0 ? "Archive" : "INBOX", mail(`${number}@example.com`), ["\\Seen"]);
  server.append("Archive", mail("1@example.com"), ["\\Seen"]);
  host = openHome(home, { create: true, note: () => undefined });
  runner = new ConnectorRunner({ home, host, log: () => undefined });
});
afterAll(async () => {
  await runner.close();
  await host.close();
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

const ask = async (method: Parameters<EngineHost["call"]>[0], query: object): Promise<Loose> =>
  await host.call(method, query as never, HOME_OWNER);

async function add(secrets: Record<string, string>): Promise<string> {
  const { place, manifest } = await connectorAt("built-in/imap");
  return (await ask("putSetup", { place, manifest, settings: settingsOf(server), secrets })).connection_id;
}

async function ran(connectionId: string, mode?: "full_refresh"): Promise<Loose> {
  const { run_id } = await runner.run(connectionId, mode === undefined ? {} : { mode });
  return ask("collectRun", { id: run_id });
}

describe("P-05 the IMAP connector", () => {
  it("imports all mail, then keeps the connection up to date", async () => {
    const connectionId = await add({ password: "testpass" });
    const first = await ran(connectionId);
    expect(first).toMatchObject({
      status: "succeeded",
      counts: { received: 300, created: 300, rejected: 0 },
      states: ["messages"],
    });
    const records = await stored(host, connectionId, "messages");
    expect(records).toHaveLength(300);
    expect(records.find(({ data }) => data.message_id === "1@example.com").data.labels).toEqual(["INBOX", "Archive"]);

    expect((await ran(connectionId)).counts).toMatchObject({ received: 0 });

    server.append("INBOX", mail("new@example.com"));
    server.setFlags("INBOX", "2@example.com", ["\\Flagged"]);
    server.move("INBOX", "Archive", "4@example.com");
    server.remove("INBOX", "5@example.com");
    server.renumber("Archive");
    const later = await ran(connectionId);
    expect(later.counts).toMatchObject({ received: 4, created: 1, changed: 2, deleted: 1, rejected: 0 });
    expect(await stored(host, connectionId, "messages")).toHaveLength(300);

    const again = await ran(connectionId, "full_refresh");
    expect(again.counts).toMatchObject({ received: 300, created: 0, changed: 0, unchanged: 300 });
  });

  it("says why a login failed, and stores none of the credentials", async () => {
    const connectionId = await add({ password: "not-the-one-42" });
    const run = await ran(connectionId);
    expect(run).toMatchObject({ status: "failed", error: { code: "connector_failed" }, states: [] });
    expect(run.error.message).toMatch(/did not accept the user name or the password/);
    const log = await ask("collectLog", { id: run.run_id });
    expect(JSON.stringify([run, log])).not.toContain("not-the-one-42");
  });

  it("can be added and run from the command line", async () => {
    const own = join(folder, "cli");
    const password = join(folder, "password");
    writeFileSync(password, "testpass\n");
    const set = Object.entries(settingsOf(server)).flatMap(([name, value]) => ["--set", `${name}=${String(value)}`]);
    const at = ["--home", own, "--json"];
    const secret = ["--secret-file", `password=${password}`];
    const added = await ok(pdpp(["connectors", "add", "imap", ...set, ...secret, "--yes", ...at]));
    expect(added.json).toMatchObject({ object: "connector_setup", connector_key: "imap", place: "built-in/imap" });
    const run = await ok(pdpp(["connectors", "run", "imap", ...at]));
    expect(run.json).toMatchObject({ status: "succeeded", counts: { created: 300, rejected: 0 } });
    const found = await ok(pdpp(["search", "hello", "--limit", "1", ...at]));
    expect(found.stdout).toContain("@example.com");
  });
});
