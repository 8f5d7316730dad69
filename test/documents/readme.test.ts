// W-02: the README fits on two screens, has its parts in order, and its statements are correct.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { IMPORTERS } from "../../src/collect/importers/index.ts";
import { blocksOf, ROOT } from "./blocks.ts";

const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");
const readme = read("README.md");
/** The text as a reader sees it, without comments. */
const lines = readme.split("\n").filter((line) => !line.startsWith("<!-- "));

/**
 * A word for each importer that must be in the table of sources. The test fails if an importer or its word is missing.
 */
const SOURCES: Record<string, string> = {
  agents: "coding agents",
  "ai-chats": "ChatGPT",
  bank: "OFX",
  bluesky: "Bluesky",
  bookmarks: "bookmarks",
  "browser-history": "browser history",
  calendar: "iCalendar",
  contacts: "vCard",
  discord: "Discord",
  facebook: "Facebook",
  github: "GitHub",
  "google-activity": "Google activity",
  "google-chat": "Google Chat",
  "google-location": "Google location history",
  health: "Apple Health",
  imessage: "iMessage",
  instagram: "Instagram",
  kindle: "Kindle",
  linkedin: "LinkedIn",
  mail: "mbox",
  mastodon: "Mastodon",
  media: "Spotify",
  "note-apps": "Evernote",
  notes: "Obsidian",
  photos: "photos",
  reddit: "Reddit",
  "saved-pages": "Pocket",
  shell: "shell history",
  shelves: "Goodreads",
  signal: "Signal",
  skype: "Skype",
  slack: "Slack",
  sms: "SMS",
  strava: "Strava",
  tables: "any CSV",
  telegram: "Telegram",
  tracks: "GPX",
  whatsapp: "WhatsApp",
  x: "X,",
};

describe("W-02 the README", () => {
  it("W-02 fits on two screens", () => {
    expect(lines.length).toBeLessThanOrEqual(100);
    expect(lines.join(" ").split(/\s+/).length).toBeLessThanOrEqual(750);
  });

  it("W-02 has its sections in the right order", () => {
    const parts: [string, RegExp][] = [
      ["one sentence", /^# Postern\n\n[^.]+\.\n\n/],
      ["the timeline", /^!\[[^\]]+\]\(docs\/screenshots\/timeline\.png\)$/m],
      ["why, in three points", /(?:^- \*\*[^*]+\.\*\* [^-]+){3}\n## /m],
      ["how to start it, with output", /^```console\n\$ npm start .*\n\S/m],
      ["a question, with its answer", /^```console\n\$ pdpp aggregate .*\n\S/m],
      ["connect an app, one command", /^## Connect an app\n[^`]*```sh\npdpp setup \S+.*\n```$/m],
      ["import your data, one command", /^## Import your data\n[^`]*```sh\npdpp import \S+.*\n```$/m],
      ["the table of sources", /^\| from \| what \|$/m],
      ["the consent screen", /^!\[[^\]]+\]\(docs\/screenshots\/consent\.png\)$/m],
      ["performance", /^## Performance$/m],
      ["next steps", /^## Next steps\n\n- \[Tutorial\]\(docs\/use\/tutorial\.md\)/m],
    ];
    const text = lines.join("\n");
    const places = parts.map(([name, pattern]) => ({ name, at: text.search(pattern) }));
    expect(places.filter(({ at }) => at < 0)).toEqual([]);
    expect(places.map(({ name }) => name)).toEqual([...places].sort((a, b) => a.at - b.at).map(({ name }) => name));
    expect(blocksOf("README.md").filter(({ language }) => language === "console")).toHaveLength(2);
  });

  it("W-02 shows pictures that exist", () => {
    const pictures = [...readme.matchAll(/!\[[^\]]+\]\(([^)]+)\)/g)].map(([, path]) => path!);
    expect(pictures.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  it("W-02 lists every source that can be imported", () => {
    const table = lines.filter((line) => line.startsWith("| ")).join("\n");
    expect(Object.keys(SOURCES).sort()).toEqual(IMPORTERS.map(({ name }) => name).sort());
    expect(Object.values(SOURCES).filter((words) => !table.includes(words))).toEqual([]);
  });

  it("W-02 its figures for speed and size match the pages with tested or measured figures", () => {
    const [, takes] = /takes about (\d+) ms on two cores; `npm run bench` measures this/.exec(
      readme.replaceAll("\n", " "),
    )!;
    const row = /^\| count by field ÷ SQL over JSON \|.*$/m.exec(read("docs/work/performance.md"))![0];
    const measured = Number(/\| ([\d.]+) ms \|/.exec(row)![1]);
    expect(Number(takes)).toBe(Math.round(measured));
    const [, records] = /^\| \*\*all\*\* \| \| \| \*\*([\d,]+)\*\* \|$/m.exec(read("docs/use/demo.md"))!;
    for (const path of ["README.md", "docs/use/tutorial.md"]) expect(read(path)).toContain(`\n${records} records in `);
  });
});
