// K-12: people across all sources: one person by address, number, handle and card; search by person; and merging and
// splitting by the owner.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bankDeclaration } from "../../src/collect/importers/bank/declaration.ts";
import { calendarDeclaration } from "../../src/collect/importers/calendar/declaration.ts";
import { contactsDeclaration } from "../../src/collect/importers/contacts/declaration.ts";
import { mailDeclaration } from "../../src/collect/importers/mail/declaration.ts";
import { slackDeclaration } from "../../src/collect/importers/slack/declaration.ts";
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
let money: string;

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
  money = await connect("bank", bankDeclaration, "Bank");
  const paid = (id: string, booked_on: string, category: string, description: string, status: string) =>
    line(id, {
      account: "a",
      booked_on,
      amount: id === "t1" ? -12.5 : -80,
      currency: "EUR",
      category,
      description,
      status,
    });
  await server.ingest("transactions", money, [
    paid("t1", "2026-02-03", "Groceries", "Farmers market", "booked"),
    paid("t2", "2026-02-02", "Rent", "February", "booked"),
    paid("t3", "2026-02-01", "groceries & household", "Corner shop", "pending"),
  ]);
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
  await server.ingest("occurrences", calendar, [
    line("o1", { event_id: "e1", title: "Walk", starts_at: "2026-06-01T10:00:00Z" }),
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

const grantOf = async (...selections: object[]): Promise<string> => (await server.grant({ selections })).access_token;

describe("V-02 the timeline", () => {
  const timeline = async (query: Query = {}, token?: string): Promise<string[]> => {
    const { body, text } = await server.get("/v1/timeline", { query, ...(token === undefined ? {} : { token }) });
    expect(body.data, text).toBeDefined();
    return body.data.map(({ id }: Loose) => id);
  };

  test("V-02 lists the records of all sources by time, page by page, in both directions, without contact cards", async () => {
    const all = ["o1", "m1", "w2", "w1", "m4", "m3", "m2", "t1", "t2", "t3"];
    expect(await timeline()).toEqual(all);
    expect((await server.all("/v1/timeline", { query: { limit: 2 } })).map(({ id }) => id)).toEqual(all);
    expect(await timeline({ order: "asc", limit: 5 })).toEqual(["t3", "t2", "t1", "m2", "m3"]);
    expect(await timeline({ "kinds[]": "message" })).toEqual(["w2", "w1"]);
    expect(await timeline({ connection_id: calendar })).toEqual(["o1"]);
  });

  test("V-02 uses days in the requested time zone, and includes both ends", async () => {
    const day = { since: "2026-04-02", until: "2026-04-02" };
    expect(await timeline(day)).toEqual(["w2"]);
    expect(await timeline({ ...day, time_zone: "Pacific/Auckland" })).toEqual(["w2"]);
    expect(await timeline({ since: "2026-04-01", until: "2026-04-01", time_zone: "Pacific/Honolulu" })).toEqual(["w1"]);
    const { body } = await server.get("/v1/timeline", { query: { since: "2026-02-30" } });
    expect(body.error.param).toBe("since");
  });

  test("V-03 shows everything with one person, whatever name each source uses", async () => {
    expect(await timeline({ with: "ada@example.com" })).toEqual(["e1", "m1", "w1", "m3", "m2"]);
    expect(await timeline({ with: "Ada Byrne", order: "asc", limit: 1 })).toEqual(["m2"]);
    expect(await timeline({ with: "nobody here" })).toEqual([]);
    // m2 mentions Ada twice and is counted once.
    const { body } = await server.get("/v1/timeline/counts", { query: { granularity: "year", with: "Ada Byrne" } });
    expect(body.groups).toEqual([{ key: "2026", count: 5, kinds: { event: 1, email: 3, message: 1 } }]);
  });

  test("V-02 has counts by day, month and year, and by kind", async () => {
    const { body } = await server.get("/v1/timeline/counts", { query: { granularity: "month" } });
    expect(body.groups).toEqual([
      { key: "2026-06", count: 1, kinds: { event: 1 } },
      { key: "2026-05", count: 1, kinds: { email: 1 } },
      { key: "2026-04", count: 2, kinds: { message: 2 } },
      { key: "2026-03", count: 3, kinds: { email: 3 } },
      { key: "2026-02", count: 3, kinds: { transaction: 3 } },
    ]);
  });

  test("V-02 P-02 shows only what the grant shows, without streams whose times are hidden", async () => {
    const some = await grantOf({
      connection_id: mails,
      stream: "messages",
      fields: ["subject", "sent_at", "from_name"],
      resources: ["m1", "m4"],
    });
    expect(await timeline({}, some)).toEqual(["m1", "m4"]);
    expect(await timeline({ with: "ada@example.com" }, some)).toEqual([]);
    expect(await timeline({ with: "Ada Byrne" }, some)).toEqual(["m1"]);
    const timeless = await grantOf({ connection_id: mails, stream: "messages", fields: ["subject"] });
    expect(await timeline({}, timeless)).toEqual([]);
  });
});

describe("K-12 people", () => {
  test("K-12 a card joins addresses and numbers; emails, chats and events refer to the same person", async () => {
    const ada = await named("ada byrne");
    expect(ada).toMatchObject({
      object: "person",
      person_id: "address:a.byrne@work.example",
      name: "Ada Byrne",
      addresses: expect.arrayContaining(["ada@example.com", "a.byrne@work.example"]),
      numbers: ["+353 86 123 4567"],
      cards: [`${cards}/contacts:k1`],
      // The mentions: m1, m2 twice, m3, w1, k1, e1.
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

  test("K-12 pages neither skip nor repeat a person", async () => {
    const all = await server.all("/v1/people", { query: { limit: 1 } });
    expect(all).toEqual(await people());
  });

  test("K-12 a search by person finds records from, to or with them, in every source", async () => {
    expect(await hits('with:"Ada Byrne"')).toEqual(["e1", "m1", "w1", "m2", "m3", "k1"]);
    expect(await hits("with:zoe@example.org")).toHaveLength(4);
    expect(await hits('with:ada with:"Zoë Ott" harbour')).toEqual(["m1", "m2", "m3"]);
    expect(await hits('harbour with:"Ada Byrne" after:2026-04 before:2026-05')).toEqual(["w1"]);
    const { body } = await server.get("/v1/search", { query: { q: "with:Nobody" } });
    expect([body.data, body.meta.warnings]).toEqual([[], [expect.objectContaining({ code: "person_unknown" })]]);
  });

  test("R-04 role, source, kind and field prefixes narrow a search", async () => {
    expect(await hits("from:ada")).toEqual(["m1", "w1", "m3"]);
    expect(await hits("To:zoe@example.org harbour")).toEqual(["m1", "m3", "m4"]);
    expect(await hits("harbour in:phone")).toEqual(["w2", "w1"]);
    expect(await hits("harbour in:whatsapp from:ada")).toEqual(["w1"]);
    expect(await hits("harbour -in:whatsapp -in:mail")).toEqual(["e1"]);
    expect(await hits("kind:event")).toEqual(["e1"]);
    expect(await hits("harbour kind:emails from:2026-04")).toEqual(["m1"]);
    // Fields that are not text are searched by their name or label, with the value as people write it.
    expect(await hits("category:groceries")).toEqual(["t1", "t3"]);
    expect(await hits("Category:GROCERIES -status:booked")).toEqual(["t3"]);
    expect(await hits("value-date:2026 category:rent")).toEqual([]);
    expect(await hits("amount:-12.5")).toEqual(["t1"]);
    const { body } = await server.get("/v1/search", { query: { q: "category:travel" } });
    expect([body.data, body.meta.warnings]).toEqual([[], [expect.objectContaining({ code: "value_unknown" })]]);
    const many = await server.get("/v1/search", { query: { q: "category:rent ".repeat(9) } });
    expect(many).toMatchObject({ status: 400, body: { error: { code: "invalid_request", param: "q" } } });
  });

  test("K-12 people are updated after records are changed or deleted", async () => {
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

  test("K-12 the owner can merge and split people, and later imports keep the decision", async () => {
    expect((await decide("merge", "Kim", "pat@example.net")).body).toEqual({
      object: "people_decisions",
      merged: [["name:kim", "address:pat@example.net"]],
      apart: [],
      revision: 1,
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

  test("V-12 K-12 a merge can be undone exactly, but only while it is the latest decision", async () => {
    const undo = (revision: number) => server.call("POST", "/v1/people/undo", { body: { revision } });
    const earlier = (await decide("split", "a.byrne@work.example")).body;
    const before = await people({ limit: 50 });
    const merged = (await decide("merge", "a.byrne@work.example", "zoe@example.org")).body;
    expect((await named("zoe@example.org")).addresses).toContain("a.byrne@work.example");
    expect(await undo(earlier.revision)).toMatchObject({ status: 400, body: { error: { param: "revision" } } });
    const undone = (await undo(merged.revision)).body;
    expect([undone.merged, undone.apart]).toEqual([earlier.merged, earlier.apart]);
    expect(await people({ limit: 50 })).toEqual(before);
    const redone = (await undo(undone.revision)).body;
    expect([redone.merged, redone.apart]).toEqual([merged.merged, merged.apart]);
    await undo(redone.revision);
    await decide("merge", "a.byrne@work.example", "ada@example.com");
  });
});

describe("K-12 organisers and chat handles", () => {
  test("K-12 an event's organiser is a person, found by search, filters and groups", async () => {
    const organizer = { name: "Ruth Vale", email: "ruth@example.org" };
    await server.ingest("events", calendar, [
      line("e2", { title: "Crew meeting", starts_at: "2026-06-02T10:00:00Z", organizer }),
    ]);
    expect(await named("ruth")).toMatchObject({
      name: "Ruth Vale",
      mentions: 1,
      first_at: "2026-06-02T10:00:00.000Z",
      identifiers: [{ id: "address:ruth@example.org", type: "address", text: "ruth@example.org" }],
    });
    expect(await hits("with:ruth@example.org")).toEqual(["e2"]);
    expect(await hits("vale kind:event")).toEqual(["e2"]);
    const { body } = await server.get("/v1/streams/events/records", {
      query: { "filter[organizer.email][contains]": "ruth@example.org" },
    });
    expect(body.data.map(({ id }: Loose) => id)).toEqual(["e2"]);
    const grouped = await server.get("/v1/streams/events/aggregate", {
      query: { metric: "count", group_by: "organizer.name" },
    });
    expect(grouped.body.groups.map(({ key, count }: Loose) => [key, count])).toEqual(
      expect.arrayContaining([
        ["Ruth Vale", 1],
        [null, 1],
      ]),
    );
    const hidden = await grantOf({ connection_id: calendar, stream: "events", fields: ["title", "starts_at"] });
    expect(await hits("with:ruth@example.org", hidden)).toEqual([]);
    expect(await hits("vale", hidden)).toEqual([]);
    await server.ingest("events", calendar, [{ key: "e2", op: "delete" }]);
  });

  test("K-12 a handle can be split off by its id and stays separate when the card is imported again", async () => {
    await server.register("slack", slackDeclaration);
    const slack = await server.connect("slack", "Workspace");
    const card = line("u1", { name: "Noa Lind", handle: "noa", email: "noa@example.com" });
    await server.ingest("users", slack, [card]);
    const before = await named("noa@example.com");
    expect(before.identifiers.map(({ id }: Loose) => id)).toEqual(["address:noa@example.com", "handle:slack:noa"]);
    const bare = await decide("split", "@noa");
    expect([bare.status, bare.body.error.next_step]).toEqual([400, expect.stringContaining("handle:SOURCE:noa")]);
    await decide("split", "handle:slack:noa");
    await server.ingest("users", slack, [{ ...card, data: { ...card.data, title: "Diver" } }]);
    expect((await named("noa@example.com")).identifiers.map(({ id }: Loose) => id)).toEqual([
      "address:noa@example.com",
    ]);
    expect(await named("handle:slack:noa")).toMatchObject({ handles: ["noa"], addresses: [] });
  });
});

describe("K-12 P-02 people under a grant", () => {
  test("K-12 P-02 people are built only from what the grant shows", async () => {
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

  test("K-12 the owner appears to the owner as one person, and apps do not see which addresses are the owner's", async () => {
    const all = await grantOf({ connection_id: mails }, { connection_id: cards });
    const apart = await people({ limit: 50 }, all);
    await server.call("PATCH", "/v1/me", { body: { add: ["zoe@example.org", "ada@example.com"] } });
    expect((await named("zoe@example.org")).addresses).toEqual(
      expect.arrayContaining(["zoe@example.org", "ada@example.com"]),
    );
    expect(await people({ limit: 50 }, all)).toEqual(apart);
    await server.call("PATCH", "/v1/me", { body: { remove: ["zoe@example.org", "ada@example.com"] } });
    expect((await named("zoe@example.org")).addresses).not.toContain("ada@example.com");
  });

  test("R-07 the name of a hidden field or source is treated like any other word", async () => {
    const some = await grantOf({ connection_id: money, stream: "transactions", fields: ["description", "booked_on"] });
    expect(await hits("category:groceries", some)).toEqual([]);
    expect(await hits("category:market", some)).toEqual(await hits("nonsense:market", some));
    expect(await hits("market in:bank", some)).toEqual(["t1"]);
    expect(await hits("market in:mail", some)).toEqual(await hits("market in:nowhere", some));
    const narrow = await grantOf({ connection_id: money, stream: "transactions", resources: ["t1"] });
    expect(await hits("category:groceries", narrow)).toEqual(["t1"]);
    const { body } = await server.get("/v1/search", { query: { q: "category:rent" }, token: narrow });
    expect(body.meta.warnings).toEqual([expect.objectContaining({ code: "value_unknown" })]);
  });

  test("K-12 only the owner can merge people", async () => {
    const token = await grantOf({ connection_id: mails, stream: "messages" });
    const refused = await server.call("POST", "/v1/people/merge", { token, body: { identifiers: ["a", "b"] } });
    expect(refused.body.error.code).toBe("insufficient_scope");
  });
});
