// pdpp import as people and scripts run it: plans, progress, Ctrl-C, a watched folder, and a last line in a stable
// format.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Loose } from "./harness.ts";
import { pdpp } from "./pdpp.ts";

const BIN = fileURLToPath(new URL("../bin/pdpp.js", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "pdpp-cli-import-"));
const at = (name: string): string => join(folder, name);
const home = at("home");
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const bookmarks = (count: number, word = "Page"): string =>
  [
    "<!DOCTYPE NETSCAPE-Bookmark-file-1>",
    ...Array.from(
      { length: count },
      (_, n) => `<DT><A HREF="https://example.org/${n}" ADD_DATE="${1_700_000_000 + n}">${word} ${n}</A>`,
    ),
  ].join("\n");

const linesOf = (text: string): Loose[] =>
  text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));

function started(args: readonly string[]): {
  child: ChildProcess;
  said: () => string;
  until: (text: RegExp) => Promise<void>;
} {
  const child = spawn(process.execPath, [BIN, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  const waiting: (() => void)[] = [];
  for (const stream of [child.stdout!, child.stderr!]) {
    stream.on("data", (part: Buffer) => {
      said += part.toString();
      for (const look of waiting) look();
    });
  }
  return {
    child,
    said: () => said,
    until: (text) =>
      new Promise((resolve, reject) => {
        const look = (): void => void (text.test(said) && resolve());
        waiting.push(look);
        child.once("close", () => reject(new Error(`it ended: ${said}`)));
        look();
      }),
  };
}

describe("pdpp import", () => {
  beforeAll(() => {
    mkdirSync(at("downloads"));
    writeFileSync(at("downloads/bookmarks.html"), bookmarks(30));
    writeFileSync(at("downloads/notes.xyz"), "nothing we know");
  });

  test("P-05 --plan says what would be imported and skipped, and imports nothing", async () => {
    const plan = await pdpp(["import", at("downloads"), "--plan", "--home", home]);
    expect(plan.code).toBe(0);
    expect(plan.stdout).toMatch(/^browser bookmarks: downloads \(1 file, .*\) into “Bookmarks”$/m);
    expect(plan.stdout).toMatch(/^not imported: notes\.xyz: no importer supports this format$/m);
    expect((await pdpp(["import", "list", "--home", home, "--json"])).json.data).toEqual([]);
  });

  test("I-01 the plan estimates the number of records in each file, and the report lists files whose count differs", async () => {
    mkdirSync(at("estimated"));
    writeFileSync(at("estimated/as planned.html"), bookmarks(5));
    // A plan reads only the first two megabytes of a file.
    const gap = `<!-- ${"padding ".repeat(10_000)} -->\n`.repeat(27);
    writeFileSync(at("estimated/more behind.html"), `${bookmarks(10)}\n${gap}${bookmarks(40, "Later")}`);
    const own = ["--home", at("estimated-home")];
    const plan = await pdpp(["import", at("estimated"), "--plan", ...own]);
    expect(plan.stdout).toMatch(
      /^ {2}bookmarks: about 15 records\n {4}more behind.html: about 10\n {4}as planned.html: about 5$/m,
    );
    const { stdout } = await pdpp(["import", at("estimated"), ...own]);
    expect(stdout).toContain(
      "The plan estimated a different number of items. If items are missing, compare with the source:\n" +
        "    more behind.html: 10 estimated, 50 found\n",
    );
    expect(stdout).not.toMatch(/as planned.html: \d+ estimated/);
  });

  test("P-05 --json ends with one line that other tools can rely on", async () => {
    const run = await pdpp(["import", at("downloads"), "--home", home, "--json"]);
    expect(run.code).toBe(0);
    const lines = linesOf(run.stdout);
    expect(lines.slice(0, -1).every(({ object }) => object === "import_progress")).toBe(true);
    const last = lines.at(-1);
    expect(Object.keys(last)).toEqual([
      "imported",
      "unchanged",
      "changed",
      "skipped",
      "failed",
      "connections",
      "files",
    ]);
    expect(last).toMatchObject({
      imported: 30,
      unchanged: 0,
      changed: 0,
      skipped: 1,
      failed: 0,
      connections: [{ connector_key: "bookmarks", status: "succeeded", streams: { bookmarks: 30 } }],
      files: [
        { path: "bookmarks.html", imported: 30 },
        {
          path: "notes.xyz",
          imported: 0,
          skipped: 1,
          failed: 0,
          reasons: [{ reason: "no importer supports this format", count: 1, failed: false }],
        },
      ],
    });
  });

  test("P-05 list, show and undo", async () => {
    const again = await pdpp(["import", at("downloads/bookmarks.html"), "--home", home]);
    expect(again.stdout).toMatch(/succeeded: 0 records imported, 0 changed, 30 unchanged, 0 skipped, 0 failed/);
    const { data } = (await pdpp(["import", "list", "--home", home, "--json"])).json;
    expect(data.map((job: Loose) => job.progress.counts.imported)).toEqual([0, 30]);
    const id = data[1].import_id;
    expect((await pdpp(["import", "show", id, "--home", home])).stdout).toContain("30 records imported");
    expect((await pdpp(["import", "undo", id, "--home", home])).code).toBe(4);
    expect((await pdpp(["import", "undo", id, "--yes", "--home", home])).stdout).toBe("Removed 30 records.\n");
  });

  test("reports a path that does not exist", async () => {
    const run = await pdpp(["import", at("missing.zip"), "--home", home]);
    expect(run.code).toBe(5);
    expect(run.stderr).toContain("not imported: missing.zip: there is no such file\n");
    expect(run.stderr).toContain("pdpp import formats");
    const known = await pdpp(["import", "formats", "--home", home]);
    expect(known.stdout).toMatch(/^Bookmarks from any browser \(HTML\)\n {2}Your browser: /m);
  });

  test("P-05 an unreadable file counts as failed, not skipped, and the exit code reflects it", async () => {
    mkdirSync(at("broken"));
    writeFileSync(at("broken/bookmarks.html"), bookmarks(3));
    writeFileSync(at("broken/half.zip"), "PK\u0003\u0004 and then the download broke off");
    const run = await pdpp(["import", at("broken"), at("gone.mbox"), "--home", at("broken-home"), "--json"]);
    expect(run.code).toBe(7);
    const { imported, skipped, failed, files } = linesOf(run.stdout).at(-1) as Loose;
    expect([imported, skipped, failed]).toEqual([3, 0, 2]);
    expect(files.slice(1)).toMatchObject([
      {
        path: "half.zip",
        failed: 1,
        reasons: [{ reason: "it is incomplete, or not a zip archive; download it again", failed: true }],
      },
      { path: "gone.mbox", failed: 1, reasons: [{ reason: "there is no such file" }] },
    ]);
  });

  test("P-05 --json ends with the same line when nothing was recognised", async () => {
    writeFileSync(at("empty.mbox"), "");
    const run = await pdpp(["import", at("empty.mbox"), "--home", home, "--json"]);
    expect([run.code, run.json]).toMatchObject([
      5,
      { imported: 0, skipped: 1, failed: 0, connections: [], files: [{ path: "empty.mbox", skipped: 1 }] },
    ]);
  });

  test("list, show and undo with wrong arguments are not treated as paths", async () => {
    for (const words of [["undo"], ["show"], ["show", "a", "b"], ["list", "a"], ["formats", "a"]]) {
      const run = await pdpp(["import", ...words, "--home", home]);
      expect([words, run.code, run.stdout]).toEqual([words, 2, ""]);
      expect(run.stderr).toContain(`to import a file with that name, write ./${words[0]}`);
    }
  });

  test("P-05 files that need an answer are skipped, and their questions are shown; the rest are imported, and the exit code shows that files were skipped", async () => {
    mkdirSync(at("mixed"));
    writeFileSync(at("mixed/bookmarks.html"), bookmarks(3));
    // If no day is above 12, days and months cannot be told apart.
    writeFileSync(
      at("mixed/WhatsApp Chat with Ana.txt"),
      "01/02/2024, 09:15 - Ana: Hello\n01/02/2024, 09:16 - Ben: Hi\n",
    );
    const run = await pdpp(["import", at("mixed"), "--home", at("mixed-home"), "--json"]);
    expect(run.code).toBe(4);
    const last = linesOf(run.stdout).at(-1);
    expect(last).toMatchObject({ imported: 3, skipped: 1 });
    const told = last.files.at(-1).reasons[0].reason;
    expect(told).toMatch(
      /^a question needs an answer: Which date order .* Use --answers FILE with \{"whatsapp.date_order": "dmy"/,
    );
    const alone = ["import", at("mixed/WhatsApp Chat with Ana.txt"), "--home", at("mixed-home"), "--json"];
    const one = await pdpp(alone);
    expect([one.code, one.json]).toMatchObject([4, { imported: 0, skipped: 1, connections: [] }]);
    expect(one.json.files[0].reasons[0].reason).toContain('--answers FILE with {"date_order": "dmy" or "mdy"}.');
    writeFileSync(at("wrong.json"), '{"date_order": "ymd"}');
    const wrong = await pdpp([...alone, "--answers", at("wrong.json")]);
    expect([wrong.code, wrong.json.imported]).toEqual([4, 0]);
    expect(wrong.json.files[0].reasons[0].reason).toMatch(/^"ymd" is not a valid answer: .*"dmy" or "mdy"/);
    const plan = await pdpp([...alone.slice(0, -1), "--plan"]);
    expect(plan.stdout).toMatch(/^ {4}--answers: \{"date_order": "dmy" or "mdy"\}$/m);
    writeFileSync(at("answers.json"), '{"date_order": "dmy"}');
    const args = ["import", at("mixed"), "--home", at("mixed-home"), "--answers", at("answers.json"), "--json"];
    const complete = linesOf((await pdpp(args)).stdout).at(-1);
    expect(complete).toMatchObject({ unchanged: 3, skipped: 0 });
    expect(complete.connections).toHaveLength(2);
  });

  test("P-05 Ctrl-C pauses the import: stored records are kept, and the same command continues", async () => {
    writeFileSync(at("many.html"), bookmarks(60_000));
    const args = ["import", at("many.html"), "--home", at("paused"), "--json"];
    const { child, said, until } = started(args);
    const ended = once(child, "close");
    await until(/"imported":[1-9]/);
    child.kill("SIGINT");
    expect((await ended)[0]).toBe(130);
    expect(said()).toContain("Paused. Run the same command again to continue.");
    const jobs = (await pdpp(["import", "list", "--home", at("paused"), "--json"])).json.data;
    expect(jobs).toMatchObject([{ status: "paused" }]);
    const rest = linesOf((await pdpp(args)).stdout).at(-1) as Loose;
    expect(rest).toMatchObject({ imported: 60_000, unchanged: 0, connections: [{ import_id: jobs[0].import_id }] });
  });

  test("P-05 --watch imports a new file once it is complete, and a failing file does not stop the others", async () => {
    const watched = at("watched");
    mkdirSync(watched);
    writeFileSync(join(watched, "first.html"), bookmarks(5));
    const { child, until } = started(["import", "--watch", watched, "--home", at("watching")]);
    const ended = once(child, "close");
    await until(/: 5 records imported/);
    writeFileSync(join(watched, "broken.zip"), "PK no archive");
    writeFileSync(join(watched, "half.html.part"), bookmarks(9));
    writeFileSync(join(watched, "second.html"), bookmarks(7));
    await until(/not imported: broken\.zip/);
    await until(/: 2 records imported, 0 changed, 5 unchanged/);
    writeFileSync(join(watched, "first.html"), bookmarks(5, "Renamed"));
    await until(/: 0 records imported, 5 changed/);
    child.kill("SIGINT");
    expect((await ended)[0]).toBe(0);
  });

  test("P-05 --watch remembers the processed files after a restart and does not import them again", async () => {
    const [watched, own] = [at("watched again"), ["--home", at("watching again")]];
    mkdirSync(watched);
    writeFileSync(join(watched, "first.html"), bookmarks(5));
    writeFileSync(join(watched, "unknown.xyz"), "?");
    const first = started(["import", "--watch", watched, ...own]);
    await first.until(/: 5 records imported/);
    await first.until(/Nothing here can be imported/);
    first.child.kill("SIGINT");
    await once(first.child, "close");
    const second = started(["import", "--watch", watched, ...own]);
    writeFileSync(join(watched, "second.html"), bookmarks(7));
    await second.until(/: 2 records imported, 0 changed, 5 unchanged/);
    second.child.kill("SIGINT");
    await once(second.child, "close");
    expect(second.said()).not.toMatch(/first\.html|unknown\.xyz|Nothing here/);
    const { stdout } = await pdpp(["import", "list", "--json", ...own]);
    expect(JSON.parse(stdout).data).toHaveLength(2);
    // The same files are imported again for another connection.
    const third = started(["import", "--watch", watched, "--as", "Elsewhere", ...own]);
    await third.until(/first\.html[\s\S]*: 5 records imported/);
    third.child.kill("SIGINT");
    await once(third.child, "close");
  });
});
