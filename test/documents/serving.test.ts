// W-04: the command blocks in the docs that start a server or need a database work with the test's home, port and
// database.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { shellWords } from "../../src/surfaces/cli/shell-words.fixture.ts";
import { newHome } from "../harness.ts";
import { ok, pdpp, type Run, type Serving, serve } from "../pdpp.ts";
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

it("W-04 the docs have blocks that serve over TLS, with metrics and on PostgreSQL, and that move and back up a database", () => {
  const pages = ["install", "moving", "moving", "operating", "scaling", "scaling"];
  expect(blocks.map(({ path }) => path)).toEqual(pages.map((name) => `docs/run/${name}.md`));
});

it.each(blocks)("W-04 $at", async ({ texts }) => {
  const folder = newHome();
  const home = join(folder, "home");
  const contacts = join(folder, "contacts.vcf");
  writeFileSync(contacts, "BEGIN:VCARD\nVERSION:3.0\nFN:Ann Field\nEMAIL:ann@field.example\nEND:VCARD\n");
  mkdirSync(join(folder, "backups"));
  const whole = texts.join("\n");
  const databases: Awaited<ReturnType<typeof emptyDatabase>>[] = [];
  const newDatabase = async (): Promise<string> => databases[databases.push(await emptyDatabase()) - 1]!.url;
  const servers: Serving[] = [];
  try {
    let database = /DATABASE_URL|postgres:|pdpp owners/.test(whole) ? await newDatabase() : undefined;
    /** The words of a command with the files and addresses of this test instead of the reader's. */
    const given = (word: string): string =>
      (GIVEN[word] ?? word)
        .replace("$TOKEN", "a-token-of-the-test")
        .replace("postgres://pdpp@db.example/pdpp", database ?? "")
        .replace(/^(?:~|\/srv)\//, `${folder}/`);
    const run = (args: readonly string[], env: Record<string, string> = {}): Promise<Run> =>
      ok(pdpp(args.includes("--home") ? args : [...args, "--home", home], { env }));
    // Imports contacts, so that there is an owner to move or back up.
    if (whole.includes("pdpp move")) await run(["import", contacts, "--yes", "--home", given("~/.postern")]);
    if (whole.includes("pdpp backup")) await run(["import", contacts, "--yes"], { DATABASE_URL: database! });
    for (const text of texts) {
      // A database in which the owner already exists refuses a restore.
      if (text.includes("pdpp restore")) database = await newDatabase();
      const words = shellWords(text.replace(/\s#.*$/, "").trim()).map(given);
      const at = words.indexOf("pdpp");
      // This line only sets the address of a database or bucket, which the reader replaces.
      if (at === -1) continue;
      const set = words.slice(0, at).map((word) => [word.split("=", 1)[0]!, word.slice(word.indexOf("=") + 1)]);
      // There is no load balancer, so the server does not have to wait before it stops.
      const env = { ...(database && { DATABASE_URL: database }), ...Object.fromEntries(set), PDPP_DRAIN_SECONDS: "0" };
      const [name, ...args] = words.slice(at + 1);
      if (name === "serve") servers.push(await serve(home, args, env));
      else await run([name!, ...args], env);
    }
    const protocols = whole.includes("pdpp serve") ? [whole.includes("--tls-cert") ? "https:" : "http:"] : [];
    expect(servers.map(({ url }) => new URL(url).protocol)).toEqual(protocols);
  } finally {
    await Promise.all(servers.map((server) => server.stop("SIGTERM", "SIGTERM")));
    for (const each of databases) await each.drop();
    rmSync(folder, { recursive: true, force: true });
  }
});
