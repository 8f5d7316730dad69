// P-06 connections in a real browser: contents, renaming, and deletion with a preview.
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Loose } from "../harness.ts";
import { axeViolations, follow } from "./browser.ts";
import { type DashboardWorld, dashboardWorld } from "./dashboard-world.ts";
import { HOSTILE } from "./hostile/corpus.ts";
import { runImport, sendImport } from "./sent-files.ts";

let it: DashboardWorld;

beforeAll(async () => {
  it = await dashboardWorld();
});
afterEach(() => it.browser.closePages());
afterAll(() => it?.close());

const connectionOf = async (key: string): Promise<Loose> =>
  (await it.server.all("/v1/connections")).find(({ connector_key }) => connector_key === key);

/** Adds a connection that contains one message with an attachment, stored as a blob. */
async function mailbox(name: string, attachment: string): Promise<string> {
  const message = [
    "From nora@example.org Mon Jan  1 10:00:00 2024",
    "From: Nora <nora@example.org>",
    "To: Owen <owen@example.org>",
    "Subject: The plan",
    `Message-ID: <${name}@example.org>`,
    "Date: Mon, 1 Jan 2024 10:00:00 +0000",
    'Content-Type: multipart/mixed; boundary="b"',
    "",
    "--b",
    "Content-Type: text/plain",
    "",
    "See the file.",
    "--b",
    'Content-Type: text/plain; name="plan.txt"',
    'Content-Disposition: attachment; filename="plan.txt"',
    "",
    attachment,
    "--b--",
    "",
  ].join("\n");
  const id = await sendImport(it.server, { [`${name}.mbox`]: message });
  const { imports } = await runImport(it.server, id, { as: name });
  return imports[0].connection_id;
}

describe("P-06 the list of connections", () => {
  test("P-06 shows each connection with its source, streams, counts, time span and freshness, and links to its records", async () => {
    const { page, complaints } = await it.open("/dashboard/connections");
    const streams: Loose[] = (await it.server.get("/v1/streams")).body.data;
    const connections = await it.server.all("/v1/connections");
    const cards = page.locator(".holdings > li");
    expect(await cards.count()).toBe(connections.length);
    for (const { connection_id, display_name } of connections) {
      const card = cards.filter({ has: page.locator(`h2 a[href$="/dashboard/connections/${connection_id}"]`) });
      const text = await card.innerText();
      expect(text).toContain(display_name);
      const own = streams.filter((one) => one.connection_id === connection_id);
      const total = own.reduce((sum, { record_count }) => sum + record_count, 0);
      expect(text).toContain(`${total.toLocaleString("en")} record`);
      expect(text).toMatch(/\d{4} – .*\d{4} · updated /);
      const [first, last] = /(\d+ \w+ \d{4}) – (\d+ \w+ \d{4}) ·/.exec(text)!.slice(1).map(Date.parse);
      expect(first, display_name).toBeLessThanOrEqual(last!);
      for (const { name, record_count } of own) {
        const link = card.locator(`a[href$="/dashboard/explore/${connection_id}/${name}"]`);
        expect(await link.innerText()).toContain(record_count.toLocaleString("en"));
      }
    }
    expect(complaints).toEqual([]);
  });

  test("P-06 for an empty home, the list leads to adding a source, and from there to importing", async () => {
    const empty = await dashboardWorld({ empty: true });
    try {
      const { page } = await empty.open("/dashboard/connections");
      expect(await axeViolations(page)).toEqual([]);
      await follow(page.getByRole("link", { name: "Add a source" }));
      await follow(page.getByRole("link", { name: "Upload files" }));
      await page.waitForURL("**/dashboard/import");
    } finally {
      await empty.close();
    }
  });
});

describe("P-06 one connection", () => {
  test("P-06 shows its streams, the apps that may read it and its imports; its JSON form has the same content", async () => {
    const id = await mailbox("Ledger", "one");
    const { page } = await it.open(`/dashboard/connections/${id}`);
    const text = await page.locator("main").innerText();
    expect(text).toContain("Ledger.mbox");
    expect(text).toContain("No app can read this.");
    const twin = (await it.server.get(`/dashboard/connections/${id}.json`)).body;
    expect(twin).toMatchObject({ name: "Ledger", records: 1, apps: [], imports: [{ counts: { imported: 1 } }] });
    const mail = await connectionOf("mail");
    await page.goto(`${it.server.url}/dashboard/connections/${mail.connection_id}`);
    const readers = await page.locator('section[aria-labelledby="readers"]').innerText();
    expect(readers).toContain("“Inbox summary”");
    expect(readers).toContain("“Claude Code”");
  });

  for (const javaScript of [true, false]) {
    test(`P-06 can be renamed with a form, ${javaScript ? "with" : "without"} JavaScript; an empty name is refused with a message`, async () => {
      const { connection_id } = await connectionOf("contacts");
      const { page } = await it.open(`/dashboard/connections/${connection_id}`, { javaScript });
      const name = `Things to do ${javaScript}`;
      await page.locator('input[name="name"]').fill(name);
      await page.getByRole("button", { name: "Rename" }).click();
      await page.waitForURL("**?done=renamed*");
      expect(await page.locator(".alert.good").innerText()).toMatch(/^Renamed\.\s+Undo$/);
      expect(await page.getByText("Changed.").count()).toBe(0);
      expect(await page.locator("h1").innerText()).toBe(name);
      expect((await connectionOf("contacts")).display_name).toBe(name);
      await page.locator('input[name="name"]:visible').fill("   ");
      await follow(page.getByRole("button", { name: "Rename" }));
      expect(await page.locator('[role="alert"]').innerText()).toContain("A name must have 1 to 200 characters");
      expect((await connectionOf("contacts")).display_name).toBe(name);
    });
  }

  test("P-06 a connection that does not exist is reported as missing", async () => {
    for (const path of ["cin_none", "cin_none/delete", "%00", "..%2f.."]) {
      const { page } = await it.open(`/dashboard/connections/${path}`);
      expect(await page.locator("main").innerText()).toMatch(/no connection/i);
    }
  });

  test("SECURITY row 17 a hostile name is shown as text, on its page and on pages that link to it", async () => {
    const { connection_id } = await connectionOf("media");
    for (const name of HOSTILE.slice(0, 6)) {
      await it.server.call("PATCH", `/v1/connections/${connection_id}`, { body: { display_name: name } });
      for (const path of ["", `/${connection_id}`, `/${connection_id}/delete`]) {
        const { page, complaints } = await it.open(`/dashboard/connections${path}`);
        expect(await page.locator("main").innerText()).toContain(name);
        expect(await page.evaluate("'__hit' in window")).toBe(false);
        expect(complaints).toEqual([]);
        await page.context().close();
      }
    }
  });
});

describe("P-06 deleting a connection", () => {
  for (const javaScript of [true, false]) {
    test(`P-06 previews the deletion, asks for confirmation, and reports what was deleted, ${javaScript ? "with" : "without"} JavaScript`, async () => {
      const id = await mailbox(`Doomed ${javaScript}`, `only here ${javaScript}`);
      await it.server.grant({ selections: [{ connection_id: id, stream: "messages" }], client_name: "Reader" });
      const { page } = await it.open(`/dashboard/connections/${id}`, { javaScript });
      await follow(page.getByRole("link", { name: "Delete…" }));
      const text = await page.locator("main").innerText();
      expect(text).toContain("1 record in 1 stream");
      expect(text).toMatch(/1 attachment, \d+ bytes/);
      expect(text).toContain("Apps that read it: “Reader”");
      expect(text).toContain("This cannot be undone. Back up first");
      expect(text).toContain(`pdpp backup ~/postern-backup --home ${it.server.home}`);
      // The server repeats every check that the browser makes.
      await page
        .locator("form input[required]")
        .evaluate((box) => box.removeAttribute("required"))
        .catch(() => undefined);
      if (javaScript) {
        await follow(page.getByRole("button", { name: "Delete" }));
        expect(await page.locator('[role="alert"]').innerText()).toContain("Nothing was deleted");
        expect((await it.server.all("/v1/connections")).map((one) => one.connection_id)).toContain(id);
      }
      await page.locator('input[name="sure"]').check();
      await page.getByRole("button", { name: "Delete" }).click();
      await page.waitForURL("**/dashboard/connections?done=deleted&records=1");
      expect(await page.locator(".alert.good").innerText()).toBe("Deleted the connection with 1 record.");
      expect((await it.server.all("/v1/connections")).map((one) => one.connection_id)).not.toContain(id);
    });
  }

  test("P-06 counts only attachments that no other record refers to", async () => {
    const [one] = [await mailbox("Copy one", "the same"), await mailbox("Copy two", "the same")];
    const twin = (await it.server.get(`/dashboard/connections/${one}/delete.json`)).body;
    expect(twin).toMatchObject({ records: 1, streams: 1, attachments: { count: 0, bytes: 0 }, apps: [] });
  });
});
