// F-06 P-09: pdpp events, for the owner on a home and for an app over --server.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Receiver, startReceiver, until, verified } from "./events/receiver.ts";
import { type Loose, ndjson } from "./harness.ts";
import { BOOKS, book, library } from "./library.ts";
import { ok, pdpp, type Run, type Serving, serve } from "./pdpp.ts";

const folder = mkdtempSync(join(tmpdir(), "pdpp-events-"));
const home = join(folder, "home");
let server: Serving;
let receiver: Receiver;
let connection = "";
let grant: Loose;

const local = (args: readonly string[]): Promise<Run> => pdpp(["events", ...args, "--home", home]);
const app = (): string => grant.grants[0].client.client_id;
const client = (args: readonly string[]): Promise<Run> =>
  pdpp(["events", ...args, "--server", server.url], { env: { PDPP_ACCESS_TOKEN: grant.access_token } });

beforeAll(async () => {
  const declaration = join(folder, "library.json");
  writeFileSync(declaration, JSON.stringify(library));
  const made = await pdpp(["ingest", "books", "--declaration", declaration, "--json", "--home", home], {
    input: ndjson(BOOKS),
  });
  connection = made.json.connection_id;
  grant = (
    await pdpp(["grants", "issue", "--connection", connection, "--client-name", "notebook", "--json", "--home", home])
  ).json;
  receiver = await startReceiver();
});
afterAll(async () => {
  await server?.stop();
  await receiver.close();
  rmSync(folder, { recursive: true, force: true });
});

describe("F-06 P-09 pdpp events", () => {
  it("F-06 P-09 creates subscriptions on a home without a server, and reports when an action needs a server", async () => {
    expect((await ok(local([]))).stdout).toContain("No subscriptions yet.");
    expect((await ok(local(["hosts"]))).stdout).toContain("No private address is allowed");
    const refused = await local(["create", receiver.url, "--grant", grant.grant_id]);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining(`pdpp events allow ${receiver.host}`)]);
    expect((await local(["allow", receiver.host])).stderr).toContain("--app CLIENT");
    expect((await local(["allow", "127.0.0.1", "--app", app()])).stderr).toContain("HOST:PORT");
    expect((await local(["allow", receiver.host, "--app", "cli_none"])).code).toBe(5);
    expect((await ok(local(["allow", receiver.host, "--app", app()]))).stdout).toContain(receiver.host);
    expect((await ok(local(["hosts", "--json"]))).json.data).toMatchObject([
      { host: receiver.host, client_id: app(), client_name: "notebook" },
    ]);
    const made = await ok(local(["create", receiver.url, "--grant", grant.grant_id, "--stream", "books"]));
    expect(made.stdout).toMatch(/^sub_\S+\nwhsec_\S+\n$/);
    expect(made.stderr).toContain("No server is running on this home");
    const [id] = made.stdout.split("\n");
    const tested = await local(["test", id!]);
    expect([tested.code, tested.stderr]).toEqual([
      1,
      expect.stringMatching(/no server is running on this home[\s\S]*pdpp serve/),
    ]);
    expect(receiver.deliveries).toEqual([]);
    expect((await local(["delete", id!])).code).toBe(4);
    expect((await ok(local(["delete", id!, "--yes"]))).stdout).toContain("Its waiting events will not be sent");
    for (const args of [["show"], ["nothing"], ["replay", "sub_1"], ["create"], ["list", "x", "y"]])
      expect((await local(args)).code, args.join(" ")).toBe(2);
    expect((await local(["show", "sub_none"])).code).toBe(5);
    expect((await ok(local(["capabilities", "--json"]))).json.object).toBe("event_capabilities");
  });

  it("F-06 P-09 lets an app create, show, test, rotate, log, replay, pause, resume and delete subscriptions over --server", async () => {
    server = await serve(home);
    const made = await ok(client(["create", receiver.url, "--json"]));
    const { subscription_id: id, secret } = made.json;
    await until(async () => (await client(["show", id, "--json"])).json.status === "active");
    const shown = await ok(client(["show", id]));
    expect(shown.stdout).toMatch(/status {6}active[\s\S]*app {9}notebook/);
    expect((await ok(client([]))).stdout).toMatch(new RegExp(`^${id} +active +notebook +${receiver.url}`, "m"));
    const tested = await ok(client(["test", id]));
    expect(tested.stdout).toMatch(/^evt_\S+: delivered$/m);
    await ok(pdpp(["ingest", "books", "--connection", connection, "--home", home], { input: ndjson([book("new")]) }));
    const event = await until(() => receiver.events.find(({ type }) => type === "dev.pdpp.stream.changed"));
    expect(verified(secret, receiver.deliveries.find(({ event: { id: one } }) => one === event.id)!)).toEqual(event);
    const rotated = await ok(client(["rotate", id]));
    expect(rotated.stdout).toMatch(/^whsec_\S+\n$/);
    await until(async () => (await client(["log", id, "--json"])).json.data[0].status === "delivered");
    const log = await ok(client(["log", id]));
    expect(log.stdout).toMatch(new RegExp(`^${event.id} +\\S+ +stream.changed +books +delivered *$`, "m"));
    const replayed = await ok(client(["replay", id, "--event", event.id]));
    expect(replayed.stdout).toContain(event.id);
    await until(() => receiver.events.filter((one) => one.id === event.id).length === 2);
    expect((await ok(client(["pause", id]))).stdout).toBe(`${id} is paused.\n`);
    expect((await client(["test", id])).code).toBe(2);
    expect((await ok(client(["resume", id]))).stdout).toBe(`${id} is active.\n`);
    expect((await ok(client(["verify", id]))).stdout).toContain("delivered");
    // The owner sees the subscription on the home, and only the owner can allow hosts.
    expect((await ok(local(["show", id, "--json"]))).json).toMatchObject({ client_name: "notebook", status: "active" });
    expect((await client(["allow", receiver.host, "--app", app()])).code).toBe(3);
    expect((await ok(client(["delete", id, "--yes", "--json"]))).json).toEqual({ deleted: id });
    expect((await ok(client(["capabilities"]))).stdout).toContain("webhook-signature");
  });

  it("F-06 P-09 alongside the server, reports failures to the owner with exit code 1", async () => {
    const made = await ok(local(["create", receiver.url, "--grant", grant.grant_id, "--json"]));
    const { subscription_id: id } = made.json;
    await until(async () => (await local(["show", id, "--json"])).json.status === "active");
    receiver.answer = (_delivery, response) => void response.writeHead(302, { location: "/" }).end();
    const tested = await local(["test", id]);
    expect([tested.code, tested.stdout]).toEqual([
      1,
      expect.stringContaining("it redirects (302), and redirects are not followed"),
    ]);
    expect((await ok(local(["log", id, "--status", "failed"]))).stdout).toContain("given up");
    expect((await ok(local(["disallow", receiver.host, "--app", app()]))).stdout).toContain("no longer allowed");
    expect((await local(["disallow", receiver.host, "--app", app()])).code).toBe(5);
  });
});
