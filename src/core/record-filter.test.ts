// Tests of grants limited to one chat, one folder or one category (V-08): which fields can be used, and what a query
// plan shows of a record that moves.
import { describe, expect, it } from "vitest";
import { bankDeclaration } from "../collect/importers/bank/declaration.ts";
import { mailDeclaration } from "../collect/importers/mail/declaration.ts";
import { whatsappDeclaration } from "../collect/importers/whatsapp/declaration.ts";
import type { ConsentChoice, ConsentQuery } from "../contract/consent.ts";
import type { DataAccess } from "../contract/data-access.ts";
import type { SourceDeclaration } from "../contract/declaration.ts";
import type { Grant, GrantedStream } from "../contract/grant.ts";
import { approve, consentOffer } from "./consent.ts";
import { grantPredicates } from "./filter.ts";
import { extendsGrants } from "./grant-extent.ts";
import { advanceHistory, type History, type RecordState, type Stamp, valuesIn, visibilityIn } from "./history.ts";
import { compilePlan, reveal, type StoredRow } from "./plan.ts";
import { filterFieldsOf, filterValues, resolvedFilter } from "./record-filter.ts";
import { grantScope, type ScopeRow } from "./scope.ts";
import { shapesOf } from "./shapes.fixture.ts";

const shapes = [
  ...shapesOf(mailDeclaration, "cin_mail", "Mail"),
  ...shapesOf(bankDeclaration, "cin_bank", "Bank"),
  ...shapesOf(whatsappDeclaration, "cin_chat", "WhatsApp"),
];
const shape = (connection: string, stream: string) =>
  shapes.find(({ connectionId, name }) => connectionId === connection && name === stream)!;
const messages = shape("cin_chat", "messages");
const FAMILY = { field: "chat_name", values: ["Family"] };

describe("V-08 fields that a grant can be limited by", () => {
  it("V-08 are derived from the roles of the kind, no matter what the source calls them", () => {
    const names = (connection: string, stream: string) =>
      filterFieldsOf(shape(connection, stream)).map(({ name, role }) => `${role} ${name}`);
    expect(names("cin_chat", "messages")).toEqual(["conversation chat_name"]);
    expect(names("cin_mail", "messages")).toEqual(["folder folder"]);
    expect(names("cin_bank", "transactions")).toEqual(["category category", "account account"]);
    expect(names("cin_chat", "chats")).toEqual([]);
  });

  it("V-08 are listed in the error if any other field is used", () => {
    expect(() => resolvedFilter(messages, { field: "sender_name", values: ["Ada"] })).toThrow(
      expect.objectContaining({ details: { param: "record_filter", next_step: "Use one of: chat_name." } }),
    );
    expect(() => resolvedFilter(shape("cin_chat", "chats"), FAMILY)).toThrow(/chats cannot be limited by "chat_name"/);
    expect(resolvedFilter(messages, { field: "chat_name", values: ["Family", "Family"] })).toEqual(FAMILY);
  });
});

const rowOf = (granted: Partial<GrantedStream>): ScopeRow | undefined => {
  const streams = [{ name: "messages", instance_ids: ["cin_chat"], fields: ["id", "text"], ...granted }];
  const grant = { grant_id: "grt_1", source: messages.source, streams } as unknown as Grant;
  return grantScope({ kind: "client", scope: "grant", subject_id: "s" } as never, [grant], shapes).rows[0];
};
const stored = (data: object | null, history: History | null = null): StoredRow => ({
  version: 9,
  id: "m1",
  ord: null,
  emittedAt: 0,
  ingestedAt: 0,
  data: data === null ? null : JSON.stringify(data),
  origin: null,
  history: history === null ? null : JSON.stringify(history),
});
const message = (chat_name: string | null, text = "hello") => ({ id: "m1", text, chat_name });

describe("V-08 a plan with a filter", () => {
  const row = rowOf({ record_filter: FAMILY })!;

  it("V-08 shows only records with the value, and hides the field if it is not granted", () => {
    const plan = compilePlan(row);
    expect(JSON.parse(reveal(plan, stored(message("Family")))!.data)).toEqual({ id: "m1", text: "hello" });
    for (const other of ["Work", "family", "", null]) expect(reveal(plan, stored(message(other)))).toBeUndefined();
    expect(reveal(plan, stored({ id: "m1" }))).toBeUndefined();
  });

  it("V-08 never reads in storage order, where adjacent records may be hidden", () => {
    expect(compilePlan(rowOf({})!).byOrder).toBe(true);
    expect(compilePlan(row).byOrder).toBe(false);
    expect(grantPredicates(row)).toEqual([{ field: "chat_name", op: "in", values: ["Family"] }]);
  });

  it("V-08 shows nothing if the declaration no longer gives the field such a role", () => {
    expect(rowOf({ record_filter: { field: "sender_name", values: ["Ada"] } })).toBeUndefined();
  });
});

describe("V-08 the history of a record that moves to another folder", () => {
  const stamp = (version: number): Stamp => [version, version, version, null];
  const state = (chat: string | null, text = "hello"): RecordState => {
    const data = message(chat, text);
    return { data, time: null, ...filterValues(messages, data) };
  };
  const gone: RecordState = { data: null, time: null };
  const sight = (history: History, present: string | null, fields = new Set(["id", "text"])) => {
    const values = valuesIn(history, "chat_name", present);
    return visibilityIn(history, fields, (_time, index) => values[index] === "Family");
  };

  it("V-08 shows the record as deleted when it leaves and as new when it returns, and hides moves between other folders", () => {
    const left = advanceHistory(null, stamp(1), state("Family"), state("Work"), stamp(2));
    expect(sight(left, "Work")).toEqual({ state: "gone", stamp: stamp(2) });
    const further = advanceHistory(left, stamp(1), state("Work"), state("Club"), stamp(3));
    const edited = advanceHistory(further, stamp(1), state("Club"), state("Club", "changed"), stamp(4));
    const deleted = advanceHistory(edited, stamp(1), state("Club", "changed"), gone, stamp(5));
    expect(sight(deleted, null)).toEqual({ state: "gone", stamp: stamp(2) });
    const back = advanceHistory(deleted, stamp(1), gone, state("Family"), stamp(6));
    expect(sight(back, "Family")).toEqual({ state: "visible", stamp: stamp(6) });
    expect(sight(advanceHistory(null, stamp(1), state("Work"), state("Club"), stamp(2)), "Club")).toEqual({
      state: "never",
    });
  });

  it("V-08 assumes that the record has always been where it is now if values were not recorded", () => {
    const old: History = { fields: { text: stamp(2) }, life: [[stamp(1), true, null]] };
    expect(sight(old, "Family")).toEqual({ state: "visible", stamp: stamp(2) });
    expect(sight(old, "Work")).toEqual({ state: "never" });
    const moved = advanceHistory(old, stamp(1), state("Work"), state("Family"), stamp(3));
    expect(sight(moved, "Family")).toEqual({ state: "visible", stamp: stamp(3) });
  });

  it("V-08 contains no values if the stream has no such field", () => {
    const { life } = advanceHistory(null, stamp(1), { data: {}, time: 1 }, { data: {}, time: 2 }, stamp(2));
    expect(life).toEqual([
      [stamp(1), true, 1],
      [stamp(2), true, 2],
    ]);
  });
});

describe("V-08 consent to a part of a stream", () => {
  const sources = [{ declaration: whatsappDeclaration as SourceDeclaration }];
  const own = shapes.filter(({ connectionId }) => connectionId === "cin_chat");
  const query = (details?: object[]): ConsentQuery => ({
    client: { client_id: "c", name: "App", redirect_uri: "" },
    ...(details === undefined ? {} : { details: details as DataAccess[] }),
  });
  const choice = (record_filter?: object): ConsentChoice => ({
    streams: [{ connection_id: "cin_chat", stream: "messages", ...(record_filter && { record_filter }) } as never],
    duration: "30d",
    ai_training: false,
  });
  const granted = (asked: ConsentQuery, chosen: ConsentChoice) =>
    approve(asked, chosen, own, sources).grants[0]!.streams[0]!.record_filter;
  const asksFor = (record_filter: object) => ({
    type: "https://pdpp.dev/data-access",
    source: whatsappDeclaration.source,
    purpose_code: "https://pdpp.dev/purpose/personal_assistance",
    access_mode: "continuous",
    streams: [{ name: "messages", record_filter }],
  });

  it("V-08 lets the owner limit a stream by a field that its records are filed by", () => {
    expect(consentOffer(query(), own, sources).streams.map(({ stream, filters }) => [stream, filters])).toEqual([
      ["messages", [{ field: "chat_name", role: "conversation" }]],
      ["chats", []],
    ]);
    expect(granted(query(), choice(FAMILY))).toEqual(FAMILY);
    expect(granted(query(), choice())).toBeUndefined();
    expect(() => granted(query(), choice({ field: "text", values: ["x"] }))).toThrow(/cannot be limited by "text"/);
  });

  it("V-08 keeps the limit that the app requested", () => {
    const asked = query([asksFor(FAMILY)]);
    const { streams, asks } = consentOffer(asked, own, sources);
    expect([streams[0]!.filters, streams[0]!.record_filter, asks[0]!.filed?.values]).toEqual([[], FAMILY, ["Family"]]);
    expect(granted(asked, choice())).toEqual(FAMILY);
    expect(() => granted(asked, choice({ field: "chat_name", values: ["Work"] }))).toThrow(
      /cannot be narrowed further/,
    );
    expect(consentOffer(query([asksFor({ field: "text", values: ["x"] })]), own, sources).blocked).toBe(true);
  });

  it("V-08 V-07 counts fewer values as narrowing, and more values, another field or no filter as extending", () => {
    const grant = (record_filter?: GrantedStream["record_filter"]) => [
      { streams: [{ name: "messages", instance_ids: ["cin_chat"], fields: ["id"], record_filter }] },
    ];
    const two = { field: "chat_name", values: ["Family", "Work"] };
    expect(extendsGrants(grant(), grant(two))).toBe(false);
    expect(extendsGrants(grant(two), grant(FAMILY))).toBe(false);
    expect(extendsGrants(grant(FAMILY), grant(two))).toBe(true);
    expect(extendsGrants(grant(FAMILY), grant())).toBe(true);
    expect(extendsGrants(grant(FAMILY), grant({ field: "folder", values: ["Family"] }))).toBe(true);
  });
});
