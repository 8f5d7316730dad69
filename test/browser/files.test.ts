// P-06 files in a real browser, with and without JavaScript: approving a folder, watching the scan, browsing its map,
// finding files, saving selections, duplicates, growth and removal.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Loose } from "../harness.ts";
import { axeViolations, follow, sidewaysScroll } from "./browser.ts";
import { type DashboardWorld, dashboardWorld } from "./dashboard-world.ts";
import { runSnippets } from "./snippet-runs.ts";

let it: DashboardWorld;
let box: string;

beforeAll(async () => {
  it = await dashboardWorld({ empty: true });
  box = realpathSync(mkdtempSync(join(tmpdir(), "pdpp-box-")));
  for (const year of [2019, 2020]) {
    mkdirSync(join(box, "Photos", String(year)), { recursive: true });
    for (let n = 0; n < 30; n++)
      writeFileSync(join(box, "Photos", String(year), `IMG_${n}.jpg`), `${year}-${n}`.padEnd(20_000 + n * 500, "x"));
  }
  mkdirSync(join(box, "Letters"));
  writeFileSync(join(box, "Letters", "invoice.pdf"), "%PDF".padEnd(50_000, "i"));
  writeFileSync(join(box, "Letters", "invoice copy.pdf"), "%PDF".padEnd(50_000, "i"));
  writeFileSync(join(box, "Letters", "notes.md"), "# The harbour\nTides and moorings.");
});
afterEach(() => it.browser.closePages());
afterAll(async () => {
  await it?.close();
  rmSync(box, { recursive: true, force: true });
});

const main = (page: Page): Promise<string> => page.locator("main").innerText();

/** Waits until all jobs have ended. */
async function settled(): Promise<void> {
  const { files } = await it.server.files();
  for (const { jobId } of await files.jobs()) await files.jobEnded(jobId);
}

async function indexOf(path: string): Promise<string> {
  const lens = await it.server.files();
  return (await lens.roots()).find((root) => root.path === path)!.indexIds[0]!;
}

describe("P-06 files, without JavaScript", () => {
  const view = { javaScript: false } as const;

  test("P-06 before a folder is approved, the page explains what folders are for and what approval means", async () => {
    const { page, complaints } = await it.open("/dashboard/files", view);
    expect(await main(page)).toMatch(/never changes, moves or deletes/i);
    expect(await main(page)).toContain("No app sees any of it until you allow that app");
    expect(complaints).toEqual([]);
    const { page: same } = await it.open("/dashboard/files");
    expect(await axeViolations(same)).toEqual([]);
  });

  test("P-06 a folder that does not exist is refused with a message, and nothing is approved", async () => {
    const { page } = await it.open("/dashboard/files", view);
    for (const [path, said] of [
      ["/nowhere/at/all", "does not exist"],
      ["Photos", "is not an absolute path"],
      [it.server.home, "a Postern home"],
    ] as const) {
      await page.locator('input[name="path"]').fill(path);
      await follow(page.getByRole("button", { name: "Add and scan" }));
      expect((await page.locator('[role="alert"]').innerText()).toLowerCase()).toContain(said.toLowerCase());
    }
    expect(await (await it.server.files()).roots()).toEqual([]);
  });

  test("P-06 a folder can be approved, scanned, and browsed by map and list, with breadcrumbs back", async () => {
    const { page, complaints } = await it.open("/dashboard/files", view);
    await page.locator('input[name="path"]').fill(box);
    await page.getByRole("button", { name: "Add and scan" }).click();
    await page.waitForURL(/\/dashboard\/files\/ix\d+$/);
    await settled();
    await page.reload();
    const { totals } = await (await it.server.files()).files.indexInfo(await indexOf(box));
    expect(await main(page)).toContain(`${totals!.files} files · ${totals!.dirs} folders`);
    await follow(page.locator(".map-wide a", { hasText: "Photos" }).first());
    expect(await page.locator("h1").innerText()).toBe("Photos");
    await follow(page.getByRole("region", { name: "In Photos" }).getByRole("link", { name: "2020" }));
    expect(await page.locator("h1").innerText()).toBe("2020");
    expect(await page.locator(".listing-files tbody tr").count()).toBe(30);
    expect(await page.locator(".map-wide a").count()).toBe(30);
    await follow(page.getByRole("link", { name: "Changed" }));
    expect(new URL(page.url()).searchParams.get("sort")).toBe("time");
    await follow(page.getByRole("link", { name: "Name" }).first());
    expect(await page.locator(".listing-files tbody td a").first().innerText()).toBe("IMG_0.jpg");
    await follow(page.locator(".listing-files tbody td a").first());
    expect(await page.locator("h1").innerText()).toBe("IMG_0.jpg");
    await follow(page.locator(".crumbs").getByRole("link", { name: "Photos" }));
    expect(await page.locator("h1").innerText()).toBe("Photos");
    expect(complaints).toEqual([]);
  });

  test("P-06 each rectangle of the map has an area proportional to the size of its file or folder", async () => {
    const { page } = await it.open(`/dashboard/files/${await indexOf(box)}?tab=browse`, view);
    const areas =
      (await page.evaluate(`[...document.querySelectorAll(".map-wide > g > a:first-of-type")].map((link) => {
      const { width, height } = link.querySelector("rect").getBBox();
      return [link.querySelector("title").textContent.split(":")[0], width * height];
    })`)) as [string, number][];
    const whole = areas.reduce((sum, [, area]) => sum + area, 0);
    const lens = await it.server.files();
    const id = await indexOf(box);
    const { entries } = await lens.files.children(id, (await lens.files.indexInfo(id)).rootNodeId);
    const bytes = entries.reduce((sum, { size }) => sum + size, 0);
    for (const { name, size } of entries) {
      const [, area] = areas.find(([label]) => label === name)!;
      expect([name, Math.abs(area / whole - size / bytes) < 0.02]).toEqual([name, true]);
    }
  });

  test("P-06 a file shows its details and can be downloaded byte for byte", async () => {
    const lens = await it.server.files();
    const id = await indexOf(box);
    const node = await lens.files.nodeAt(id, "Letters/notes.md");
    const context = await it.context(view);
    const { page } = await it.open(`/dashboard/files/${id}?at=${node.nodeId}`, view, context);
    expect(await main(page)).toContain(join(box, "Letters", "notes.md"));
    const href = await page.getByRole("link", { name: "Download" }).getAttribute("href");
    const cookies = (await context.cookies(page.url())).map(({ name, value }) => `${name}=${value}`).join("; ");
    const taken = await fetch(new URL(href!, it.server.url), { headers: { Cookie: cookies } });
    expect([taken.status, await taken.text()]).toEqual([200, "# The harbour\nTides and moorings."]);
    expect(taken.headers.get("content-security-policy")).toContain("sandbox");
    const anonymous = await fetch(new URL(href!, it.server.url), { headers: { Accept: "application/json" } });
    expect(anonymous.status).toBe(401);
  });

  test("P-06 the largest files and folders, the types and the ages link to the files that they count", async () => {
    const id = await indexOf(box);
    const { page } = await it.open(`/dashboard/files/${id}?tab=largest`, view);
    expect(await page.locator("tbody td a").first().innerText()).toContain("invoice");
    expect(await page.locator("tbody tr").count()).toBe(50);
    await follow(page.getByRole("link", { name: "Next page" }));
    expect(await page.locator("tbody tr").count()).toBe(13);
    await follow(page.getByRole("link", { name: "Folders" }));
    expect(await page.locator("tbody td a").first().innerText()).toBe("Photos");
    await follow(page.getByRole("link", { name: "By type" }));
    expect(await main(page)).toContain("image/jpeg");
    await follow(page.getByRole("link", { name: "application/pdf" }));
    expect(await page.locator("#found").innerText()).toBe("2 matches");
    await follow(page.getByRole("link", { name: "By age" }));
    await follow(page.locator("tbody a").first());
    expect(await page.locator("#found").innerText()).toBe("63 matches");
  });

  test("P-06 files can be found, saved as a selection, viewed, downloaded as CSV and found again; the search and the selection can be deleted", async () => {
    const id = await indexOf(box);
    const { page } = await it.open(`/dashboard/files/${id}?tab=find`, view);
    await page.locator('input[name="name"]').fill("IMG_2");
    await page.locator('input[name="min"]').fill("30 KB");
    await follow(page.getByRole("button", { name: "Find" }));
    expect(await page.locator("#found").innerText()).toBe("20 matches");
    await page.locator("summary", { hasText: "Save as a selection" }).click();
    await page.locator('input[name="called"]').fill("Late pictures");
    await follow(page.getByRole("button", { name: "Save", exact: true }));
    expect(await page.locator(".alert.good").innerText()).toContain("The search was saved");
    expect(await page.locator("tbody tr").count()).toBe(20);
    const csv = await page.getByRole("link", { name: "CSV" }).getAttribute("href");
    const taken = await page.context().request.get(new URL(csv!, it.server.url).href);
    expect([taken.status(), (await taken.text()).split("\n").length]).toEqual([200, 22]);
    await follow(page.getByRole("link", { name: "Find", exact: true }));
    expect(await main(page)).toContain("name *IMG_2* and size from 30000");
    await follow(page.getByRole("button", { name: "Run Late pictures" }));
    expect(await page.locator(".alert.good").innerText()).toContain("Searched again");
    await follow(page.locator("#delete-set summary"));
    expect(await main(page)).toContain("The list of 20 entries is deleted");
    await follow(page.getByRole("button", { name: "Delete it" }));
    expect(await main(page)).toContain("No selections yet");
    await follow(page.getByRole("link", { name: "Find", exact: true }));
    await page.locator("summary", { hasText: "Delete" }).click();
    await follow(page.getByRole("button", { name: "Delete it" }));
    expect(await page.locator(".alert.good").innerText()).toContain("Deleted the saved search");
    expect(await main(page)).toContain("Searches that you or your apps save appear here");
  });

  test("P-06 invalid form values are reported, and the valid ones are used", async () => {
    const id = await indexOf(box);
    const { page } = await it.open(
      `/dashboard/files/${id}?tab=find&name=*.md&min=huge&after=soon&cursor=nonsense`,
      view,
    );
    expect(await page.locator(".alert.warn").innerText()).toMatch(
      /“huge” is not a size[\s\S]*“soon” is not a date[\s\S]*first page/,
    );
    expect(await page.locator("#found").innerText()).toBe("1 match");
    const gone = await it.open(`/dashboard/files/${id}?at=n1-99999`, view);
    expect(await gone.page.locator("h1").innerText()).toBe("Not found");
    expect((await it.open("/dashboard/files/ix99", view)).page).toBeDefined();
  });

  test("P-06 duplicates are searched for on request, and shown with their size", async () => {
    const id = await indexOf(box);
    const { page } = await it.open(`/dashboard/files/${id}?tab=copies`, view);
    expect(await main(page)).toContain("Not searched yet");
    await page.getByRole("button", { name: "Look for copies" }).click();
    await settled();
    await page.goto(`${it.server.url}/dashboard/files/${id}?tab=copies`);
    expect(await page.locator(".copies > li").count()).toBe(1);
    expect(await page.locator(".copies").innerText()).toMatch(
      /2 copies of 50.0 KB[\s\S]*invoice copy\.pdf[\s\S]*invoice\.pdf/,
    );
  });

  test("P-06 shows which folders grew between two chosen scans", async () => {
    const id = await indexOf(box);
    const { page } = await it.open(`/dashboard/files/${id}?tab=growth`, view);
    expect(await main(page)).toContain("nothing to compare yet");
    writeFileSync(join(box, "Letters", "survey.csv"), "x".repeat(300_000));
    await page.getByRole("button", { name: "Scan now" }).first().click();
    await settled();
    rmSync(join(box, "Photos", "2019"), { recursive: true });
    await page.goto(`${it.server.url}/dashboard/files/${id}?tab=growth`);
    expect(await page.locator("tbody").innerText()).toMatch(/Letters\s+\+300 KB/);
    await page.getByRole("button", { name: "Scan now" }).click();
    await settled();
    await page.goto(`${it.server.url}/dashboard/files/${id}?tab=growth`);
    expect(await page.locator("tbody").innerText()).toMatch(/2019[\s\S]*gone/);
    await page.locator('select[name="from"]').selectOption("1");
    await page.locator('select[name="to"]').selectOption("2");
    await follow(page.getByRole("button", { name: "Compare" }));
    expect(await page.locator("tbody").innerText()).toMatch(/Letters\s+\+300 KB/);
  });

  test("P-06 file text is indexed only if the owner wants it, and removing a folder first says what is deleted with it", async () => {
    const { page } = await it.open("/dashboard/files", view);
    await follow(page.getByRole("link", { name: /^Settings of/ }));
    await page.getByRole("button", { name: "Read the text of files" }).click();
    await expect.poll(textRecords).toHaveLength(2);
    await settled();
    await page.reload();
    expect(await page.locator("#record-counts").innerText()).toMatch(/Text of files\s+2/);
    await page.getByRole("button", { name: "Stop, and remove the text" }).click();
    await expect.poll(textRecords).toEqual([]);
    await settled();
    await page.goto(`${it.server.url}/dashboard/files`);
    await follow(page.getByRole("link", { name: /^Settings of/ }));
    await follow(page.locator("#forget summary"));
    expect(await main(page)).toMatch(/37 records, 0 selections and 0 saved searches/);
    await page.locator('input[name="sure"]').check();
    await page.getByRole("button", { name: "Remove it" }).click();
    await page.waitForURL(/done=removed/);
    expect(await page.locator(".alert.good").innerText()).toContain("37 records");
    expect(await main(page)).toContain("Add a folder");
    expect(await it.server.all("/v1/connections")).toEqual([]);
  });
});

async function textRecords(): Promise<Loose[]> {
  const [connection] = await it.server.all("/v1/connections");
  return it.server.all("/v1/streams/file_text/records", { query: { connection_id: connection.connection_id } });
}

describe("P-06 files, with JavaScript", () => {
  test("P-06 a scan can be followed, paused and resumed, and the map fills without a reload", async () => {
    const wide = realpathSync(mkdtempSync(join(tmpdir(), "pdpp-live-")));
    try {
      for (let dir = 0; dir < 40; dir++) {
        mkdirSync(join(wide, `d${dir}`));
        for (let n = 0; n < 20; n++) writeFileSync(join(wide, `d${dir}`, `f${n}`), "x".repeat(n));
      }
      const lens = await it.server.files();
      const { rootId } = await lens.addRoot({ path: wide });
      const { jobId, indexId } = await lens.files.index({ rootId });
      await lens.files.pauseJob(jobId).catch(() => undefined);
      const { page, complaints } = await it.open(`/dashboard/files/${indexId}`);
      if ((await lens.files.job(jobId)).status === "paused") {
        expect(await page.locator("#scan").innerText()).toContain("The scan is paused");
        await page.getByRole("button", { name: "Resume" }).click();
      }
      await page.locator(".map-wide a", { hasText: "d39" }).first().waitFor();
      await page.locator("#scan .strip").waitFor({ state: "detached" });
      expect(await page.locator("[data-live]").count()).toBe(0);
      expect(complaints).toEqual([]);
    } finally {
      rmSync(wide, { recursive: true, force: true });
    }
  });
});

describe("P-06 files on a whole disk", () => {
  let full: DashboardWorld;
  let address: string;

  beforeAll(async () => {
    full = await dashboardWorld({ disk: true });
    const [root] = await (await full.server.files()).roots();
    address = `/dashboard/files/${root!.indexIds[0]}`;
  });
  afterAll(() => full?.close());

  test("P-06 the keyboard reaches every top-level folder in the map and the list, and labels fit their rectangles", async () => {
    const { page } = await full.open(address);
    const reached = (await page.evaluate(
      `[...document.querySelectorAll(".map-wide a:not([tabindex])")].map((link) => link.querySelector("title").textContent.split(":")[0])`,
    )) as string[];
    expect(reached).toEqual(expect.arrayContaining(["Photos", "Films", "Music", "Downloads"]));
    await page.locator(".map-wide a:not([tabindex])").first().focus();
    await page.keyboard.press("Enter");
    await page.waitForURL(/at=/);
    await page.goBack();
    for (const width of [1280, 360] as const) {
      const narrow = await full.open(address, { width });
      const over =
        await narrow.page.evaluate(`[...document.querySelectorAll(".map svg")].filter((svg) => svg.clientWidth > 0)
          .flatMap((svg) => [...svg.querySelectorAll("a")]).flatMap((link) => {
            const box = link.querySelector("rect").getBBox();
            return [...link.querySelectorAll("text")].filter((text) => {
              const own = text.getBBox();
              return own.x + own.width > box.x + box.width + 0.5 || own.y + own.height > box.y + box.height + 1;
            }).map((text) => text.textContent);
          })`);
      expect([width, over]).toEqual([width, []]);
      expect(await sidewaysScroll(narrow.page)).toBe(0);
    }
  });

  test("P-06 the commands suggested on the pages work", async () => {
    for (const path of ["/dashboard/files", address]) {
      const { page } = await full.open(path);
      expect(await runSnippets(page, full.server)).toBe(2);
    }
  });
});
