// C-01, SECURITY row 9: an app that refreshes concurrently at two servers of one owner gets the same next token from
// both.
import { afterAll, beforeAll, expect, test } from "vitest";
import { type RunningServer, startServer } from "../../src/main.ts";
import { newSetupLink } from "../../src/surfaces/web/sign-in.ts";
import { type Wire, wireTo } from "../clients/wire.ts";
import { clientOf, HOME_OWNER, type Loose, newHome } from "../harness.ts";
import { BOOKS, library } from "../library.ts";
import { ownerBrowser, setUp } from "../oauth/owner-browser.ts";
import { connected, discover, refresh, refusal, type World } from "../oauth/world.ts";
import { testOwner } from "../postgres.ts";

const servers: RunningServer[] = [];
let wire: Wire;
let world: Pick<World, "as" | "browser">;
let reads: (token: string) => Promise<number>;

beforeAll(async () => {
  const { url, subject, close } = await testOwner();
  await close();
  const home = newHome();
  const ports: number[] = [];
  let asked = 0;
  // Both servers share one address, as with a load balancer, and requests alternate between them.
  wire = await wireTo(
    () => ports[asked++ % ports.length]!,
    (answer) => answer,
  );
  const origin = `http://127.0.0.1:${wire.port}`;
  for (let n = 0; n < 2; n++) {
    const database = { url: `${url}?server=${n}`, subject };
    const server = await startServer({ home, database, port: 0, publicUrl: origin, log: () => undefined });
    servers.push(server);
    ports.push(Number(new URL(server.url).port));
  }
  const [{ host }] = servers as [RunningServer];
  const { access_token } = await host.call("issueOwnerToken", {}, HOME_OWNER);
  const owner = clientOf(origin, access_token);
  await owner.register("library", library);
  await owner.ingest("books", await owner.connect("library", "Shelf"), BOOKS);
  const browser = ownerBrowser(origin);
  await setUp(browser, await newSetupLink(host, origin));
  world = { browser, as: await discover(origin) };
  reads = async (token) => (await owner.get("/v1/schema", { token })).status;
});
afterAll(async () => {
  await wire.close();
  await Promise.all(servers.map((server) => server.close()));
});

test("C-01 concurrent refreshes at two servers return one next token; reusing the first token after that revokes the grant", async () => {
  const { client, tokens } = await connected(world);
  const won = await Promise.all(Array.from({ length: 10 }, () => refresh(world, client, tokens.refresh_token)));
  expect(new Set(won.map(({ refresh_token }: Loose) => refresh_token)).size).toBe(1);
  for (const { access_token } of won) expect(await reads(access_token)).toBe(200);
  const next = await refresh(world, client, won[0]!.refresh_token);
  expect(await reads(next.access_token)).toBe(200);
  expect(await refusal(refresh(world, client, tokens.refresh_token))).toBe("invalid_grant");
  expect(await reads(next.access_token)).toBe(403);
});
