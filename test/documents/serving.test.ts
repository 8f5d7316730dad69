// W-04: the command blocks in the docs that start a server or need a database work with the test's home, port and
// database.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { shellWords } from "../../src/surfaces/cli/shell-words.fixture.ts";
import { newHome } from "../harness.ts";
import { ok, pdpp, type Serving, serve } from "../pdpp.ts";
import { emptyDatabase } from "../postgres.ts";
import { blocksOf, documentPaths, ROOT } from "./blocks.ts";

const blocks = documentPaths().flatMap((path) =>
  blocksOf(path)
    .filter(({ notRun }) => notRun?.includes("`test/documents/serving.test.ts`"))
    .map(({ line, commands }) => ({ at: `${path}:${line}`, path, texts: commands.map(({ text }) => text) })),
);

/** Files that the docs expect the reader to have. */
const GIVEN: Record<string, string> = {
  "fullchain.pem": join(ROOT, "test/certificates/example-test.pem"),
  "privkey.pem": join(ROOT, "test/certificates/example-test.key.pem"),
};

it("W-04 the docs have blocks that serve over TLS, with metrics and on PostgreSQL", () => {
  const paths = ["docs/run/install.md", "docs/run/operating.md", "docs/run/scaling.md", "docs/run/scaling.md"];
  expect(blocks.map(({ path }) => path)).toEqual(paths);
});

it.each(blocks)("W-04 $at", async ({ path, texts }) => {
  const home = newHome();
  const database = path === "docs/run/scaling.md" ? await emptyDatabase() : undefined;
  const env: Record<string, string> = { TOKEN: "a-token-of-the-test" };
  if (database !== undefined) env.DATABASE_URL = database.url;
  const servers: Serving[] = [];
  try {
    for (const text of texts) {
      const words = shellWords(text.replace(/\s#.*$/, "").trim()).map((word) => GIVEN[word] ?? word);
      const at = words.indexOf("pdpp");
      // This line only sets the address of a database or bucket, which the reader replaces.
      if (at === -1) continue;
      const given = words.slice(0, at).map((word) => word.replace("$TOKEN", env.TOKEN!).split("=") as [string, string]);
      // There is no load balancer, so the server does not have to wait before it stops.
      const all = { ...env, ...Object.fromEntries(given), PDPP_DRAIN_SECONDS: "0" };
      const [name, ...args] = words.slice(at + 1);
      if (name === "serve") servers.push(await serve(home, args, all));
      else await ok(pdpp([name!, ...args, "--home", home], { env: all }));
    }
    const isSecure = texts.join(" ").includes("--tls-cert");
    expect(servers.map(({ url }) => new URL(url).protocol)).toEqual([isSecure ? "https:" : "http:"]);
  } finally {
    await Promise.all(servers.map((server) => server.stop("SIGTERM", "SIGTERM")));
    await database?.drop();
    rmSync(home, { recursive: true, force: true });
  }
});
