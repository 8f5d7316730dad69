// P-05 P-06 importing in a real browser, with and without JavaScript: drop, plan, questions, progress, report and undo.
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Loose } from "../harness.ts";
import { pdpp } from "../pdpp.ts";
import { axeViolations, follow, sidewaysScroll, unfold } from "./browser.ts";
import { type DashboardWorld, dashboardWorld } from "./dashboard-world.ts";
import { HOSTILE, LOOK, type Seen } from "./hostile/corpus.ts";
import { ASKING_CSV, bookmarks, ended, runImport, sendImport } from "./sent-files.ts";

let it: DashboardWorld;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "postern-files-"));
  it = await dashboardWorld({ empty: true });
});
afterEach(() => it.browser.closePages());
afterAll(async () => {
  await it?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Writes a file to disk and returns its path. */
function file(path: string, content: string): string {
  const place = join(folder, path);
  mkdirSync(dirname(place), { recursive: true });
  writeFileSync(place, content);
  return place;
}

/** This many bookmarks take at least a second to import, which leaves time to pause and stop. */
const LONG_RUN = 60_000;
const ON_PLAN = /\/dashboard\/import\/job_[\w-]+$/;
const idIn = (page: Page): string => /\/import\/([^/?]+)/.exec(page.url())![1]!;
const main = (page: Page): Promise<string> => page.locator("main").innerText();

/** Chooses files or a folder, and waits for the plan. */
async function choose(page: Page, path: string | string[], input = "#files"): Promise<string> {
  await page.locator(input).setInputFiles(path);
  await page.waitForURL(ON_PLAN);
  await page.locator(".plan").waitFor();
  return idIn(page);
}

async function startAndFinish(page: Page): Promise<string> {
  await page.getByRole("button", { name: "Start the import" }).click();
  await page.locator("#import:not([data-live]) .tiles, #import:not([data-live]) .empty").first().waitFor();
  return main(page);
}

async function tiles(page: Page): Promise<Record<string, string>> {
  const pairs = await page.locator("#import .tile").allInnerTexts();
  return Object.fromEntries(pairs.map((pair) => pair.split(/\n+/) as [string, string]));
}

const records = async (stream: string): Promise<Loose[]> => it.server.all(`/v1/streams/${stream}/records`);

describe("P-05 importing into an empty home", () => {
  test("P-05 P-06 a file can be dropped, planned and imported; questions are asked, and a report is shown; a second import changes nothing; undo removes the records", async () => {
    const { page, complaints, foreignRequests } = await it.open("/dashboard/import");
    expect(await page.locator("details.formats").getAttribute("open")).not.toBeNull();
    expect(await main(page)).toContain("takeout.google.com");
    const dropped = await page.evaluateHandle(
      `(() => { const data = new DataTransfer(); data.items.add(new File([${JSON.stringify(ASKING_CSV)}], "Training 2024.csv")); return data; })()`,
    );
    await page.dispatchEvent("#drop", "drop", { dataTransfer: dropped });
    await page.waitForURL(ON_PLAN);
    await page.locator(".plan").waitFor();
    expect(await main(page)).toContain("CSV table");
    expect(await main(page)).toContain("into “Training 2024”");
    expect(await page.locator("fieldset legend").innerText()).toBe("What identifies a row of Training 2024?");
    expect(await axeViolations(page)).toEqual([]);

    // An answered question stays in the URL and in the form.
    await page.getByLabel("all of its cells together").check();
    await page.getByRole("button", { name: "Plan again" }).click();
    await page.waitForURL(/answer%3Akey%3Atraining_2024=content/);
    await page.locator(".plan").waitFor();
    expect(await page.getByLabel("all of its cells together").isChecked()).toBe(true);
    await page.getByLabel("Name of the connection").fill("Runs");
    expect(await startAndFinish(page)).toContain("Everything was imported.");
    expect(await tiles(page)).toEqual({ New: "24", Changed: "0", Unchanged: "0", Skipped: "0", Failed: "0" });
    expect((await records("training_2024")).length).toBe(24);
    await follow(page.getByRole("link", { name: "Runs" }));
    await page.waitForURL(/\/dashboard\/connections\/cin_/);
    expect(await main(page)).toContain("Training 2024.csv");

    await page.goto(`${it.server.url}/dashboard/import`);
    await choose(page, file("Training 2024.csv", ASKING_CSV));
    await page.getByLabel("all of its cells together").check();
    await page.getByLabel("Name of the connection").fill("Runs");
    await startAndFinish(page);
    expect(await tiles(page)).toMatchObject({ New: "0", Unchanged: "24" });
    expect(await page.getByRole("link", { name: "Undo…" }).count()).toBe(0);

    await page.goto(`${it.server.url}/dashboard/import`);
    const rows = page.locator('section [aria-label="Imports"] tbody tr');
    expect(await rows.count()).toBe(2);
    await follow(rows.last().getByRole("link", { name: "Training 2024.csv" }));
    await follow(page.getByRole("link", { name: "Undo…" }));
    expect(await main(page)).toContain("24 records that it added will be removed");
    expect(await axeViolations(page)).toEqual([]);
    await follow(page.getByRole("button", { name: "Remove 24 records" }));
    expect(await page.locator(".alert.good").innerText()).toBe("Undone. 24 records removed.");
    expect(await records("training_2024")).toEqual([]);
    expect(await page.getByRole("link", { name: "Undo…" }).count()).toBe(0);
    expect([complaints, foreignRequests]).toEqual([[], []]);
  });

  test("P-05 an unknown or unreadable format is reported with a reason and advice, before and after the import", async () => {
    const { page } = await it.open("/dashboard/import");
    const files = [file("thing.xyz", "???"), file("old.pst", "!BDN and more"), file("b.html", bookmarks(3, 900))];
    await choose(page, files);
    for (const text of [await main(page), await startAndFinish(page)]) {
      expect(text).toContain("Not imported: 2 files");
      expect(text).toContain("No importer supports this format.");
      expect(text).toMatch(/old\.pst\s.*Outlook/s);
    }
    expect(await tiles(page)).toMatchObject({ New: "3", Skipped: "1", Failed: "0" });
    await unfold(page);
    expect(await main(page)).toContain("Its address is not a web address.");
    expect(await axeViolations(page)).toEqual([]);
    await page.goto(`${it.server.url}/dashboard/import`);
    await choose(page, file("thing.xyz", "???"));
    expect(await main(page)).toContain("Nothing here can be imported");
    await follow(page.getByRole("button", { name: "Discard" }));
    expect(await page.locator(".alert.good").innerText()).toContain("Discarded the import");
  });

  test("P-05 a question without a default must be answered, even if it has a list of choices", async () => {
    const { page } = await it.open("/dashboard/import");
    const rows = Array.from({ length: 6 }, (_, n) => `0${n + 1}/03/2024,Shop ${n},-${n + 1}.50`);
    await choose(page, file("statement.csv", `Date,Description,Amount\n${rows.join("\n")}\n`));
    const order = page.locator('fieldset:has(input[name="answer:date_order"])');
    expect(await order.innerText()).toContain("Which comes first?");
    await page.getByRole("button", { name: "Start the import" }).click();
    // The browser refuses to submit the form.
    expect(page.url()).toMatch(ON_PLAN);
    await order.getByLabel("month, day, year").check();
    await startAndFinish(page);
    const days = (await records("transactions")).map(({ data }) => data.booked_on ?? data.date);
    expect(days.sort()[5]).toBe("2024-06-03");
  });
});

describe("P-05 importing folders", () => {
  const long = `${"deep folder/".repeat(12)}a note with quite a long name – ünïcode.md`;

  test("P-05 a chosen folder is one entry, however many files it has and however long their names are", async () => {
    const vault = ["Home.md", "daily/2024-01-01.md", "daily/2024-01-02.md", long];
    for (const path of vault) file(`Vault/${path}`, `# ${path}\n\nSee [[Home]].\n`);
    file("Vault/.DS_Store", "x");
    const { page } = await it.open("/dashboard/import");
    const id = await choose(page, join(folder, "Vault"), "#folder");
    expect(await page.locator("form.plan > section:not(.start)").count()).toBe(1);
    expect(await main(page)).toContain("Vault · 4 files");
    await startAndFinish(page);
    const { imports } = await ended(it.server, id);
    expect(imports[0].progress.streams.notes).toBe(4);
    const entries = (await records("notes")).map(({ provenance }) => provenance.entry.normalize());
    expect(entries.sort()).toEqual(vault.map((path) => path.normalize()).sort());
  });

  test("P-05 a dropped folder is read completely, in batches", async () => {
    const { page } = await it.open("/dashboard/import");
    await page.evaluate(`(() => {
      const text = (name) => new File(["# " + name + "\\n\\nText of it."], name, { lastModified: 1700000000000 });
      const fileEntry = (name) => ({ isFile: true, name, file: (resolve) => resolve(text(name)) });
      const folderEntry = (name, pages) => ({ isFile: false, name, createReader: () => {
        const rest = [...pages];
        return { readEntries: (resolve) => resolve(rest.shift() ?? []) };
      } });
      const inner = folderEntry("inner", [[fileEntry("three.md")]]);
      const top = folderEntry("Dropped", [[fileEntry("one.md"), inner], [fileEntry("two.md")]]);
      const event = new Event("drop", { bubbles: true, cancelable: true });
      event.dataTransfer = { items: [{ kind: "file", webkitGetAsEntry: () => top }] };
      document.getElementById("drop").dispatchEvent(event);
    })()`);
    await page.waitForURL(ON_PLAN);
    await page.locator(".plan").waitFor();
    expect(await main(page)).toContain("Dropped · 3 files");
    await startAndFinish(page);
    expect(await tiles(page)).toMatchObject({ Failed: "0", Unchanged: "0" });
  });
});

describe("P-05 uploading", () => {
  test("P-05 an interrupted upload resumes by itself, after the bytes that were already received", async () => {
    const content = bookmarks(30_000, 5000);
    const { page } = await it.open("/dashboard/import");
    let broken = 0;
    let isDown = true;
    const offsets: number[] = [];
    await page.route("**/imports/uploads/**", async (route) => {
      const request = route.request();
      if (request.method() === "PATCH") {
        if (isDown && offsets.length >= 1) {
          broken++;
          return route.abort("connectionreset");
        }
        offsets.push(Number(request.headers()["upload-offset"]));
      }
      await route.continue();
    });
    await page.locator("#files").setInputFiles(file("many.html", content));
    await page.locator("#sending-trouble").waitFor();
    expect(await page.locator("#sending-trouble").innerText()).toContain("resumes as soon as");
    expect(await axeViolations(page)).toEqual([]);
    isDown = false;
    await page.waitForURL(ON_PLAN);
    await page.locator(".plan").waitFor();
    expect(broken).toBeGreaterThan(0);
    expect(offsets[0]).toBe(0);
    expect(offsets[1]).toBeGreaterThan(0);
    const { body } = await it.server.get(`/v1/imports/${idIn(page)}`);
    expect(body.files).toMatchObject([{ size: content.length, offset: content.length }]);
    await page.getByRole("button", { name: "Discard" }).click();
  });

  test("P-05 an upload interrupted by closing the page resumes when the same file is chosen again, but not with another file", async () => {
    const context = await it.context();
    const path = file("again.html", bookmarks(30_000, 50_000));
    const first = await context.newPage();
    let pieces = 0;
    await first.route("**/imports/uploads/**", async (route) => {
      if (route.request().method() === "PATCH" && pieces++ > 0) return route.abort("connectionreset");
      await route.continue();
    });
    await first.goto(`${it.server.url}/dashboard/import`);
    await first.locator("#files").setInputFiles(path);
    await first.locator("#sending-trouble").waitFor();
    await first.close();

    const page = await context.newPage();
    await page.goto(`${it.server.url}/dashboard/import`);
    expect(await page.locator("#waiting").innerText()).toMatch(
      /again\.html\s.* received: choose the same files again/s,
    );
    const offsets: string[] = [];
    page.on("request", (request) => {
      if (request.method() === "PATCH") offsets.push(request.headers()["upload-offset"]!);
    });
    await choose(page, file("other/again.html", bookmarks(30_001, 50_000)));
    expect(offsets[0]).toBe("0");
    await page.getByRole("button", { name: "Discard" }).click();
    offsets.length = 0;
    const id = await choose(page, path);
    expect(Number(offsets[0])).toBeGreaterThan(0);
    expect(await page.locator("#plan").innerText()).toContain("Browser bookmarks");
    await follow(page.getByRole("button", { name: "Discard" }));
    expect((await it.server.get(`/v1/imports/${id}`)).body.status).toBe("cancelled");
  });

  test("P-05 a cancelled upload leaves nothing behind", async () => {
    const { page } = await it.open("/dashboard/import");
    await page.route("**/imports/uploads/**", () => new Promise(() => undefined));
    const sent = page.waitForRequest((request) => request.method() === "PATCH");
    await page.locator("#files").setInputFiles(file("cancelled.html", bookmarks(10)));
    await page.locator("#sending").waitFor();
    await sent;
    const cancelled = page.waitForResponse((answer) => answer.url().endsWith("/cancel"));
    await follow(page.getByRole("button", { name: "Cancel" }));
    expect((await cancelled).status()).toBe(200);
    await page.locator("#drop").waitFor();
    expect(await main(page)).not.toContain("cancelled.html");
  });

  test("P-05 more files can be added to a started import", async () => {
    const id = await sendImport(it.server, { "one.html": bookmarks(2) });
    const { page } = await it.open(`/dashboard/import/${id}`);
    await follow(page.getByRole("link", { name: "Add files" }));
    await page.locator("#files").setInputFiles(file("two.html", bookmarks(2, 10)));
    await page.waitForURL(ON_PLAN);
    await page.locator(".plan").waitFor();
    expect([idIn(page), await page.locator("h1").innerText()]).toEqual([id, "one.html, two.html"]);
    await page.getByRole("button", { name: "Discard" }).click();
  });
});

describe("P-06 a running import", () => {
  test("P-06 shows its progress, can be paused and resumed, and shows its report without a reload", async () => {
    const id = await sendImport(it.server, { "large.html": bookmarks(LONG_RUN, 1_000_000) });
    const { page, complaints } = await it.open(`/dashboard/import/${id}`);
    await page.getByRole("button", { name: "Start the import" }).click();
    await page.locator("#import progress").waitFor();
    expect(await page.locator(".number-line").innerText()).toMatch(/records? · .* of .*B/);
    await page.getByRole("button", { name: "Pause" }).click();
    await page.getByRole("button", { name: "Resume" }).waitFor();
    expect(await axeViolations(page)).toEqual([]);
    expect((await it.server.get(`/v1/imports/${id}`)).body.status).toBe("paused");
    expect(await main(page)).toContain("the import continues where it stopped.");
    await page.getByRole("button", { name: "Resume" }).click();
    expect(await axeViolations(page)).toEqual([]);
    await page.locator("#import:not([data-live]) .badge.good").first().waitFor();
    expect(await tiles(page)).toMatchObject({ New: LONG_RUN.toLocaleString("en"), Skipped: "1" });
    await follow(page.getByRole("link", { name: "Undo…" }));
    expect(await main(page)).toContain(`${LONG_RUN.toLocaleString("en")} records`);
    expect(complaints).toEqual([]);
  });

  test("P-06 if cancelled, keeps the imported records until the import is undone", async () => {
    const id = await sendImport(it.server, { "stopped.html": bookmarks(LONG_RUN, 2_000_000) });
    const { page } = await it.open(`/dashboard/import/${id}`);
    await page.getByRole("button", { name: "Start the import" }).click();
    await page.locator("#import progress").waitFor();
    await page.getByRole("button", { name: "Cancel import" }).click();
    await page.locator("#import:not([data-live]) .badge", { hasText: "Cancelled" }).first().waitFor();
    const { imports } = (await it.server.get(`/v1/imports/${id}`)).body;
    expect(imports.map(({ status }: Loose) => status)).toEqual(["cancelled"]);
    if (imports[0].progress.counts.imported > 0) {
      await follow(page.getByRole("link", { name: "Undo…" }));
      await follow(page.getByRole("button", { name: /^Remove [\d,]+ records$/ }));
      expect(await page.locator(".alert.good").innerText()).toMatch(/^Undone\. [\d,]+ records removed\.$/);
    }
  });

  test("P-06 imports started from the CLI are shown too, and an unknown import is reported", async () => {
    const id = await sendImport(it.server, { "c.html": bookmarks(4, 70) });
    const { imports } = await runImport(it.server, id);
    const { page } = await it.open(`/dashboard/import/${imports[0].import_id}`);
    expect(await tiles(page)).toMatchObject({ New: "4" });
    for (const path of ["job_none", "job_none/undo", "%00"]) {
      await page.goto(`${it.server.url}/dashboard/import/${path}`);
      expect(await main(page)).toContain("There is no import");
    }
    await page.goto(`${it.server.url}/dashboard/import?page=0&to=job_none&done=nothing`);
    expect(await page.locator("h1").innerText()).toBe("Import");
  });
});

describe("P-06 importing without JavaScript", () => {
  test("P-05 P-06 files can be uploaded with a form, planned and imported; questions are asked, a report is shown, and the import can be undone", async () => {
    const { page } = await it.open("/dashboard/import", { javaScript: false });
    await follow(page.getByRole("button", { name: "Send" }));
    expect(await page.locator(".alert.bad").innerText()).toContain("No file was chosen.");
    await page
      .locator("#files")
      .setInputFiles([
        file("plain/Übung 2025.csv", ASKING_CSV.replaceAll("2024", "2025")),
        file("plain/big.html", bookmarks(20_000, 3_000_000)),
      ]);
    await page.getByRole("button", { name: "Send" }).click();
    await page.waitForURL(ON_PLAN);
    while ((await page.locator("form.plan").count()) === 0) await follow(page.getByRole("link", { name: "Refresh" }));
    const id = idIn(page);
    expect(await main(page)).toContain("Übung 2025.csv · 1 file");
    await page.getByLabel("minutes").check();
    await page.getByRole("button", { name: "Start the import" }).click();
    await ended(it.server, id);
    await page.reload();
    expect(await tiles(page)).toMatchObject({ New: "20,024", Failed: "0" });
    expect((await records("ubung_2025").catch(() => records("bung_2025"))).length).toBe(24);
    await follow(page.getByRole("link", { name: "Undo everything…" }));
    await follow(page.getByRole("button", { name: "Remove 20,024 records" }));
    expect(await page.locator(".alert.good").innerText()).toBe("Undone. 20,024 records removed.");
  });

  test("P-05 a chosen folder is one entry too", async () => {
    for (const name of ["a.md", "sub/b.md"]) file(`Plain vault/${name}`, `# ${name}\n\nWords.\n`);
    const { page } = await it.open("/dashboard/import", { javaScript: false });
    await page.locator("#folder").setInputFiles(join(folder, "Plain vault"));
    await page.getByRole("button", { name: "Send" }).click();
    await page.waitForURL(ON_PLAN);
    while ((await page.locator("form.plan").count()) === 0) await follow(page.getByRole("link", { name: "Refresh" }));
    expect(await main(page)).toContain("Plain vault · 2 files");
    await follow(page.getByRole("button", { name: "Discard" }));
    expect(await page.locator(".alert.good").innerText()).toContain("Discarded the import");
  });
});

describe("SECURITY rows 2 and 17: hostile uploads", () => {
  const form = (fields: Record<string, string>, name = "a.html"): { body: string; headers: Record<string, string> } => {
    const parts = Object.entries(fields).map(([key, value]) => `name="${key}"\r\n\r\n${value}`);
    const all = [...parts, `name="files"; filename="${name}"\r\n\r\n${bookmarks(1)}`];
    const body = `${all.map((part) => `--x\r\nContent-Disposition: form-data; ${part}\r\n`).join("")}--x--\r\n`;
    return { body, headers: { "Content-Type": "multipart/form-data; boundary=x", Accept: "text/html" } };
  };
  const kept = (): string[] => readdirSync(join(it.server.home, "uploads")).sort();

  test("SECURITY row 2 a file upload from another site or without a session stores no bytes", async () => {
    const before = kept();
    const context = await it.context();
    const at = it.server.url + it.keyed("/dashboard/import");
    const cookies = (await context.cookies(at)).map(({ name, value }) => `${name}=${value}`).join("; ");
    const send = async (sent: ReturnType<typeof form>, headers: Record<string, string>) =>
      fetch(at, {
        method: "POST",
        body: sent.body,
        headers: { ...sent.headers, ...headers },
        redirect: "manual",
      });
    expect((await send(form({ csrf: "guessed" }), { Cookie: cookies })).status).toBe(403);
    expect((await send(form({}), { Cookie: cookies })).status).toBe(403);
    expect((await send(form({ csrf: "x" }), { Cookie: cookies, Origin: "https://evil.example" })).status).toBe(403);
    const anonymous = await send(form({ csrf: "x" }), {});
    expect([anonymous.status, anonymous.headers.get("location") ?? ""]).not.toContain(`/dashboard/import/`);
    // Files of earlier imports may be deleted during the test, so count only new files.
    expect(kept().filter((name) => !before.includes(name))).toEqual([]);
    const page = await context.newPage();
    await page.goto(`${it.server.url}/dashboard/import`);
    const csrf = await page.locator('#drop input[name="csrf"]').inputValue();
    const cut = form({ csrf });
    const refused = await send({ ...cut, body: cut.body.slice(0, -10) }, { Cookie: cookies });
    expect(refused.status).toBe(400);
    expect((await send(form({ csrf }), { Cookie: cookies })).status).toBe(303);
  });

  test("I-01 the plan estimates the number of records in each file, and the report lists files whose count differs", async () => {
    const gap = `<!-- ${"padding ".repeat(10_000)} -->\n`.repeat(27);
    const id = await sendImport(it.server, {
      "links/as planned.html": bookmarks(5, 700),
      "links/more behind.html": `${bookmarks(9, 710)}\n${gap}${bookmarks(39, 720)}`,
    });
    const { page } = await it.open(`/dashboard/import/${id}`);
    await page.getByText("How many bookmarks in each file").click();
    const rows = (name: string) => page.getByRole("region", { name }).getByRole("row").allInnerTexts();
    expect((await rows("bookmarks in each file: links")).slice(1)).toEqual([
      "more behind.html\t10",
      "as planned.html\t6",
    ]);
    await runImport(it.server, id);
    await page.reload();
    expect((await rows("Not as planned: links")).slice(1)).toEqual(["more behind.html\t10\t50"]);
    await page.getByText("Please read the note below.").waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await page.context().close();
  });

  test("SECURITY row 17 hostile file names appear as text on every page of an import", async () => {
    const names = HOSTILE.slice(0, 6).map((text) => text.replaceAll("/", "∕"));
    const files = Object.fromEntries(
      names.map((name, n) => [`${name}${n % 2 === 0 ? ".html" : ".xyz"}`, bookmarks(1, 80 + n)]),
    );
    const id = await sendImport(it.server, files);
    const look = async (path: string): Promise<void> => {
      const { page, complaints } = await it.open(path);
      const seen = (await page.evaluate(LOOK)) as Seen;
      expect([path, seen.hit, seen.violations, seen.handlers, seen.planted]).toEqual([path, false, [], 0, 0]);
      expect(complaints).toEqual([]);
      expect(await sidewaysScroll(page)).toBe(0);
      await page.context().close();
    };
    await look(`/dashboard/import/${id}`);
    await look("/dashboard/import");
    const { imports } = await runImport(it.server, id);
    await look(`/dashboard/import/${id}`);
    await look(`/dashboard/import/${imports[0].import_id}/undo`);
    await look("/dashboard/import");
  });
});

describe("commands for importing", () => {
  test("P-06 the commands suggested on the pages work", async () => {
    const id = await sendImport(it.server, { "copy.html": bookmarks(2, 400) });
    const { imports } = await runImport(it.server, id);
    const { page } = await it.open("/dashboard/import");
    for (const path of [
      "/dashboard/import",
      `/dashboard/import/${id}`,
      `/dashboard/connections/${imports[0].connection_id}`,
    ]) {
      await page.goto(it.server.url + path);
      for (const text of await page.locator(".elsewhere pre").allTextContents()) {
        if (text.startsWith("curl")) {
          const env = { ...process.env, PDPP_ACCESS_TOKEN: it.server.owner };
          const { stdout } = await promisify(execFile)("bash", ["-c", `${text} --silent --fail`], { env });
          expect(() => JSON.parse(stdout)).not.toThrow();
        } else if (text.startsWith("pdpp")) {
          const words = text.split(" ").slice(1);
          const { code, stderr } = await pdpp(words, { env: { PDPP_ACCESS_TOKEN: it.server.owner } });
          expect(code, `${text}\n${stderr}`).toBe(0);
        }
      }
    }
  });
});
