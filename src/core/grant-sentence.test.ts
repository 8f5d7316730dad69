// V-05: one sentence about what an app can see, for many grants on real sources.
import { describe, expect, it } from "vitest";
import { bankDeclaration } from "../collect/importers/bank/declaration.ts";
import { mailDeclaration } from "../collect/importers/mail/declaration.ts";
import { whatsappDeclaration } from "../collect/importers/whatsapp/declaration.ts";
import type { Grant, GrantedStream } from "../contract/grant.ts";
import { accessSentence, endSentence } from "./grant-sentence.ts";
import { type GrantLabels, grantWords } from "./grant-words.ts";
import { shapesOf } from "./shapes.fixture.ts";

const shapes = [
  ...shapesOf(mailDeclaration, "cin_mail", "Personal mail"),
  ...shapesOf(mailDeclaration, "cin_work", "Work mail"),
  ...shapesOf(bankDeclaration, "cin_bank", "Liffey Bank"),
  ...shapesOf(whatsappDeclaration, "cin_chat", "WhatsApp"),
];
const labels: GrantLabels = {
  connection: (id) => shapes.find(({ connectionId }) => connectionId === id)?.displayName,
  streams: (id) => shapes.filter(({ connectionId }) => connectionId === id),
};
const shape = (connection: string, stream: string) =>
  shapes.find(({ connectionId, name }) => connectionId === connection && name === stream)!;

/** Returns all fields except those with these roles. */
const fieldsBut = (connection: string, stream: string, ...roles: string[]): string[] => {
  const { declaration, fields } = shape(connection, stream);
  return [...fields.keys()].filter((name) => {
    const role = String(declaration.schema.properties?.[name]?.["x-role"] ?? "");
    return !roles.includes(role.split(".")[0]!);
  });
};
const granted = (connection: string, stream: string, more: Partial<GrantedStream> = {}): GrantedStream => ({
  name: stream,
  instance_ids: [connection],
  fields: fieldsBut(connection, stream),
  ...more,
});
const grant = (streams: GrantedStream[], more: Partial<Grant> = {}): Grant => ({
  version: "0.1.0",
  grant_id: "grt_1",
  issued_at: "2026-01-01T00:00:00Z",
  subject: { id: "sub_own_1" },
  client: { client_id: "cli_1" },
  source: { kind: "connector", id: "https://mail.example" },
  source_declaration: { version: "1" },
  purpose_code: "https://pdpp.dev/purpose/personal_assistance",
  access_mode: "continuous",
  streams,
  ...more,
});
const said = (streams: GrantedStream[], zone = "Europe/Dublin", more: Partial<Grant> = {}): string =>
  accessSentence(grantWords(grant(streams, more), labels).reads, zone);
const whole = (connection: string): GrantedStream[] =>
  labels.streams(connection).map(({ name }) => granted(connection, name));

describe("V-05 the sentence about what an app can see", () => {
  it("V-05 includes the records, the connection, the time range and the parts that are omitted", () => {
    const without = fieldsBut("cin_mail", "messages", "text");
    const since = { field: "sent_at", since: "2026-01-01T00:00:00Z" };
    expect(said([granted("cin_mail", "messages", { fields: without, time_constraint: since })])).toBe(
      "Emails from Personal mail since 1 January 2026, without their text",
    );
  });

  it("V-05 gives dates in the owner's time zone, and includes the last day of a range", () => {
    const time = (since?: string, until?: string, zone?: string) =>
      said([granted("cin_mail", "messages", { time_constraint: { field: "sent_at", since, until } })], zone);
    const mails = "Emails from Personal mail";
    expect(time("2025-12-31T23:00:00Z", undefined, "Europe/Berlin")).toBe(`${mails} since 1 January 2026`);
    expect(time("2026-01-01T00:00:00Z", undefined, "Europe/Berlin")).toBe(`${mails} since 1 January 2026 at 01:00`);
    expect(time(undefined, "2026-03-01T00:00:00Z")).toBe(`${mails} until 28 February 2026`);
    expect(time("2026-01-01T00:00:00Z", "2026-03-01T00:00:00Z")).toBe(
      `${mails} from 1 January 2026 to 28 February 2026`,
    );
  });

  it("V-05 says “everything” if nothing in a connection is omitted, and counts items if there are too many to list", () => {
    expect(said(whole("cin_mail"))).toBe("Everything from Personal mail");
    expect(said([...whole("cin_mail"), ...whole("cin_work"), ...whole("cin_bank")])).toBe(
      "Everything from Liffey Bank, Personal mail and Work mail",
    );
    const many = Array.from({ length: 9 }, (_, n) => ({
      ...granted("cin_mail", "messages"),
      instance_ids: [`cin_${n}`],
    }));
    expect(said(many)).toBe("Messages from cin_0 (deleted), cin_1 (deleted), cin_2 (deleted) and 6 more connections");
  });

  it("V-05 combines items that have the same limits, and separates items that do not", () => {
    expect(said([granted("cin_chat", "messages"), granted("cin_bank", "accounts")])).toBe(
      "Accounts from Liffey Bank; messages from WhatsApp",
    );
    expect(said([granted("cin_mail", "messages", { resources: ["a", "b", "c"] })])).toBe(
      "3 chosen emails from Personal mail",
    );
    const outline = granted("cin_bank", "transactions", { fields: ["id", "booked_on", "amount", "currency"] });
    expect(said([outline])).toMatch(/^Transactions from Liffey Bank, (only|without) /);
  });

  it("V-05 is the same for any order of the grants", () => {
    const reads = grantWords(
      grant([...whole("cin_work"), ...whole("cin_mail"), granted("cin_bank", "accounts")]),
      labels,
    ).reads;
    expect(accessSentence(reads.toReversed(), "UTC")).toBe(accessSentence(reads, "UTC"));
  });

  it("V-05 V-08 includes the chat, folder or categories that the grant is limited to", () => {
    const only = (field: string, ...values: string[]) => ({ record_filter: { field, values } });
    const since = { time_constraint: { field: "sent_at", since: "2026-01-01T00:00:00Z" } };
    expect(said([granted("cin_chat", "messages", { ...only("chat_name", "Family"), ...since })])).toBe(
      "Messages in the chat “Family” from WhatsApp since 1 January 2026",
    );
    expect(said([granted("cin_mail", "messages", only("folder", "Inbox"))])).toBe(
      "Emails in the folder “Inbox” from Personal mail",
    );
    const many = only("category", "Food", "Rent", "Travel", "Fun", "Books");
    expect(said([granted("cin_bank", "accounts"), granted("cin_bank", "transactions", many)])).toBe(
      "Accounts and transactions of the categories “Food”, “Rent”, “Travel” and 2 more from Liffey Bank",
    );
    // A connection with a limited stream is not described as granted in full.
    expect(said(labels.streams("cin_mail").map(({ name }) => granted("cin_mail", name, only("folder", "Inbox"))))).toBe(
      "Emails in the folder “Inbox” from Personal mail",
    );
  });

  it("V-05 says what a grant for files allows", () => {
    const files = { files: { may: ["navigate", "download"] as const } };
    expect(said([granted("cin_mail", "messages")], "UTC", files as never)).toBe(
      "Look through Personal mail, download files",
    );
  });

  it("V-05 says when the grant expires", () => {
    expect(endSentence({ access_mode: "continuous" }, "UTC")).toBe("until you revoke it");
    expect(endSentence({ access_mode: "continuous", expires_at: "2026-03-01T13:05:00Z" }, "Europe/Berlin")).toBe(
      "until 1 March 2026 at 14:05",
    );
    expect(endSentence({ access_mode: "single_use", expires_at: "2026-03-01T00:00:00Z" }, "UTC")).toBe(
      "for one sign-in, until 1 March 2026",
    );
  });
});
