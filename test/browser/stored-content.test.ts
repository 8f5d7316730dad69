// SECURITY row 17: what others wrote, brought in by real importers, is text on every page that shows it, in a real browser.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { BrowserContext } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openParser } from "../../src/collect/parser-thread.ts";
import { runImport } from "../../src/collect/run.ts";
import type { ImportJob } from "../../src/contract/import.ts";
import { recordUrl } from "../../src/surfaces/mcp/record-url.ts";
import { newSetupLink } from "../../src/surfaces/web/sign-in.ts";
import { HOME_OWNER, type Loose, type TestServer, testServer } from "../harness.ts";
import { ownerBrowser, setUp } from "../oauth/owner-browser.ts";
import { startBrowser, type TestBrowser } from "./browser.ts";

/** Each would set `__hit`, ask a foreign host, or run in a spreadsheet. */
const HOSTILE = [
  "<script>window.__hit=1</script>",
  `"><img src=x onerror="window.__hit=1">`,
  "'-(window.__hit=1)-' autofocus onfocus='window.__hit=1",
  "</pre></dd></title></textarea></script><svg onload=window.__hit=1>",
  `<svg><animate onbegin="window.__hit=1" attributeName=x dur=1s></svg>`,
  "javascript:window.__hit=1//",
  `<a href="java&#9;script:window.__hit=1" target=_blank>a link</a>`,
  `<iframe srcdoc="<script>parent.__hit=1</script>"></iframe>`,
  "<style>@import url(https://foreign.example/__hit.css);body{background:url(https://foreign.example/__hit)}</style>",
  `<div style="position:fixed;inset:0;background:url(//foreign.example/__hit)">over all</div>`,
  `<math><mtext><mglyph><style><!--</style><img title="--><img src=1 onerror=window.__hit=1>">`,
  `<meta http-equiv=refresh content="0;url=https://foreign.example/__hit"><base href=https://foreign.example/__hit/>`,
  "<form action=https://foreign.example/__hit><button autofocus onfocus=window.__hit=1>",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: what a template engine would fill in.
  "{{constructor.constructor('window.__hit=1')()}} ${window.__hit=1} <%= window.__hit=1 %>",
  "\u202e<\u200bscript>window.__hit=1</script> \uff1cscript\uff1ewindow.__hit=1\uff1c/script\uff1e",
  "&lt;script&gt;window.__hit=1&lt;/script&gt;&#60;img src=x onerror=window.__hit=1&#62;",
  `=HYPERLINK("https://foreign.example/__hit","x")`,
  "+cmd|' /C __hit'!A0",
  "-2+3+__hit",
  "@SUM(__hit)",
];
/** In a file's name, and so in provenance and labels too. */
const NAME = "<img src=x onerror=window.__hit=1>";

const word = (text: string): string => `=?utf-8?B?${Buffer.from(text).toString("base64")}?=`;
const html = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
const escaped = (text: string): string => text.replace(/[\\;,]/g, "\\$&");
const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
const mail = (text: string, index: number, type: string): string =>
  [
    `From: ${word(text)} <mallory@foreign.example>`,
    "To: nora@example.org",
    `Subject: ${word(text)}`,
    `Message-ID: <${index}.${type}@foreign.example>`,
    "Date: Fri, 31 May 2024 09:00:00 +0000",
    "MIME-Version: 1.0",
    `Content-Type: text/${type}; charset=utf-8`,
    "Content-Transfer-Encoding: base64",
    "",
    Buffer.from(type === "html" ? `<p>Hello</p>${text}<p>Bye</p>` : text).toString("base64"),
    "",
  ].join("\r\n");

/** What is given to each importer, and the field that must say what was written, letter by letter. */
const SOURCES: Record<string, { field: string; files: Record<string, string> }> = {
  messages: {
    field: "subject",
    files: Object.fromEntries(
      HOSTILE.map((text, index) => [`mail/${NAME}${index}.eml`, mail(text, index, index % 4 === 3 ? "plain" : "html")]),
    ),
  },
  contacts: {
    field: "note",
    files: {
      [`${NAME}.vcf`]: HOSTILE.map((text, index) => {
        const value = escaped(text);
        return `BEGIN:VCARD\r\nVERSION:4.0\r\nUID:c${index}\r\nFN:${value}\r\nNOTE:${value}\r\nORG:${value}\r\nURL:${value}\r\nEND:VCARD\r\n`;
      }).join(""),
    },
  },
  events: {
    field: "title",
    files: {
      [`${NAME}.ics`]: `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\n${HOSTILE.map((text, index) => {
        const value = escaped(text);
        return `BEGIN:VEVENT\r\nUID:e${index}\r\nDTSTAMP:20240531T090000Z\r\nDTSTART:20240531T090000Z\r\nSUMMARY:${value}\r\nDESCRIPTION:${value}\r\nLOCATION:${value}\r\nEND:VEVENT\r\n`;
      }).join("")}END:VCALENDAR\r\n`,
    },
  },
  bookmarks: {
    field: "title",
    files: {
      [`${NAME}.html`]: `<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><p>\n${HOSTILE.map(
        (text, index) =>
          `<DT><H3>${html(text)}</H3>\n<DL><p>\n<DT><A HREF="https://foreign.example/${index}" ADD_DATE="1700000000">${html(text)}</A>\n</DL><p>\n`,
      ).join("")}<DT><A HREF="javascript:window.__hit=1" ADD_DATE="1700000000">A bookmarklet</A>\n</DL><p>\n`,
    },
  },
  notes: {
    field: "body",
    files: Object.fromEntries(
      HOSTILE.map((text, index) => [
        `vault/${NAME}${index}.md`,
        `---\ntitle: ${JSON.stringify(text)}\ntags: [${JSON.stringify(text)}]\n---\n${text}`,
      ]),
    ),
  },
  table: {
    field: "said",
    files: {
      "table.csv": `id,said,${quoted(NAME)}\n${HOSTILE.map((text) => `${quoted(text)},${quoted(text)},${quoted(text)}\n`).join("")}`,
    },
  },
};

/** In the page: what an attack would have to become to do anything. */
const LOOK = `({
  hit: "__hit" in window,
  text: document.body.textContent,
  handlers: [...document.querySelectorAll("*")].filter(({ attributes }) =>
    [...attributes].some(({ name, value }) => name.startsWith("on") || /^\\s*java\\s*script:/i.test(value)),
  ).length,
  planted: document.querySelectorAll("iframe, math, base, object, embed, meta[http-equiv], [src*='__hit']").length,
})`;

let server: TestServer;
let browser: TestBrowser;
let context: BrowserContext;
const jobs = new Map<string, ImportJob>();

beforeAll(async () => {
  [server, browser] = await Promise.all([testServer(), startBrowser()]);
  for (const [stream, { files }] of Object.entries(SOURCES)) {
    const given = join(server.home, "given", stream);
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(dirname(join(given, name)), { recursive: true });
      writeFileSync(join(given, name), content);
    }
    const parser = openParser({ home: server.home, given: [given] });
    try {
      for (const group of (await parser.plan({})).groups) {
        const options = { host: server.host, credential: HOME_OWNER, parser, answers: {}, as: `${NAME} ${stream}` };
        jobs.set(stream, await runImport(options, group));
      }
    } finally {
      await parser.close();
    }
  }
  const owner = ownerBrowser(server.url);
  await setUp(owner, await newSetupLink(server.host, server.url));
  context = await browser.context();
  await context.addCookies([...owner.cookies].map(([name, value]) => ({ name, value, url: server.url })));
}, 60_000);
afterAll(async () => {
  await browser?.close();
  await server?.close();
});

const recordsOf = (stream: string): Promise<Loose[]> =>
  server.all(`/v1/streams/${stream}/records`, {
    query: { connection_id: jobs.get(stream)!.connection_id, limit: 100 },
  });

describe("P-05 SECURITY row 17: stored content attacks nobody", () => {
  test.each(Object.entries(SOURCES))("row 17 %s: every record's page shows it as text", async (stream, { field }) => {
    const records = await recordsOf(stream);
    expect(records.map(({ data }) => String(data[field]).trim())).toEqual(expect.arrayContaining(HOSTILE));
    const page = await context.newPage();
    const wrong: string[] = [];
    page.on("dialog", (dialog) => {
      wrong.push(`dialog ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") wrong.push(message.text());
    });
    page.on("pageerror", (error) => wrong.push(String(error)));
    page.on("request", (request) => {
      if (new URL(request.url()).origin !== server.url) wrong.push(`request ${request.url()}`);
    });
    for (const { id, connection_id, data } of records) {
      const address = recordUrl(server.url, { connection_id, stream, id });
      const answer = await page.goto(address);
      const seen = (await page.evaluate(LOOK)) as { hit: boolean; text: string; handlers: number; planted: number };
      expect([answer?.status(), page.url()], address).toEqual([200, address]);
      expect([seen.hit, seen.handlers, seen.planted], address).toEqual([false, 0, 0]);
      for (const value of Object.values(data)) {
        const shown = typeof value === "string" ? value : JSON.stringify(value, null, 2);
        if (shown.includes("__hit")) expect(seen.text).toContain(shown);
      }
    }
    await page.close();
    expect(wrong).toEqual([]);
  });

  test("row 17 mail in HTML is kept as text, without its scripts and styles", async () => {
    const records = await recordsOf("messages");
    for (const text of [HOSTILE[0], HOSTILE[8]]) {
      const { data } = records.find((one) => one.data.subject === text)!;
      expect(data.body.trim()).toMatch(/^Hello\s+Bye$/);
    }
  });

  test("row 17 the corpus does harm where it is not escaped", async () => {
    const page = await context.newPage();
    for (const index of [0, 1, 3, 4, 7]) {
      await page.goto("about:blank");
      await page.setContent(HOSTILE[index]!);
      await page.waitForFunction("'__hit' in window");
    }
    await page.close();
  });

  test("row 17 an export as CSV holds no cell that a spreadsheet would run", async () => {
    const { connection_id } = jobs.get("table")!;
    const { status, text } = await server.get("/v1/export", {
      query: { stream: "table", connection_id, format: "csv" },
    });
    expect(status).toBe(200);
    for (const formula of HOSTILE.filter((one) => /^[=+\-@]/.test(one))) {
      expect(text).toContain(`'${formula.replaceAll('"', '""')}`);
    }
    expect(text).not.toMatch(/(?:^|,)"?[=+\-@]/m);
  });
});
