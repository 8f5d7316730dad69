// AI chat exports, written by hand in the formats of 2025, because no real exports were available.
import { expect, it } from "vitest";
import { parseDeclaration } from "../../../core/declaration-check.ts";
import { collect, memoryEntry, recognised, recordsOf, refusals } from "../../importer.fixture.ts";
import { hostileTogether, repeatsAndResumes } from "../hostile.fixture.ts";
import { aiChatsDeclaration } from "./declaration.ts";
import { aiChatsImporter as importer } from "./importer.ts";

const node = (id: string, parent: string | null, children: string[], message: object | null) => ({
  id,
  parent,
  children,
  message,
});
const said = (id: string, role: string, time: number | null, content: object, metadata: object = {}) => ({
  id,
  author: { role, name: role === "tool" ? "web.run" : null },
  create_time: time,
  content,
  metadata,
});
const text = (...parts: unknown[]) => ({ content_type: "text", parts });
const chatgpt = [
  {
    title: "Bread",
    create_time: 1700000000.5,
    update_time: 1700000100.25,
    mapping: {
      root: node("root", null, ["sys"], null),
      sys: node(
        "sys",
        "root",
        ["q1", "q2"],
        said("sys", "system", null, text(""), { is_visually_hidden_from_conversation: true }),
      ),
      q1: node("q1", "sys", ["a1"], said("q1", "user", 1700000001, text("How long?"))),
      a1: node("a1", "q1", [], said("a1", "assistant", 1700000002, text("An hour."), { model_slug: "gpt-4" })),
      q2: node(
        "q2",
        "sys",
        ["t1"],
        said(
          "q2",
          "user",
          1700000010,
          {
            content_type: "multimodal_text",
            parts: [
              { content_type: "image_asset_pointer", asset_pointer: "file-service://file-x" },
              "How long, in minutes?",
            ],
          },
          { attachments: [{ id: "file-x", name: "dough.jpg" }] },
        ),
      ),
      t1: node(
        "t1",
        "q2",
        ["w1"],
        said("t1", "assistant", 1700000011, {
          content_type: "thoughts",
          thoughts: [{ summary: "Minutes", content: "An hour is 60." }],
        }),
      ),
      w1: node("w1", "t1", ["a2"], said("w1", "tool", 1700000012, { content_type: "execution_output", text: "60" })),
      a2: node("a2", "w1", [], said("a2", "assistant", 1700000013, text("60 minutes."), { model_slug: "gpt-5" })),
    },
    current_node: "a2",
    conversation_id: "c1",
    default_model_slug: "gpt-5",
    is_archived: true,
  },
  { title: "No id", mapping: {} },
  "nothing",
];
const claude = [
  {
    uuid: "k1",
    name: "Taxes",
    summary: "About taxes",
    created_at: "2025-03-01T10:00:00.123456Z",
    updated_at: "2025-03-01T10:05:00.000000Z",
    account: { uuid: "u1" },
    chat_messages: [
      {
        uuid: "m1",
        text: "",
        content: [{ type: "text", text: "What is due?" }],
        sender: "human",
        created_at: "2025-03-01T10:00:00.123456Z",
        attachments: [{ file_name: "paste.txt", extracted_content: "Income: 5" }],
        files: [{ file_name: "scan.pdf" }],
      },
      {
        uuid: "m2",
        text: "Nothing.",
        content: [
          { type: "thinking", thinking: "Below the limit" },
          { type: "text", text: "Nothing." },
        ],
        sender: "assistant",
        created_at: "2025-03-01T10:00:09Z",
        attachments: [],
        files: [],
      },
      { uuid: "m3", text: "Old form", sender: "human", created_at: "2025-03-01T10:00:20Z" },
      { uuid: "m4", text: "", content: [], sender: "assistant", created_at: "2025-03-01T10:00:21Z" },
    ],
  },
];
const openai = [
  memoryEntry("conversations.json", JSON.stringify(chatgpt)),
  memoryEntry("user.json", JSON.stringify({ id: "user-1", email: "nora@example.org" })),
];
const anthropic = [
  memoryEntry("conversations.json", JSON.stringify(claude)),
  memoryEntry("users.json", JSON.stringify([{ uuid: "u1", full_name: "Nora", email_address: "nora@example.org" }])),
];

it("has a valid declaration", () => expect(() => parseDeclaration(aiChatsDeclaration)).not.toThrow());

it("P-05 ChatGPT: the visible branch in order, with replaced messages marked", async () => {
  const events = await collect(importer, openai);
  expect(recordsOf(events, "conversations").map(({ data }) => data)).toEqual([
    {
      id: "c1",
      service: "chatgpt",
      title: "Bread",
      model: "gpt-5",
      created_at: "2023-11-14T22:13:20.500Z",
      updated_at: "2023-11-14T22:15:00.250Z",
      message_count: 4,
      is_archived: true,
    },
  ]);
  const common = { conversation_id: "c1", conversation_title: "Bread", service: "chatgpt" };
  expect(recordsOf(events, "messages").map(({ data }) => data)).toEqual([
    {
      id: "c1/q2",
      ...common,
      role: "user",
      text: "How long, in minutes?",
      images: 1,
      sent_at: "2023-11-14T22:13:30.000Z",
      position: 0,
      attachments: ["dough.jpg"],
    },
    {
      id: "c1/t1",
      ...common,
      role: "assistant",
      thinking: "Minutes\n\nAn hour is 60.",
      sent_at: "2023-11-14T22:13:31.000Z",
      position: 1,
    },
    {
      id: "c1/w1",
      ...common,
      role: "tool",
      author: "web.run",
      text: "60",
      sent_at: "2023-11-14T22:13:32.000Z",
      position: 2,
    },
    {
      id: "c1/a2",
      ...common,
      role: "assistant",
      text: "60 minutes.",
      model: "gpt-5",
      sent_at: "2023-11-14T22:13:33.000Z",
      position: 3,
    },
    { id: "c1/q1", ...common, role: "user", text: "How long?", sent_at: "2023-11-14T22:13:21.000Z", is_replaced: true },
    {
      id: "c1/a1",
      ...common,
      role: "assistant",
      text: "An hour.",
      model: "gpt-4",
      sent_at: "2023-11-14T22:13:22.000Z",
      is_replaced: true,
    },
  ]);
  expect(events.filter(({ kind }) => kind === "error")).toMatchObject([
    { message: "the conversation has no id" },
    { message: "it is not an object" },
  ]);
  expect(events.filter(({ kind }) => kind === "skip")).toMatchObject([{ count: 2 }, { reason: "not a conversation" }]);
  expect((await importer.plan({ name: "x", entries: openai }, {})).account).toEqual({
    key: "chatgpt:user-1",
    name: "ChatGPT (nora@example.org)",
  });
});

it("P-05 Claude: messages as blocks and in the older form, with pasted text", async () => {
  const events = await collect(importer, anthropic);
  const common = { conversation_id: "k1", conversation_title: "Taxes", service: "claude" };
  expect(recordsOf(events, "messages").map(({ data }) => data)).toEqual([
    {
      id: "k1/m1",
      ...common,
      role: "user",
      text: "What is due?\n\nIncome: 5",
      sent_at: "2025-03-01T10:00:00.123Z",
      position: 0,
      attachments: ["paste.txt", "scan.pdf"],
    },
    {
      id: "k1/m2",
      ...common,
      role: "assistant",
      text: "Nothing.",
      thinking: "Below the limit",
      sent_at: "2025-03-01T10:00:09.000Z",
      position: 1,
    },
    { id: "k1/m3", ...common, role: "user", text: "Old form", sent_at: "2025-03-01T10:00:20.000Z", position: 2 },
  ]);
  expect(recordsOf(events, "conversations")[0]!.data).toMatchObject({
    id: "k1",
    summary: "About taxes",
    message_count: 3,
  });
  expect((await importer.plan({ name: "x", entries: anthropic }, {})).account).toEqual({
    key: "claude:u1",
    name: "Claude (nora@example.org)",
  });
});

it("P-05 Claude with parents: the branch of the last message is used", async () => {
  const message = (uuid: string, parent: string, sender = "human") => ({
    uuid,
    parent_message_uuid: parent,
    text: uuid,
    sender,
    created_at: "2025-03-01T10:00:00Z",
  });
  const tree = [
    {
      ...claude[0],
      chat_messages: [message("a", "0"), message("b", "a", "assistant"), message("c", "a", "assistant")],
    },
  ];
  const found = recordsOf(
    await collect(importer, [memoryEntry("conversations.json", JSON.stringify(tree))]),
    "messages",
  );
  expect(found.map(({ data: { text: words, position, is_replaced } }) => [words, position, is_replaced])).toEqual([
    ["a", 0, undefined],
    ["b", undefined, true],
    ["c", 1, undefined],
  ]);
});

it("SECURITY row 16: a tree with a cycle still produces each message once, whatever its current node", async () => {
  const mapping = {
    a: node("a", "b", ["b"], said("a", "user", 1, text("one"))),
    b: node("b", "a", [], said("b", "user", 2, text("two"))),
  };
  for (const current_node of ["a", "b", "gone", undefined]) {
    const entry = memoryEntry("conversations.json", JSON.stringify([{ conversation_id: "c", mapping, current_node }]));
    expect(
      recordsOf(await collect(importer, [entry]), "messages")
        .map(({ key }) => key)
        .sort(),
    ).toEqual(["c/a", "c/b"]);
  }
});

it("P-05 exports are recognised by their first conversation; an HTML page gets advice, and attached files are skipped", () => {
  expect(recognised(importer, "a/conversations.json", JSON.stringify(chatgpt))).toMatchObject({
    score: 95,
    group: "a",
    reason: "ChatGPT conversations",
  });
  expect(recognised(importer, "conversations.json", JSON.stringify(claude))).toMatchObject({
    score: 95,
    reason: "Claude conversations",
  });
  expect(recognised(importer, "conversations.json", '[{"id":1}]')).toBeUndefined();
  expect(recognised(importer, "user.json", "{}", ["conversations.json"])?.score).toBe(70);
  expect(recognised(importer, "user.json", "{}")).toBeUndefined();
  expect(recognised(importer, "chat.html", "<html><title>ChatGPT Data Export</title>")?.advice).toMatch(/zip/);
  expect(recognised(importer, "a/file-AbCdEfGhIjKlMnOp-dough.jpg", "x", ["a/conversations.json"])).toMatchObject({
    score: 85,
    group: "a",
  });
});

it("I-06 an object with a conversations list is read like the list itself", async () => {
  for (const list of [chatgpt, claude]) {
    const wrapped = JSON.stringify({ conversations: list });
    expect(recognised(importer, "conversations.json", wrapped)?.score).toBe(95);
    const [alone, under] = await Promise.all(
      [JSON.stringify(list), wrapped].map((json) => collect(importer, [memoryEntry("conversations.json", json)])),
    );
    expect(recordsOf(under!).map(({ stream, data }) => [stream, data])).toEqual(
      recordsOf(alone!).map(({ stream, data }) => [stream, data]),
    );
    expect(recordsOf(under!).length).toBeGreaterThan(2);
  }
});

it("P-05 produces the same records in every run, resumes from every checkpoint, and matches its declaration", async () => {
  const many = Array.from({ length: 700 }, (_, n) => ({ ...claude[0], uuid: `k${n}` }));
  const entries = [memoryEntry("conversations-000.json", JSON.stringify(many)), ...openai];
  await repeatsAndResumes(importer, entries);
  expect((await collect(importer, entries)).filter(({ kind }) => kind === "checkpoint").length).toBeGreaterThan(4);
  expect(await refusals(importer, entries)).toEqual([]);
});

it("SECURITY row 16: truncated and damaged exports never crash the parser", async () => {
  await hostileTogether(importer, openai);
  await hostileTogether(importer, anthropic);
});
