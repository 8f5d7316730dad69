// K-01: every source declares the kinds of its records. Search, records and pages get titles and times from them.
import { globSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bankDeclaration } from "../src/collect/importers/bank/declaration.ts";
import { calendarDeclaration } from "../src/collect/importers/calendar/declaration.ts";
import { contactsDeclaration } from "../src/collect/importers/contacts/declaration.ts";
import { mailDeclaration } from "../src/collect/importers/mail/declaration.ts";
import type { SourceDeclaration } from "../src/contract/declaration.ts";
import { KINDS } from "../src/contract/kinds.ts";
import { parseDeclaration } from "../src/core/declaration-check.ts";
import { rolesOf } from "../src/core/roles.ts";
import { HOME_OWNER, newHome, type TestServer, testServer } from "./harness.ts";
import { ok, pdpp } from "./pdpp.ts";

const root = join(import.meta.dirname, "..");
const declarations: [path: string, source: SourceDeclaration][] = [];
for (const path of globSync("src/{collect/importers/*,files}/declaration.ts", { cwd: root }).sort()) {
  const exported: Record<string, unknown> = await import(join(root, path));
  for (const value of Object.values(exported)) {
    if (typeof value === "object" && value !== null && "streams" in value)
      declarations.push([path, value as SourceDeclaration]);
  }
}
/** Streams without a kind: parts of other records, and lists of settings. */
const NO_KIND = new Set([
  "agents/tool_calls",
  "agents/tool_results",
  "google-location/frequent_places",
  "health/activity_days",
  "health/profile",
  "notes/notebooks",
  "x/follows",
]);

/** Roles that the source has no data for. */
const UNKNOWN: Record<string, string[]> = { "x/likes": ["time"], "health/correlations": ["value"] };

describe("K-01 declarations", () => {
  test.each(declarations)(
    "%s declares a kind for each stream, with the roles that the kind should have",
    (path, source) => {
      parseDeclaration(source);
      for (const stream of source.streams) {
        const name = `${path.split("/").at(-2)}/${stream.name}`;
        const roles = rolesOf(stream.schema);
        expect(roles === undefined, name).toBe(NO_KIND.has(name));
        if (roles === undefined) continue;
        const held = Object.keys(roles.fields).map((role) => role.split(".")[0]);
        const missing = KINDS[roles.kind].roles.filter((role) => !held.includes(role));
        expect(missing, name).toEqual(UNKNOWN[name] ?? []);
      }
    },
  );

  const schema = (properties: object, kind: unknown = "event"): unknown => ({
    ...structuredClone(calendarDeclaration),
    streams: [
      {
        name: "things",
        semantics: "mutable_state",
        schema: { type: "object", "x-kind": kind, properties: { id: { type: "string" }, ...properties } },
        primary_key: ["id"],
      },
    ],
  });
  test.each<[string, unknown, RegExp]>([
    ["an unknown kind", schema({}, "evnt"), /x-kind: "evnt" is not a kind.*email, message/],
    [
      "a role of another kind",
      schema({ a: { type: "string", "x-role": "amount" } }),
      /a\.x-role: amount is not a role of event; it has time, title/,
    ],
    [
      "a title that is a number",
      schema({ a: { type: "number", "x-role": "title" } }),
      /title needs type string, and a is number/,
    ],
    ["a time that is text", schema({ a: { type: "string", "x-role": "time" } }), /time needs format date-time or date/],
    ["a role without a kind", schema({ a: { type: "string", "x-role": "title" } }, null), /x-kind: null is not a kind/],
  ])("%s is refused, and the error shows the correct form", (_what, declaration, message) => {
    expect(() => parseDeclaration(declaration)).toThrow(message);
  });
});

describe("K-01 uses of kinds", () => {
  const home = newHome();
  let server: TestServer;
  let calendar: string;
  beforeAll(async () => {
    server = await testServer({ home });
    await server.register("calendar", calendarDeclaration);
    await server.register("contacts", contactsDeclaration);
    calendar = await server.connect("calendar");
    const event = { id: "e1", title: "Planning meeting", starts_at: "2008-10-06T09:00:00Z" };
    await server.ingest("events", calendar, [{ key: "e1", data: { ...event, updated_at: "2020-01-01T00:00:00Z" } }]);
    await server.register("mail", mailDeclaration);
    await server.register("bank", bankDeclaration);
    await server.connect("bank");
    const mail = {
      id: "m1",
      subject: "Harbour",
      body: "The whole text",
      sent_at: "2026-03-01T10:00:00Z",
      folder: "Inbox",
    };
    const people = {
      from_name: "Ada Byrne",
      to: [
        { name: "Zoë Ott", address: "zoe@example.org" },
        { name: "", address: "ada@example.com" },
      ],
    };
    await server.ingest("messages", await server.connect("mail"), [{ key: "m1", data: { ...mail, ...people } }]);
    const contact = { id: "c1", name: "Sylvia Earle", title: "Oceanographer" };
    await server.ingest("contacts", await server.connect("contacts"), [{ key: "c1", data: contact }]);
  });
  let isOpen = true;
  const close = async (): Promise<void> => {
    if (isOpen) await server.close();
    isOpen = false;
  };
  afterAll(async () => {
    await close();
    rmSync(home, { recursive: true, force: true });
  });

  test("K-01 a search hit has the event's time and the contact's name", async () => {
    const search = async (q: string) => (await server.get("/v1/search", { query: { q } })).body.data[0];
    expect(await search("planning")).toMatchObject({
      title: "Planning meeting",
      authored_at: "2008-10-06T09:00:00.000Z",
    });
    expect(await search("oceanographer")).toMatchObject({ title: "Sylvia Earle" });
  });

  test("K-01 the stream has its kind and the granted fields of each role", async () => {
    const { body } = await server.get("/v1/streams/events", { query: { connection_id: calendar } });
    expect(body).toMatchObject({ kind: "event", roles: { time: ["starts_at"], participants: ["attendees"] } });
    const granted = await server.grant({
      selections: [{ connection_id: calendar, stream: "events", fields: ["title"] }],
    });
    const seen = await server.get("/v1/streams/events", { token: granted.access_token });
    expect(seen.body.kind).toBe("event");
    expect(Object.keys(seen.body.roles)).toEqual(["title"]);
  });

  test("K-01 the consent presets are derived from kinds and roles; no two are equal, and presets without text show no text", async () => {
    const client = { client_id: "app", name: "App", redirect_uri: "" };
    const { streams } = await server.host.call("consentOffer", { client }, HOME_OWNER);
    const labels = (stream: string) => streams.find((one) => one.stream === stream)!.presets.map(({ label }) => label);
    expect(labels("messages")).toEqual([
      "All details",
      "Without their text and attached files",
      "Only subjects and dates",
      "As little as possible",
    ]);
    expect(labels("transactions").slice(1, 3)).toEqual(["Without their text", "Only dates, amounts and currencies"]);
    for (const { stream, fields, roles = {}, presets } of streams) {
      const always = fields.filter((field) => field.always).map(({ name }) => name);
      const granted = presets.map((preset) => [...new Set([...always, ...preset.fields])].sort().join());
      expect(new Set(granted).size, stream).toBe(presets.length);
      const texts = Object.entries(roles).flatMap(([role, names]) => (role.startsWith("text") ? names : []));
      for (const preset of presets.filter(({ label }) => /Without their text|Only/.test(label)))
        expect(
          texts.filter((name) => preset.fields.includes(name) && !always.includes(name)),
          stream,
        ).toEqual([]);
    }
  });

  test("K-01 a CLI table starts with time and title, followed by the main fields of the kind", async () => {
    await close();
    const shown = await ok(pdpp(["query", "messages", "--home", home]));
    expect(shown.stdout.split("\n")[0]!.split(/ {2,}/)).toEqual([
      "id",
      "sent_at",
      "subject",
      "from_name",
      "to",
      "folder",
    ]);
    expect(shown.stdout).toContain("Zoë Ott, ada@example.com");
    expect(shown.stdout).not.toContain("The whole text");
    expect(shown.stderr).toMatch(/Not shown: .*body/);
    const events = await ok(pdpp(["query", "events", "--home", home]));
    expect(events.stdout.split("\n")[0]).toMatch(/^id +starts_at +title/);
    const asked = await ok(pdpp(["query", "messages", "--fields", "body", "--home", home]));
    expect(asked.stdout.split("\n")[0]).toMatch(/^id +body$/);
  });
});
