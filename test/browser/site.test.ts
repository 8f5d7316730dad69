// W-03: the static documentation site that npm run site builds: no dead links, search, light and dark, narrow and wide.
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, extname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { axeViolations, startBrowser, type TestBrowser } from "./browser.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "postern-site-"));
const pageNames = (): string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".html"));
const TYPES: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css",
  ".js": "text/javascript",
  ".json": "application/json",
  ".png": "image/png",
};

let browser: TestBrowser;
let server: Server;
let origin: string;

beforeAll(async () => {
  execFileSync(process.execPath, ["scripts/site.js", folder], { cwd: ROOT });
  server = createServer(({ url = "/" }, response) => {
    const file = join(folder, decodeURI(new URL(url, "http://site").pathname));
    if (!existsSync(file)) return response.writeHead(404).end();
    response.writeHead(200, { "content-type": TYPES[extname(file)] ?? "application/octet-stream" });
    return response.end(readFileSync(file));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  browser = await startBrowser();
});

afterAll(async () => {
  await browser.close();
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

describe("W-03 the documentation site", () => {
  it("W-03 has no dead link, anchor or picture", () => {
    const pages = pageNames();
    expect(pages.length).toBeGreaterThan(30);
    const text = new Map(pages.map((page) => [page, readFileSync(join(folder, page), "utf8")]));
    const dead = pages.flatMap((page) =>
      [...text.get(page)!.matchAll(/(?:href|src)="([^"]*)"/g)].flatMap(([, target]) => {
        if (/^[a-z]+:/.test(target!)) return [];
        const [path = "", anchor] = target!.split("#");
        const file = path === "" ? page : relative(folder, join(folder, dirname(page), path));
        const isThere = existsSync(join(folder, file));
        const isNamed = anchor === undefined || (text.get(file) ?? "").includes(`id="${decodeURIComponent(anchor)}"`);
        return isThere && isNamed ? [] : [`${page} → ${target}`];
      }),
    );
    expect(dead).toEqual([]);
  });

  it.each([
    ["light", 1280],
    ["dark", 360],
  ] as const)("W-03 is readable in %s at %i pixels", async (scheme, width) => {
    for (const path of ["index.html", "docs/use/tutorial.html"]) {
      const { page, complaints, foreignRequests } = await browser.open(`${origin}/${path}`, { scheme, width });
      expect([complaints, foreignRequests]).toEqual([[], []]);
      expect(await axeViolations(page), path).toEqual([]);
      expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth"), path).toBeLessThanOrEqual(0);
      const back = await page.evaluate("getComputedStyle(document.body).backgroundColor");
      expect(back).toBe(scheme === "dark" ? "rgb(21, 23, 27)" : "rgb(255, 255, 255)");
      await page.context().close();
    }
  });

  it("W-03 every page fits on a phone", async () => {
    const { page } = await browser.open(`${origin}/index.html`, { scheme: "dark", width: 360 });
    const wide: string[] = [];
    for (const path of pageNames().filter((name) => !name.includes("decisions/"))) {
      await page.goto(`${origin}/${path}`);
      if (Number(await page.evaluate("document.documentElement.scrollWidth - innerWidth")) > 0) wide.push(path);
    }
    expect(wide).toEqual([]);
    await page.context().close();
  });

  it("W-03 search finds a section and opens it", async () => {
    const { page } = await browser.open(`${origin}/index.html`);
    await page.keyboard.press("/");
    await page.keyboard.type("writing an importer");
    await page.locator("#results a").first().click();
    await page.waitForURL(/writing-an-importer/);
    expect(await page.locator("h1").innerText()).toContain("importer");
    await page.context().close();
  });
});
