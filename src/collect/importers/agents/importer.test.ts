// Coding-agent logs: both formats line by line, logs that grow, damage, and repeated runs.
import { expect, it } from "vitest";
import { parseDeclaration } from "../../../core/declaration-check.ts";
import { collect, memoryEntry, recognised, recordsOf, refusals } from "../../importer.fixture.ts";
import { hostile, repeatsAndResumes } from "../hostile.fixture.ts";
import { agentsDeclaration } from "./declaration.ts";
import { agentsImporter } from "./importer.ts";

const jsonl = (lines: readonly unknown[]): string => `${lines.map((line) => JSON.stringify(line)).join("\n")}\n`;
const common = { sessionId: "s1", cwd: "/work/shop", gitBranch: "main", version: "1.0.9", userType: "external" };

const claude = [
  { type: "summary", summary: "Fix the till", leafUuid: "u9" },
  {
    type: "user",
    uuid: "u1",
    parentUuid: null,
    timestamp: "2025-06-14T10:00:00Z",
    ...common,
    message: { role: "user", content: "The till rounds down" },
  },
  {
    type: "assistant",
    uuid: "a1",
    parentUuid: "u1",
    timestamp: "2025-06-14T10:00:05.5Z",
    ...common,
    message: {
      role: "assistant",
      model: "claude-x",
      content: [
        { type: "thinking", thinking: "Look at round()", signature: "…" },
        { type: "text", text: "Let me look." },
        { type: "tool_use", id: "t1", name: "Bash", input: { command: "cat till.py" } },
      ],
    },
  },
  {
    type: "user",
    uuid: "u2",
    parentUuid: "a1",
    timestamp: "2025-06-14T10:00:06Z",
    ...common,
    message: {
      role: "user",
      content: [
        { type: "tool_result", tool_use_id: "t1", is_error: true, content: [{ type: "text", text: "no such file" }] },
      ],
    },
  },
  {
    type: "user",
    uuid: "u3",
    parentUuid: "u2",
    isMeta: true,
    timestamp: "2025-06-14T10:01:00Z",
    ...common,
    message: { role: "user", content: "<command-name>/clear</command-name>" },
  },
  { type: "file-history-snapshot", messageId: "m", snapshot: {} },
  { type: "user", uuid: "u4", timestamp: "2025-06-14T10:02:00Z", ...common, message: "error" },
];
const subagent = [
  {
    type: "assistant",
    uuid: "b1",
    isSidechain: true,
    timestamp: "2025-06-14T10:30:00Z",
    ...common,
    message: { role: "assistant", model: "claude-y", content: [{ type: "text", text: "Searched." }] },
  },
];
const item = (timestamp: string, payload: unknown) => ({ timestamp, type: "response_item", payload });
const codex = [
  {
    timestamp: "2025-10-01T08:00:00.000Z",
    type: "session_meta",
    payload: {
      id: "c1",
      timestamp: "2025-10-01T07:59:59.000Z",
      cwd: "/work/api",
      cli_version: "0.42.0",
      git: { branch: "dev" },
    },
  },
  item("2025-10-01T08:00:00.100Z", {
    type: "message",
    role: "user",
    content: [{ type: "input_text", text: "<environment_context>…" }],
  }),
  { timestamp: "2025-10-01T08:00:01.000Z", type: "turn_context", payload: { model: "gpt-5-codex", cwd: "/work/api" } },
  item("2025-10-01T08:00:01.000Z", {
    type: "message",
    role: "user",
    content: [
      { type: "input_text", text: "Add a test" },
      { type: "input_image", image_url: "data:…" },
    ],
  }),
  {
    timestamp: "2025-10-01T08:00:01.000Z",
    type: "event_msg",
    payload: { type: "user_message", message: "Add a test" },
  },
  item("2025-10-01T08:00:02.000Z", {
    type: "reasoning",
    summary: [{ type: "summary_text", text: "Where are tests?" }],
    encrypted_content: "x",
  }),
  item("2025-10-01T08:00:02.500Z", { type: "reasoning", summary: [], encrypted_content: "x" }),
  item("2025-10-01T08:00:03.000Z", {
    type: "function_call",
    name: "shell",
    arguments: '{"command":["ls"]}',
    call_id: "k1",
  }),
  item("2025-10-01T08:00:04.000Z", {
    type: "function_call_output",
    call_id: "k1",
    output: '{"output":"ls: denied","metadata":{"exit_code":2}}',
  }),
  item("2025-10-01T08:00:05.000Z", {
    type: "local_shell_call",
    call_id: "k2",
    status: "completed",
    action: { type: "exec", command: ["cat", "a b"] },
  }),
  item("2025-10-01T08:00:06.000Z", {
    type: "message",
    role: "assistant",
    content: [{ type: "output_text", text: "Done." }],
  }),
];

it("has a valid declaration", () => expect(() => parseDeclaration(agentsDeclaration)).not.toThrow());

it("P-05 Claude Code: messages, reasoning, tool calls with results, one session across two logs", async () => {
  const entries = [memoryEntry("s1.jsonl", jsonl(claude)), memoryEntry("s1/agent-b.jsonl", jsonl(subagent))];
  const events = await collect(agentsImporter, entries);
  expect(recordsOf(events, "messages").map(({ data }) => data)).toEqual([
    {
      id: "s1/u1",
      session_id: "s1",
      agent: "claude-code",
      role: "user",
      text: "The till rounds down",
      sent_at: "2025-06-14T10:00:00.000Z",
    },
    {
      id: "s1/a1",
      session_id: "s1",
      agent: "claude-code",
      role: "assistant",
      text: "Let me look.",
      thinking: "Look at round()",
      model: "claude-x",
      sent_at: "2025-06-14T10:00:05.500Z",
      parent_id: "s1/u1",
    },
    {
      id: "s1/u3",
      session_id: "s1",
      agent: "claude-code",
      role: "user",
      text: "<command-name>/clear</command-name>",
      sent_at: "2025-06-14T10:01:00.000Z",
      parent_id: "s1/u2",
      is_meta: true,
    },
    {
      id: "s1/b1",
      session_id: "s1",
      agent: "claude-code",
      is_sidechain: true,
      role: "assistant",
      text: "Searched.",
      model: "claude-y",
      sent_at: "2025-06-14T10:30:00.000Z",
    },
  ]);
  expect(recordsOf(events, "tool_calls").map(({ data }) => data)).toEqual([
    {
      id: "s1/t1",
      session_id: "s1",
      agent: "claude-code",
      name: "Bash",
      input: '{"command":"cat till.py"}',
      called_at: "2025-06-14T10:00:05.500Z",
    },
  ]);
  expect(recordsOf(events, "tool_results").map(({ data }) => data)).toEqual([
    {
      id: "s1/t1",
      session_id: "s1",
      agent: "claude-code",
      output: "no such file",
      is_error: true,
      finished_at: "2025-06-14T10:00:06.000Z",
    },
  ]);
  expect(recordsOf(events, "sessions").map(({ data, entry }) => [entry.path, data])).toEqual([
    [
      "s1/agent-b.jsonl",
      {
        id: "s1",
        agent: "claude-code",
        title: "Fix the till",
        project: "/work/shop",
        branch: "main",
        version: "1.0.9",
        model: "claude-x",
        started_at: "2025-06-14T10:00:00.000Z",
        ended_at: "2025-06-14T10:30:00.000Z",
      },
    ],
  ]);
  expect(events.filter(({ kind }) => kind === "error")).toMatchObject([{ message: "its message has no content" }]);
  expect(await refusals(agentsImporter, entries)).toEqual([]);
});

it("P-05 Codex: messages, reasoning, calls and outputs, without lines that repeat them", async () => {
  const entries = [memoryEntry("rollout-2025-10-01T07-59-59-c1.jsonl", jsonl(codex))];
  const events = await collect(agentsImporter, entries);
  expect(
    recordsOf(events, "messages").map(({ data: { role, text, thinking, model, images, is_meta } }) => [
      role,
      text ?? thinking,
      model,
      images,
      is_meta,
    ]),
  ).toEqual([
    ["user", "<environment_context>…", undefined, undefined, true],
    ["user", "Add a test", undefined, 1, undefined],
    ["assistant", "Where are tests?", "gpt-5-codex", undefined, undefined],
    ["assistant", "Done.", "gpt-5-codex", undefined, undefined],
  ]);
  expect(recordsOf(events, "tool_calls").map(({ data }) => [data.id, data.name, data.input])).toEqual([
    ["c1/k1", "shell", '{"command":["ls"]}'],
    ["c1/k2", "shell", '{"command":["cat","a b"]}'],
  ]);
  expect(recordsOf(events, "tool_results").map(({ data }) => [data.id, data.output, data.is_error])).toEqual([
    ["c1/k1", "ls: denied", true],
  ]);
  expect(recordsOf(events, "sessions").map(({ data }) => data)).toEqual([
    {
      id: "c1",
      agent: "codex",
      title: "Add a test",
      project: "/work/api",
      branch: "dev",
      version: "0.42.0",
      model: "gpt-5-codex",
      started_at: "2025-10-01T07:59:59.000Z",
      ended_at: "2025-10-01T08:00:06.000Z",
    },
  ]);
  expect(events.filter(({ kind }) => kind === "skip")).toHaveLength(3);
  expect(await refusals(agentsImporter, entries)).toEqual([]);
  expect((await agentsImporter.plan({ name: "x", entries }, {})).account).toEqual({ key: "codex", name: "Codex" });
});

it("P-05 Codex before September 2025: lines without an envelope or times", async () => {
  const old = [
    { id: "c0", timestamp: "2025-05-01T08:00:00.000Z", instructions: null },
    { record_type: "state" },
    { type: "message", role: "user", content: [{ type: "input_text", text: "hi" }] },
  ];
  const events = await collect(agentsImporter, [memoryEntry("rollout-x-c0.jsonl", jsonl(old))]);
  expect(recordsOf(events, "messages")).toMatchObject([{ data: { session_id: "c0", text: "hi" } }]);
  expect(recordsOf(events, "messages")[0]!.data).not.toHaveProperty("sent_at");
});

it("X-13 the import of a log that grew continues where the previous import stopped; a half-written line is imported once it is complete", async () => {
  const whole = Buffer.from(jsonl(claude.slice(0, 5)));
  const cutAt = whole.indexOf('"u2"');
  const first = await collect(agentsImporter, [memoryEntry("s1.jsonl", whole.subarray(0, cutAt))]);
  expect(first.at(-2)).toMatchObject({
    kind: "record",
    stream: "sessions",
    data: { ended_at: "2025-06-14T10:00:05.500Z" },
  });
  expect(first.filter(({ kind }) => kind === "skip")).toHaveLength(2);
  const last = first.at(-1) as { position?: never };
  const grown = await collect(agentsImporter, [memoryEntry("s1.jsonl", whole)], {
    resume: { entry: "s1.jsonl", position: last.position },
  });
  expect(grown.map((event) => (event.kind === "record" ? `${event.stream} ${event.key}` : event.kind))).toEqual([
    "tool_results s1/t1",
    "messages s1/u3",
    "sessions s1",
    "checkpoint",
  ]);
  const once = await collect(agentsImporter, [memoryEntry("s1.jsonl", whole)]);
  expect(recordsOf(grown, "sessions")[0]!.data).toEqual(recordsOf(once, "sessions")[0]!.data);
});

it("a log that was copied to a second folder produces the same records", async () => {
  const twice = [memoryEntry("a/s1.jsonl", jsonl(claude)), memoryEntry("b/s1.jsonl", jsonl(claude))];
  const found = recordsOf(await collect(agentsImporter, twice));
  const seen = new Map<string, string>();
  for (const { stream, key, data } of found) {
    const text = JSON.stringify(data);
    expect(seen.get(`${stream} ${key}`) ?? text).toBe(text);
    seen.set(`${stream} ${key}`, text);
  }
  expect(found.filter(({ stream }) => stream === "sessions")).toHaveLength(1);
});

it("P-05 logs are recognised by their first lines", () => {
  expect(recognised(agentsImporter, "x.jsonl", jsonl(claude))).toMatchObject({ score: 95, group: "Claude Code" });
  expect(recognised(agentsImporter, "x.jsonl", jsonl(codex))).toMatchObject({ score: 95, group: "Codex" });
  expect(recognised(agentsImporter, "rollout-1.jsonl", '{"id":"c0","timestamp":"2025-05-01T08:00:00Z"}\n')?.group).toBe(
    "Codex",
  );
  expect(
    recognised(agentsImporter, "orders.jsonl", '{"id":"c0","timestamp":"2025-05-01T08:00:00Z"}\n'),
  ).toBeUndefined();
  expect(recognised(agentsImporter, "a.json", '{"sessionId":"x"}')).toBeUndefined();
});

it("P-05 produces the same records in every run and resumes from every checkpoint", async () => {
  const many = Array.from({ length: 2500 }, (_, n) => ({
    ...claude[1],
    uuid: `n${n}`,
    timestamp: new Date(1_750_000_000_000 + n * 1000).toISOString(),
  }));
  await repeatsAndResumes(agentsImporter, [
    memoryEntry("a.jsonl", jsonl([...claude, ...many])),
    memoryEntry("b.jsonl", jsonl(subagent)),
  ]);
  await repeatsAndResumes(agentsImporter, [memoryEntry("rollout-c1.jsonl", jsonl(codex).slice(0, -20))]);
});

it("SECURITY row 16: truncated, damaged and deeply nested logs never crash the parser", async () => {
  await hostile(agentsImporter, "s1.jsonl", Buffer.from(jsonl(claude)));
  await hostile(agentsImporter, "rollout-c1.jsonl", Buffer.from(jsonl(codex)));
  const deep = `{"type":"assistant","sessionId":"s","uuid":"u","isSidechain":false,"message":{"content":[{"type":"tool_use","id":"t","input":${"[".repeat(200_000)}${"]".repeat(200_000)}}]}}\n`;
  const events = await collect(agentsImporter, [memoryEntry("s.jsonl", deep)]);
  expect(events.map(({ kind }) => kind)).toEqual(["error", "record", "checkpoint"]);
});
