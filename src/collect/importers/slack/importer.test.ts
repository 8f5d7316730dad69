// A Slack export, small and written by hand, so that every record is known.
import { describe, expect, it } from "vitest";
import { parseDeclaration } from "../../../core/declaration-check.ts";
import { collect, memoryEntry, recognised, recordsOf } from "../../importer.fixture.ts";
import { hostileTogether, repeatsAndResumes } from "../hostile.fixture.ts";
import { slackDeclaration } from "./declaration.ts";
import { slackImporter } from "./importer.ts";
import { plainText } from "./mrkdwn.ts";

const users = [
  {
    id: "U00000001",
    team_id: "T0PIKE",
    name: "nora",
    tz: "Europe/Dublin",
    profile: { real_name: "Nora Byrne", display_name: "nora", email: "nora@pike.example" },
    updated: 1600000000,
  },
  {
    id: "U00000002",
    team_id: "T0PIKE",
    name: "oisin",
    deleted: true,
    profile: { real_name: "Oisín Doyle", display_name: "" },
  },
];
const channels = [
  {
    id: "C00000001",
    name: "räume",
    created: 1500000000,
    members: ["U00000001"],
    topic: { value: "Rooms" },
    is_archived: false,
  },
];
const dms = [{ id: "D00000001", created: 1500000001, members: ["U00000001", "U00000002"] }];
const day = [
  {
    type: "message",
    user: "U00000001",
    text: "Hello <@U00000002> &amp; all",
    ts: "1600000001.000100",
    thread_ts: "1600000001.000100",
    reply_count: 1,
  },
  {
    type: "message",
    user: "U00000002",
    text: "see <https://a.example/x|the plan> in <#C00000001|old-name>",
    ts: "1600000002.000200",
    thread_ts: "1600000001.000100",
    edited: { user: "U00000002", ts: "1600000100.000000" },
    reactions: [{ name: "+1", users: ["U00000001"], count: 1 }],
  },
  {
    type: "message",
    subtype: "bot_message",
    username: "ci",
    bot_id: "B1",
    text: "",
    attachments: [{ fallback: "built", title: "Build 7", title_link: "https://ci.example/7" }],
    ts: "1600000003.000000",
  },
  {
    type: "message",
    user: "U00000009",
    text: "",
    ts: "1600000004.000000",
    files: [
      {
        id: "F1",
        name: "a.pdf",
        mimetype: "application/pdf",
        size: 12,
        url_private: "https://files.slack.com/a.pdf?t=xoxe-secret",
      },
    ],
  },
  { type: "message", text: "no time" },
];
const json = (value: unknown): string => JSON.stringify(value, null, 4);
const entries = [
  memoryEntry("D00000001/2020-09-13.json", json([{ user: "U00000002", text: "hi", ts: "1600000005.000000" }])),
  memoryEntry("channels.json", json(channels)),
  memoryEntry("dms.json", json(dms)),
  memoryEntry("integration_logs.json", "[]"),
  memoryEntry("räume/2020-09-13.json", json(day)),
  memoryEntry("users.json", json(users)),
];

describe("Slack", () => {
  it("has a valid declaration", () => {
    expect(() => parseDeclaration(slackDeclaration)).not.toThrow();
  });

  it("P-05 imports messages with threads, reactions, files and the names of people", async () => {
    const events = await collect(slackImporter, entries);
    expect(recordsOf(events, "messages").map(({ data }) => data)).toEqual([
      {
        id: "D00000001-1600000005.000000",
        conversation_id: "D00000001",
        conversation_name: "nora, Oisín Doyle",
        kind: "message",
        sender_id: "U00000002",
        sender_name: "Oisín Doyle",
        text: "hi",
        sent_at: "2020-09-13T12:26:45.000Z",
      },
      {
        id: "C00000001-1600000001.000100",
        conversation_id: "C00000001",
        conversation_name: "räume",
        kind: "message",
        sender_id: "U00000001",
        sender_name: "nora",
        text: "Hello @Oisín Doyle & all",
        sent_at: "2020-09-13T12:26:41.000Z",
        reply_count: 1,
      },
      {
        id: "C00000001-1600000002.000200",
        conversation_id: "C00000001",
        conversation_name: "räume",
        kind: "message",
        sender_id: "U00000002",
        sender_name: "Oisín Doyle",
        text: "see the plan (https://a.example/x) in #räume",
        sent_at: "2020-09-13T12:26:42.000Z",
        edited_at: "2020-09-13T12:28:20.000Z",
        thread_id: "C00000001-1600000001.000100",
        reactions: [{ emoji: "+1", count: 1, user_ids: ["U00000001"] }],
      },
      {
        id: "C00000001-1600000003.000000",
        conversation_id: "C00000001",
        conversation_name: "räume",
        kind: "bot_message",
        sender_id: "B1",
        sender_name: "ci",
        text: "built",
        sent_at: "2020-09-13T12:26:43.000Z",
        previews: [{ title: "Build 7", url: "https://ci.example/7" }],
      },
      {
        id: "C00000001-1600000004.000000",
        conversation_id: "C00000001",
        conversation_name: "räume",
        kind: "message",
        sender_id: "U00000009",
        sender_name: "U00000009",
        text: "",
        sent_at: "2020-09-13T12:26:44.000Z",
        files: [
          {
            id: "F1",
            name: "a.pdf",
            mime_type: "application/pdf",
            size_bytes: 12,
            url: "https://files.slack.com/a.pdf",
          },
        ],
      },
    ]);
    expect(recordsOf(events, "conversations").map(({ data }) => [data.id, data.kind, data.name])).toEqual([
      ["C00000001", "public", "räume"],
      ["D00000001", "direct", "nora, Oisín Doyle"],
    ]);
    expect(recordsOf(events, "users").map(({ data }) => [data.id, data.name, data.is_deleted])).toEqual([
      ["U00000001", "Nora Byrne", false],
      ["U00000002", "Oisín Doyle", true],
    ]);
    expect(events.filter(({ kind }) => kind === "error" || kind === "skip")).toMatchObject([
      { kind: "skip", entry: { path: "integration_logs.json" } },
      { kind: "error", message: "it has no ts", entry: { path: "räume/2020-09-13.json" } },
    ]);
  });

  it("X-13 reports the file and the byte offset of every message", async () => {
    const [record] = recordsOf(await collect(slackImporter, entries), "users");
    expect(json(users).slice(record!.offset).startsWith('{\n        "id": "U00000001"')).toBe(true);
  });

  it("uses its workspace as the account, in every export", async () => {
    const { account } = await slackImporter.plan({ name: "Pike Slack export Jan 1 2020 - Feb 1 2020", entries }, {});
    expect(account).toEqual({ key: "T0PIKE", name: "Pike" });
  });

  it("is recognised by its lists and daily files, not by any JSON", () => {
    const beside = ["x.zip/channels.json"];
    expect(recognised(slackImporter, "x.zip/general/2020-01-01.json", "[]", beside)).toMatchObject({
      score: 95,
      group: "x.zip",
    });
    expect(recognised(slackImporter, "users.json", json(users))?.score).toBe(80);
    expect(recognised(slackImporter, "users.json", '[{"id": 7, "name": "a"}]')).toBeUndefined();
    expect(recognised(slackImporter, "a/2020-01-01.json", "[]")).toBeUndefined();
  });

  it("P-05 produces the same records in every run, resumes from every checkpoint, and survives damaged files", async () => {
    await repeatsAndResumes(slackImporter, entries);
    await hostileTogether(slackImporter, entries);
  });
});

describe("Slack's markup", () => {
  const names = { user: (id: string) => ({ U1: "Ann" })[id], channel: () => undefined };
  it.each([
    ["<@U1> <@U2|bob> <@U3>", "@Ann @bob @U3"],
    ["<!here> <!subteam^S1|@crew> <!date^1392734382^{date}|18 February>", "@here @crew 18 February"],
    ["<mailto:a@b.example|a@b.example> <http://a.example|a.example>", "a@b.example http://a.example"],
    ["1 &lt; 2 &amp;&amp; *bold* <not a tag>", "1 < 2 && *bold* <not a tag>"],
    ["&amp;lt;", "&lt;"],
  ])("%s", (markup, plain) => {
    expect(plainText(markup, names)).toBe(plain);
  });
});
