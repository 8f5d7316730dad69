// L-05, L-07: pdpp export writes the same files from a home and from a server, and writes them completely or not at
// all.
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { parquetReadObjects } from "hyparquet";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Loose, newHome, type TestServer, testServer } from "./harness.ts";
import { book, library } from "./library.ts";
import { pdpp, printed } from "./pdpp.ts";

const folder = mkdtempSync(join(tmpdir(), "pdpp-cli-export-"));
const home = newHome();
let server: TestServer;
let connection: string;
beforeAll(async () => {
  server = await testServer({ home });
  await server.register("library", library);
  connection = await server.connect("library", "Shelf");
  const books = Array.from({ length: 1200 }, (_, n) => book(`b${n}`, { title: `Title ${n}`, pages: n, secret: "s" }));
  await server.ingest("books", connection, books);
});
afterAll(async () => {
  await server.close();
  for (const path of [folder, home]) rmSync(path, { recursive: true, force: true });
});

const place = () => [
  ["a home", ["--home", home]],
  ["a server", ["--server", server.url, "--token", server.owner]],
];
const out = (name: string): string => join(folder, name);
const lines = (text: string): Loose[] =>
  text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));

describe("L-07 pdpp export", () => {
  it("L-07 returns the same bytes as REST, on a home and on a server", async () => {
    for (const format of ["jsonl", "csv", "parquet"]) {
      const search = `stream=books&connection_id=${connection}&filter[pages][gte]=1000&sort=-pages&format=${format}`;
      const response = await fetch(`${server.url}/v1/export?${search}`, {
        headers: { Authorization: `Bearer ${server.owner}` },
      });
      const expected = Buffer.from(await response.arrayBuffer());
      for (const [where, options] of place() as [string, string[]][]) {
        const path = out(`${format}-${where.replace(" ", "")}`);
        const filter = ["--filter", "pages>=1000", "--sort", "-pages", "--format", format];
        const run = await pdpp(["export", "books", ...filter, "--output", path, "--json", ...options]);
        expect([where, run.code, run.stderr]).toEqual([where, 0, ""]);
        expect(readFileSync(path).equals(expected), `${format} on ${where}`).toBe(true);
        expect(run.json).toMatchObject({
          object: "export_file",
          path,
          format,
          bytes: expected.length,
          sha256: createHash("sha256").update(expected).digest("hex"),
        });
        expect(statSync(path).mode & 0o777).toBe(0o600);
      }
    }
    expect(readdirSync(folder).filter((name) => name.endsWith(".part"))).toEqual([]);
    const file = readFileSync(out("parquet-ahome"));
    expect(
      await parquetReadObjects({ file: file.buffer.slice(file.byteOffset, file.byteOffset + file.length) }),
    ).toHaveLength(200);
  });

  it("L-05 writes only the export to standard output", async () => {
    for (const [, options] of place() as [string, string[]][]) {
      const run = await pdpp(["export", "books", "--fields", "title", ...options]);
      expect([run.code, run.stderr, lines(run.stdout).length]).toEqual([0, "", 1200]);
    }
  });

  it("L-02 accepts the handle for which `fetch` suggests this command", async () => {
    const { body } = await server.get("/v1/export/info", {
      query: { stream: "books", connection_id: connection, "filter[pages]": 7 },
    });
    for (const [, options] of place() as [string, string[]][]) {
      const told = await pdpp(["fetch", body.handle, ...options]);
      expect(told.stdout).toContain("1 record of books");
      const next = printed(told, "Download it").map((word) =>
        word === "FILE" ? out("handle") : word === "TOKEN" ? server.owner : word,
      );
      expect((await pdpp([...next, "--yes"])).code).toBe(0);
      expect(lines(readFileSync(out("handle"), "utf8")).map(({ id }) => id)).toEqual(["b7"]);
      expect((await pdpp(["fetch", body.handle, "--json", ...options])).json.count).toEqual({
        kind: "exact",
        value: 1,
      });
    }
    const exact = body.cli.split(" ").slice(1);
    const run = await pdpp([...exact.map((word: string) => word.replaceAll("'", "")), "--home", home]);
    expect([run.code, lines(run.stdout).length]).toEqual([0, 1]);
  });

  it("L-06 reads under the grant", async () => {
    const { access_token: token } = await server.grant({
      selections: [{ connection_id: connection, stream: "books", fields: ["title"] }],
    });
    for (const where of [
      ["--home", home],
      ["--server", server.url],
    ]) {
      const run = await pdpp(["export", "books", "--format", "csv", "--token", token, ...where]);
      expect(run.stdout.split("\r\n")[0]).toBe("connection_id,stream,id,emitted_at,data.id,title,other_fields");
      expect((await pdpp(["export", "books", "--fields", "secret", "--token", token, ...where])).code).toBe(3);
    }
  });

  it.each<[string[], number]>([
    [["export"], 2],
    [["export", "a", "b"], 2],
    [["export", "books", "--format", "xlsx"], 2],
    [["export", "books", "--json"], 2],
    [["export", "books", "--job", "--output", "x"], 2],
    [["export", "books", "--filter", "nothing=1"], 2],
    [["export", "nowhere"], 5],
    [["export", "pdpp://export/AAAA"], 2],
  ])("L-14 %j exits with %i and advice", async (args, code) => {
    const run = await pdpp([...args, "--home", home]);
    expect([run.code, run.stdout]).toEqual([code, run.stdout]);
    expect(`${run.stdout}${run.stderr}`.length).toBeGreaterThan(40);
  });

  it("O-08 asks before it replaces a file, and replaces it with --yes", async () => {
    writeFileSync(out("asked"), "before");
    const words = ["export", "books", "--output", out("asked"), "--home", home];
    const refused = await pdpp(words);
    expect([refused.code, readFileSync(out("asked"), "utf8")]).toEqual([4, "before"]);
    expect(refused.stderr).toContain("Add --yes to replace it");
    expect((await pdpp([...words, "--yes"])).code).toBe(0);
    expect(readFileSync(out("asked"), "utf8")).not.toBe("before");
  });

  it("L-05 a refused export leaves the existing file unchanged", async () => {
    writeFileSync(out("kept"), "before");
    const run = await pdpp([
      "export",
      "books",
      "--filter",
      "nothing=1",
      "--output",
      out("kept"),
      "--yes",
      "--home",
      home,
    ]);
    expect([run.code, readFileSync(out("kept"), "utf8")]).toEqual([2, "before"]);
  });
});

describe("L-13 pdpp export --job", () => {
  it("L-13 lets the server create the file, downloads it and checks its digest", async () => {
    const options = ["--server", server.url, "--token", server.owner];
    const run = await pdpp([
      "export",
      "books",
      "--format",
      "csv",
      "--job",
      "--output",
      out("job.csv"),
      "--json",
      ...options,
    ]);
    expect(run.code).toBe(0);
    expect(run.json).toMatchObject({ records: 1200, format: "csv", export_id: expect.stringMatching(/^job_/) });
    expect(
      createHash("sha256")
        .update(readFileSync(out("job.csv")))
        .digest("hex"),
    ).toBe(run.json.sha256);
    expect(run.stderr).toContain(`--resume ${run.json.export_id}`);
  });

  it("L-13 resumes an earlier partial download, and does not use another export's partial file", async () => {
    const options = ["--server", server.url, "--token", server.owner];
    const first = await pdpp(["export", "books", "--job", "--output", out("first"), "--json", ...options]);
    const whole = readFileSync(out("first"));
    const id = first.json.export_id;
    const asked: string[] = [];
    const proxy = await forwarding(asked);
    const resume = ["export", "--resume", id, "--server", proxy.url, "--token", server.owner];
    writeFileSync(`${out("again")}.${id}.part`, whole.subarray(0, 5000));
    expect((await pdpp([...resume, "--output", out("again")])).code).toBe(0);
    expect(readFileSync(out("again")).equals(whole)).toBe(true);
    expect(asked.filter((range) => range !== "")).toEqual(["bytes=5000-"]);
    writeFileSync(`${out("other")}.${id}.part`, Buffer.alloc(5000, "x"));
    const other = await pdpp([...resume, "--output", out("other")]);
    expect([other.code, existsSync(out("other")), existsSync(`${out("other")}.${id}.part`)]).toEqual([1, false, false]);
    await proxy.close();
  });

  it("L-13 retries if the connection breaks", async () => {
    const asked: string[] = [];
    const proxy = await forwarding(asked, 20_000);
    const options = ["--server", proxy.url, "--token", server.owner];
    const run = await pdpp(["export", "books", "--job", "--output", out("broken"), "--json", ...options]);
    expect([run.code, run.stderr.split("\n").length]).toEqual([0, 2]);
    expect(asked.length).toBeGreaterThan(5);
    expect(lines(readFileSync(out("broken"), "utf8"))).toHaveLength(1200);
    await proxy.close();
  });

  it("L-05 an interrupted stream is an error, not a short file", async () => {
    const proxy = await forwarding([], 20_000);
    const run = await pdpp([
      "export",
      "books",
      "--output",
      out("short"),
      "--server",
      proxy.url,
      "--token",
      server.owner,
    ]);
    expect([run.code, existsSync(out("short"))]).toEqual([1, false]);
    expect(run.stderr).toContain("--job");
    await proxy.close();
  });
});

/** Forwards requests and records their ranges. Closes the connection after this many bytes of a file. */
async function forwarding(ranges: string[], cutAfter = Number.POSITIVE_INFINITY) {
  const own = new URL(server.url);
  const proxy: Server = createServer(async (request, response) => {
    const isFile = /\/(download|export\?)/.test(request.url!);
    if (request.url!.endsWith("/download")) ranges.push(request.headers.range ?? "");
    const body = request.method === "POST" ? await buffer(request) : undefined;
    const headers = new Headers(request.headers as Record<string, string>);
    headers.set("host", own.host);
    for (const name of ["connection", "transfer-encoding", "content-length", "keep-alive"]) headers.delete(name);
    const answer = await fetch(server.url + request.url, {
      method: request.method!,
      headers,
      body: body as Buffer<ArrayBuffer> | undefined,
    });
    response.writeHead(
      answer.status,
      Object.fromEntries(
        [...answer.headers].filter(([name]) => !/^(transfer-encoding|connection|keep-alive)$/.test(name)),
      ),
    );
    const bytes = Buffer.from(await answer.arrayBuffer());
    if (!isFile || bytes.length <= cutAfter) response.end(bytes);
    else response.write(bytes.subarray(0, cutAfter), () => setTimeout(() => response.destroy(), 20));
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    async close() {
      proxy.closeAllConnections();
      await new Promise((resolve) => proxy.close(resolve));
    },
  };
}
