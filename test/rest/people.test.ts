// K-12: people over all sources: one person by address, number, handle and card; search by a person; merge and split by the owner.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { calendarDeclaration } from "../../src/collect/importers/calendar/declaration.ts";
import { contactsDeclaration } from "../../src/collect/importers/contacts/declaration.ts";
import { mailDeclaration } from "../../src/collect/importers/mail/declaration.ts";
import { whatsappDeclaration } from "../../src/collect/importers/whatsapp/declaration.ts";
import { type Line, type Loose, type Query, type TestServer, testServer } from "../harness.ts";

const ADA = { name: "Ada Byrne", address: "ada@example.com" };
const WORK = { name: "A. Byrne", address: "a.byrne@work.example" };
const ZOE = { name: "Zoë Ott", address: "zoe@example.org" };

const line = (id: string, data: Record<string, unknown>): Line => ({ key: id, data: { id, ...data } });
const mail = (id: string, from: { name: string; address: string }, to: object[], more: object = {}): Line =>
  line(id, {
    subject: `About ${id}`,
    body: `The harbour, ${id}.`,
    sent_at: "2026-03-01T10:00:00Z",
    from_name: from.name,
    from_address: from.address,
    to,
    ...more,
  });

let server: TestServer;
let mails: string;
let chats: string;
let cards: string;
let calendar: string;

beforeAll(async () => {
  server = await testServer();
  const connect = async (key: string, declaration: object, name: string) => {
    await server.register(key, declaration);
    return server.connect(key, name);
  };
  mails = await connect("mail", mailDeclaration, "Mailbox");
  chats = await connect("whatsapp", whatsappDeclaration, "Phone");
  cards = await connect("contacts", contactsDeclaration, "Address book");
  calendar = await connect("calendar", calendarDeclaration, "Calendar");
  await server.ingest("messages", mails, [
    mail("m1", ADA, [ZOE], { sent_at: "2026-05-01T10:00:00Z" }),
    mail("m2", ZOE, [ADA, WORK]),
    mail("m3", { name: "Ada", address: "ADA@example.com" }, [ZOE]),
    mail("m4", { name: "Pat Noon", address: "pat@example.net" }, [ZOE]),
  ]);
  await server.ingest("messages", chats, [
    line("w1", { chat_id: "c", sender_name: "Ada Byrne", text: "harbour at nine", sent_at: "2026-04-01T10:00:00Z" }),
    line("w2", { chat_id: "c", sender_name: "Kim", text: "harbour closed", sent_at: "2026-04-02T10:00:00Z" }),
  ]);
  await server.ingest("contacts", cards, [
    line("k1", {
      name: "Ada Byrne",
      email: "ada@example.com",
      emails: [{ address: "ada@example.com" }, { address: "a.byrne@work.example" }],
      phone: "+353 86 123 4567",
    }),
  ]);
  await server.ingest("events", calendar, [
    line("e1", {
      title: "Harbour walk",
      starts_at: "2026-06-01T10:00:00Z",
      attendees: [{ name: "A.B.", email: "ada@example.com" }],
    }),
  ]);
});
afterAll(() => server.close());

const people = async (query: Query = {}, token?: string): Promise<Loose[]> =>
  (await server.get("/v1/people", { query, ...(token === undefined ? {} : { token }) })).body.data;
const named = async (q: string, token?: string): Promise<Loose> => (await people({ q }, token))[0];
const hits = async (q: string, token?: string): Promise<string[]> => {
  const { body, text } = await server.get("/v1/search", {
    query: { q, order: "newest" },
    ...(token === undefined ? {} : { token }),
  });
  expect(body.data, text).toBeDefined();
  return body.data.map(({ record_key }: Loose) => record_key);
};
const decide = (what: "merge" | "split", ...identifiers: string[]) =>
  server.call("POST", `/v1/people/${what}`, { body: { identifiers } });

describe("K-12 people", () => {
  test("K-12 a card joins addresses and numbers; mails, chats and events lead to the same person", async () => {
    const ada = await named("ada byrne");
    expect(ada).toMatchObject({
      object: "person",
      person_id: "address:a.byrne@work.example",
      name: "Ada Byrne",
      addresses: expect.arrayContaining(["ada@example.com", "a.byrne@work.example"]),
      numbers: ["+353 86 123 4567"],
      cards: [`${cards}/contacts:k1`],
      // m1, m2 twice, m3, w1, k1, e1.
      mentions: 7,
      last_at: "2026-06-01T10:00:00.000Z",
    });
    expect(ada.sources.map(({ connection_id, mentions }: Loose) => [connection_id, mentions])).toEqual(
      expect.arrayContaining([
        [mails, 4],
        [chats, 1],
        [cards, 1],
        [calendar, 1],
      ]),
    );
    for (const q of ["ADA@example.com", "086 1234567", "byr", ada.person_id])
      expect((await named(q)).person_id, q).toBe(ada.person_id);
    expect((await people()).map(({ name }) => name)).toEqual(["Ada Byrne", "Zoë Ott", "Pat Noon", "Kim"]);
  });

  test("K-12 pages miss and repeat nobody", async () => {
    const all = await server.all("/v1/people", { query: { limit: 1 } });
    expect(all).toEqual(await people());
  });

  test("K-12 search by a person finds what is from, to or with them, in every source", async () => {
    expect(await hits('with:"Ada Byrne"')).toEqual(["e1", "m1", "w1", "m2", "m3", "k1"]);
    expect(await hits("with:zoe@example.org")).toHaveLength(4);
    expect(await hits('with:ada with:"Zoë Ott" harbour')).toEqual(["m1", "m2", "m3"]);
    expect(await hits('harbour with:"Ada Byrne" after:2026-04 before:2026-05')).toEqual(["w1"]);
    const { body } = await server.get("/v1/search", { query: { q: "with:Nobody" } });
    expect([body.data, body.meta.warnings]).toEqual([[], [expect.objectContaining({ code: "person_unknown" })]]);
  });

  test("K-12 what changes or goes is followed", async () => {
    await server.ingest("messages", mails, [mail("m5", { name: "Ida", address: "ida@example.com" }, [])]);
    expect(await named("ida")).toMatchObject({ mentions: 1 });
    await server.ingest("messages", mails, [mail("m5", { name: "Ida Rue", address: "ida@example.com" }, [])]);
    expect(await named("ida")).toMatchObject({ name: "Ida Rue", other_names: [], mentions: 1 });
    await server.ingest("messages", mails, [
      mail("m5", { name: "Ida Rue", address: "ida@example.com" }, [], { unread: true }),
    ]);
    expect(await named("ida")).toMatchObject({ mentions: 1 });
    await server.ingest("messages", mails, [{ key: "m5", op: "delete" }]);
    expect(await people({ q: "ida" })).toEqual([]);
  });

  test("K-12 the owner merges and splits, and imports leave it as it is", async () => {
    expect((await decide("merge", "Kim", "pat@example.net")).body).toEqual({
      object: "people_decisions",
      merged: [["name:kim", "address:pat@example.net"]],
      apart: [],
    });
    expect(await named("kim")).toMatchObject({ person_id: "address:pat@example.net", mentions: 2 });
    expect(await hits("with:kim")).toEqual(["w2", "m4"]);
    await decide("split", "a.byrne@work.example");
    await server.ingest("messages", mails, [mail("m6", WORK, [])]);
    expect(await named("a.byrne@work.example")).toMatchObject({ name: "A. Byrne", mentions: 2, cards: [] });
    expect((await named("ada@example.com")).addresses).not.toContain("a.byrne@work.example");
    expect(await hits("with:a.byrne@work.example")).toEqual(["m2", "m6"]);
    await decide("merge", "a.byrne@work.example", "ada@example.com");
    expect((await named("ada@example.com")).addresses).toContain("a.byrne@work.example");
    await decide("split", "pat@example.net");
    expect((await named("kim")).mentions).toBe(1);
    await server.ingest("messages", mails, [{ key: "m6", op: "delete" }]);
  });
});

describe("K-12 P-02 under a grant", () => {
  const grantOf = async (...selections: object[]): Promise<string> => (await server.grant({ selections })).access_token;

  test("K-12 P-02 only what the grant shows takes part", async () => {
    const some = await grantOf({
      connection_id: mails,
      stream: "messages",
      fields: ["subject", "from_name", "from_address"],
      resources: ["m1", "m4"],
    });
    expect((await people({}, some)).map(({ name, mentions, cards: shown }) => [name, mentions, shown])).toEqual([
      ["Ada Byrne", 1, []],
      ["Pat Noon", 1, []],
    ]);
    expect(await hits('with:"Ada Byrne"', some)).toEqual(["m1"]);
    expect(await hits("with:zoe@example.org", some)).toEqual([]);
    const names = await grantOf({ connection_id: mails, stream: "messages", fields: ["from_name"] });
    expect((await named("ada byrne", names)).addresses).toEqual([]);
    expect(await people({ q: "ada@example.com" }, names)).toEqual([]);
    const nobody = await grantOf({ connection_id: mails, stream: "messages", fields: ["subject"] });
    expect(await people({}, nobody)).toEqual([]);
  });

  test("K-12 only the owner decides", async () => {
    const token = await grantOf({ connection_id: mails, stream: "messages" });
    const refused = await server.call("POST", "/v1/people/merge", { token, body: { identifiers: ["a", "b"] } });
    expect(refused.body.error.code).toBe("insufficient_scope");
  });
});
