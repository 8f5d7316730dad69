// A small mail source for tests, with lists of texts and of objects.
import type { SourceDeclaration } from "../src/contract/declaration.ts";
import type { Line } from "./harness.ts";

const person = {
  type: "object",
  properties: { name: { type: "string", "x-role": "name" }, address: { type: "string", "x-role": "address" } },
};

export const post: SourceDeclaration = {
  protocol_version: "0.1.0",
  source: { kind: "connector", id: "https://test.example/post" },
  declaration_version: "1",
  publisher: { id: "test" },
  display: { name: "Post" },
  streams: [
    {
      name: "mails",
      semantics: "mutable_state",
      primary_key: ["id"],
      cursor_field: "sent_at",
      consent_time_field: "sent_at",
      selection: { fields: true, resources: true },
      schema: {
        type: "object",
        "x-kind": "email",
        required: ["id"],
        properties: {
          id: { type: "string" },
          subject: { type: "string", "x-role": "title" },
          sent_at: { type: "string", format: "date-time", "x-role": "time" },
          labels: { type: ["array", "null"], items: { type: "string" } },
          to: { type: ["array", "null"], items: person, "x-role": "to" },
        },
      },
      query: {
        search: { lexical_fields: ["subject", "to.name"] },
        aggregations: { group_by: ["labels", "to.address"], count_distinct: ["to.address"] },
      },
    },
  ],
};

const PEOPLE = {
  ada: { name: "Ada Byron", address: "ada@example.com" },
  bob: { name: "Bob Moss", address: "bob@example.com" },
  cy: { name: "Cy Reed", address: "cy@example.com" },
};

const mail = (id: string, to: (keyof typeof PEOPLE)[], labels: string[] | null): Line => ({
  key: id,
  data: {
    id,
    subject: `Mail ${id}`,
    sent_at: `2024-05-0${id.slice(1)}T00:00:00Z`,
    labels,
    to: to.map((who) => PEOPLE[who]),
  },
});

/** Two messages to Ada, one of which lists her twice, and one message without a recipient. */
export const MAILS: Line[] = [
  mail("m1", ["ada", "bob"], ["inbox", "work"]),
  mail("m2", ["ada", "ada"], ["inbox"]),
  mail("m3", ["cy", "bob"], ["work, old"]),
  mail("m4", [], null),
  mail("m5", ["bob"], []),
];
