// P-06 the record page in a real browser: fields by kind, long texts in windows, files, and related records.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Loose } from "../harness.ts";
import { AUTHORS, book, LOANS, library } from "../library.ts";
import { axeViolations, follow } from "./browser.ts";
import { type DashboardWorld, dashboardWorld } from "./dashboard-world.ts";
import { idWhere, pathOf, propertyOf, runSnippets, twin } from "./explore-world.ts";
import { runImport } from "./sent-files.ts";

let it: DashboardWorld;
let shelf: string;
let connections: Loose[];
const of = (key: string): string => connections.find(({ connector_key }) => connector_key === key).connection_id;
const at = (id: string): string => `/dashboard/records/${shelf}/books/${encodeURIComponent(id)}`;

const LONG = Array.from({ length: 900 }, (_, index) => `Line ${index} 𝒳.`).join("\n");
const NOTES: Record<string, string> = {
  page: "https://foreign.example/a?b=<c>&d",
  script: "javascript:alert(1)//https://foreign.example",
  user: "https://someone:secret@foreign.example/",
  data: "data:text/html,https://x",
};

beforeAll(async () => {
  it = await dashboardWorld();
  connections = await it.server.all("/v1/connections");
  await it.server.register("library", library);
  shelf = await it.server.connect("library", "Home shelf");
  await it.server.ingest("authors", shelf, AUTHORS);
  await it.server.ingest("loans", shelf, LOANS);
  await it.server.ingest("books", shelf, [
    book("b01", {
      title: "Äther",
      pages: 1234,
      price: 9.5,
      lent: true,
      bought_on: "2024-01-05",
      published_at: "2024-01-01T00:00:00Z",
      author_id: "a1",
      notes: LONG,
      extra: { shelf: "top", row: 3 },
      genre: null,
    }),
    book("same-1", { published_at: "2023-01-01T00:00:00Z" }),
    book("same-2", { published_at: "2023-01-01T00:00:00Z" }),
    book("same-3", { published_at: "2023-01-01T00:00:00Z" }),
    ...Object.entries(NOTES).map(([id, notes]) => book(id, { notes, published_at: "2022-01-01T00:00:00Z" })),
  ]);
});
afterEach(() => it.browser.closePages());
afterAll(() => it?.close());

describe("P-06 a record", () => {
  test("P-06 shows each field according to its kind", async () => {
    const { page, complaints } = await it.open(at("b01"));
    const value = (name: string): Promise<string> => page.locator(`[id="field-${name}"] > dd`).innerText();
    expect(await value("pages")).toBe("1,234");
    expect(await value("price")).toBe("9.5");
    expect(await value("lent")).toBe("Yes");
    expect(await value("bought_on")).toBe("5 Jan 2024");
    expect(await value("published_at")).toBe("1 Jan 2024, 00:00");
    expect(await value("genre")).toBe("–");
    expect(await value("extra")).toMatch(/Shelf\s+top\s+Row\s+3/);
    await page.locator('[id="field-extra"] summary').click();
    expect(JSON.parse(await page.locator('[id="field-extra"] pre').innerText())).toEqual({ shelf: "top", row: 3 });
    expect(complaints).toEqual([]);
  });

  test("P-06 pages through a long text forwards and backwards without losing a character", async () => {
    const { page } = await it.open(at("b01"), { javaScript: false });
    const piece = (): Promise<string | null> => page.locator('[id="field-notes"] .text').textContent();
    const total = [...LONG].length;
    expect(await page.locator('[id="field-notes"]').innerText()).toContain(`1–4,000 of ${total.toLocaleString("en")}`);
    const forward: string[] = [];
    const backward: string[] = [];
    for (;;) {
      forward.push((await piece())!);
      const on = page.getByRole("link", { name: "Next part in notes" });
      if ((await on.count()) === 0) break;
      await follow(on);
    }
    expect(forward.join("")).toBe(LONG);
    for (;;) {
      backward.unshift((await piece())!);
      const back = page.getByRole("link", { name: "Previous part in notes" });
      if ((await back.count()) === 0) break;
      await follow(back);
    }
    expect(backward.join("")).toBe(LONG);
    expect(new URL(page.url()).search).toBe("");
    for (const odd of ["?field=notes&offset=99999999", "?field=notes&offset=-1", "?field=nope&offset=x"]) {
      const answer = await page.goto(new URL(at("b01") + odd, it.server.url).href);
      expect([odd, answer!.status(), (await piece())!.startsWith("Line 0 ")]).toEqual([odd, 200, true]);
    }
  });

  test("P-06 links web addresses, but not other text that looks like one", async () => {
    for (const id of Object.keys(NOTES)) {
      const { page, foreignRequests } = await it.open(at(id));
      const link = page.getByRole("link", { name: "Open notes in a new tab" });
      expect(await page.locator('[id="field-notes"]').innerText()).toContain(NOTES[id]);
      expect([id, await link.count()]).toEqual([id, id === "page" ? 1 : 0]);
      if (id === "page") {
        expect(await link.getAttribute("href")).toBe("https://foreign.example/a?b=%3Cc%3E&d");
        expect(await link.getAttribute("rel")).toBe("noreferrer noopener");
      }
      expect(foreignRequests).toEqual([]);
    }
  });

  test("P-06 shows where it came from", async () => {
    const { page } = await it.open(at("b01"));
    const facts = await page.locator("section[aria-labelledby=from]").innerText();
    for (const part of [shelf, "books", "b01", "1 Jun 2024, 00:00"]) expect(facts).toContain(part);
  });

  test("P-06 links to its related records, and to the full list if there are many", async () => {
    const { page } = await it.open(at("b01"));
    const author = page.locator("section", { has: page.getByRole("heading", { name: "Author" }) });
    expect(await author.getByRole("link").allInnerTexts()).toEqual(["Ada"]);
    const loans = page.locator("section", { has: page.getByRole("heading", { name: "Loans" }) });
    expect(await loans.locator("li").count()).toBe(2);
    await follow(loans.getByRole("link", { name: "All of them in loans" }));
    expect(pathOf(page)).toBe(`/dashboard/explore/${shelf}/loans?filter[book_id]=b01`);
    expect(await page.locator("table.records tbody tr").count()).toBe(4);
  });

  test("P-06 links to its neighbours, even among records with the same time", async () => {
    const listed = await it.server.all("/v1/streams/books/records", { query: { connection_id: shelf } });
    const dated = listed.map(({ id }) => id);
    const { page } = await it.open(at(dated[0]));
    const there: string[] = [];
    for (;;) {
      there.push(decodeURIComponent(pathOf(page).split("/").at(-1)!));
      const older = page.getByRole("link", { name: "Older" });
      if ((await older.count()) === 0) break;
      await follow(older);
    }
    expect(there).toEqual(dated);
    for (const _ of dated.slice(1)) await follow(page.getByRole("link", { name: "Newer" }));
    expect(pathOf(page)).toBe(at(dated[0]));
  });

  test("P-06 a record that does not exist is reported as missing", async () => {
    const { page } = await it.open("/dashboard");
    const answer = await page.goto(new URL(at("nobody"), it.server.url).href);
    expect(answer!.status()).toBe(404);
    expect(await page.locator("main").innerText()).toContain("No record");
  });
});

describe("P-06 a record's attachments", () => {
  test("P-06 a picture is shown as a preview and can be opened at full size", async () => {
    const place = { connection_id: of("notes"), stream: "notes" };
    const path = `/dashboard/records/${of("notes")}/notes/${await idWhere(it.server, place, "path", "Postcards/IE-5565.md")}`;
    const { page, complaints, foreignRequests } = await it.open(path);
    await expect.poll(() => page.evaluate("document.querySelector('.previews img').naturalWidth")).toBeGreaterThan(0);
    const { files } = await twin(it.server, path);
    expect(files).toHaveLength(1);
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page
        .locator("summary", { hasText: "All fields" })
        .click()
        .then(() => page.getByRole("link", { name: files[0].name, exact: true }).last().click()),
    ]);
    const parts: Buffer[] = [];
    for await (const part of await download.createReadStream()) parts.push(part as Buffer);
    const bytes = Buffer.concat(parts);
    expect(bytes.length).toBe(files[0].bytes);
    const { sha256 } = JSON.parse(files[0].value);
    expect(createHash("sha256").update(bytes).digest("hex")).toBe(sha256);
    expect([complaints, foreignRequests]).toEqual([[], []]);
  });

  test("I-07 a video plays on its page", async () => {
    const clip = readFileSync(new URL("./clip.fixture.mp4", import.meta.url));
    const { body } = await it.server.call("POST", "/v1/imports", { body: { name: "clip.mp4", size: clip.length } });
    const headers = { Authorization: `Bearer ${it.server.owner}`, "Upload-Offset": "0" };
    await fetch(it.server.url + body.upload_url, { method: "PATCH", headers, body: clip });
    const { imports } = await runImport(it.server, body.import_id);
    const [{ connection_id }] = imports;
    const records = await it.server.all(`/v1/streams/photos/records?connection_id=${connection_id}`);
    const { id } = records.find(({ data }) => data.name === "clip.mp4");
    const path = `/dashboard/records/${connection_id}/photos/${encodeURIComponent(id)}`;
    const { page, complaints } = await it.open(path);
    const isRead = () => page.evaluate("document.querySelector('video').readyState > 0");
    await expect.poll(isRead).toBe(true);
    expect(await axeViolations(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test("P-06 a PDF has a name, a type and a size, and no preview", async () => {
    const mails = { connection_id: of("mail"), stream: "messages" };
    const id = await idWhere(it.server, mails, "message_id", "order-ORD-48817-confirmed@mail.example");
    const { page } = await it.open(`/dashboard/records/${of("mail")}/messages/${id}`);
    expect(await propertyOf(page, ".previews img", "src")).toEqual([]);
    expect(await page.locator(".previews").innerText()).toMatch(/application\/pdf, [\d.,]+ (bytes|KB)/);
  });
});

describe("P-06 a record outside the dashboard", () => {
  test("P-06 its commands read the same record, and its JSON form has no markup", async () => {
    const mails = { connection_id: of("mail"), stream: "messages" };
    const id = await idWhere(it.server, mails, "message_id", "m-landlord-notice@mail.example");
    const path = `/dashboard/records/${of("mail")}/messages/${id}`;
    const view = await twin(it.server, path);
    const ran = await runSnippets(it.server, view.snippets);
    expect(encodeURIComponent(ran.curl.id)).toBe(id);
    expect(ran.command.data).toEqual(ran.curl.data);
    expect(ran.tool.title).toBe(view.title);
    expect(JSON.stringify(view)).not.toMatch(/<\w+ class|csrf/);
  });
});
