// P-08: a grant in words, with all or some fields, limits, expiry, and deleted connections.
import { describe, expect, it } from "vitest";
import { mailDeclaration } from "../collect/importers/mail/declaration.ts";
import type { StreamDeclaration } from "../contract/declaration.ts";
import type { Grant } from "../contract/grant.ts";
import { type GrantLabels, grantWords, someOf } from "./grant-words.ts";
import { shapesOf } from "./shapes.fixture.ts";

const text = { type: "string" };

const declared = {
  ...mailDeclaration,
  streams: [
    {
      name: "messages",
      primary_key: ["id"],
      semantics: "mutable_state",
      schema: { type: "object", properties: { id: text, subject: text, body: text } },
    } satisfies StreamDeclaration,
  ],
};
const labels: GrantLabels = {
  connection: (id) => (id === "cin_1" ? "Personal mail" : undefined),
  streams: (id) => (id === "cin_1" ? shapesOf(declared, "cin_1", "Personal mail") : []),
};

const grant = (more: Partial<Grant>): Grant => ({
  version: "0.1.0",
  grant_id: "grt_1",
  issued_at: "2026-01-01T00:00:00Z",
  subject: { id: "sub_own_1" },
  client: { client_id: "cli_1", client_display: { name: "App" } },
  source: { kind: "connector", id: "https://mail.example" },
  source_declaration: { version: "1" },
  purpose_code: "https://pdpp.dev/purpose/personal_assistance",
  access_mode: "continuous",
  streams: [{ name: "messages", instance_ids: ["cin_1"], fields: ["id", "subject", "body"] }],
  ...more,
});

describe("P-08 a grant in words", () => {
  it("P-08 says “all fields” or lists them, without fields that the stream no longer has", () => {
    const fields = (names: string[]) =>
      grantWords(grant({ streams: [{ name: "messages", instance_ids: ["cin_1"], fields: names }] }), labels).reads[0]!
        .fields;
    expect(fields(["id", "subject", "body"])).toBe("all 3 fields");
    expect(fields(["id", "subject"])).toBe("id, subject (2 of 3)");
    expect(fields(["id", "lost"])).toBe("id (1 of 3)");
  });

  it("P-08 lists each connection, even a deleted one", () => {
    const streams = [{ name: "messages", instance_ids: ["cin_1", "cin_2"], fields: ["id"], resources: ["a"] }];
    expect(grantWords(grant({ streams }), labels).reads).toEqual([
      {
        connection_id: "cin_1",
        connection: "Personal mail",
        stream: "messages",
        fields: "id (1 of 3)",
        records: "only 1 record",
        what: "messages",
        parts: "without 2 further details",
        chosen: 1,
      },
      {
        connection_id: "cin_2",
        connection: "cin_2 (deleted)",
        stream: "messages",
        fields: "id",
        records: "only 1 record",
        what: "messages",
        chosen: 1,
      },
    ]);
  });

  it("P-08 gives the time range, the expiry and the purpose", () => {
    const time = (constraint: { since?: string; until?: string }) => {
      const streams = [
        { name: "m", instance_ids: ["cin_1"], fields: ["id"], time_constraint: { field: "at", ...constraint } },
      ];
      return grantWords(grant({ streams }), labels).reads[0]!.time;
    };
    expect([time({ since: "A" }), time({ until: "B" }), time({ since: "A", until: "B" })]).toEqual([
      "at since A",
      "at until B",
      "at from A until B",
    ]);
    expect(grantWords(grant({}), labels)).toMatchObject({
      until: "until revoked",
      purpose: expect.stringMatching(/^https:/),
    });
    const once = grant({
      access_mode: "single_use",
      expires_at: "2026-02-01T00:00:00Z",
      purpose_description: "a\nb\u202e",
    });
    expect(grantWords(once, labels)).toMatchObject({ until: "once, until 2026-02-01T00:00:00Z", purpose: "a b�" });
  });

  it("P-08 cleans the name that an app gives itself, and shows the app's id if there is no name", () => {
    const app = (name?: string) =>
      grantWords(
        grant({ client: { client_id: "cli_1", ...(name === undefined ? {} : { client_display: { name } }) } }),
        labels,
      ).app;
    expect([app("\u202eApp\u0000"), app("\u200b"), app()]).toEqual(["App", "cli_1", "cli_1"]);
  });
});

it("X-08 a sentence lists a few items and counts the rest", () => {
  const names = Array.from({ length: 14 }, (_, n) => `f${n}`);
  expect(someOf(names)).toBe(`${names.slice(0, 12).join(", ")} and 2 more`);
  expect(someOf(names.slice(0, 12))).toBe(names.slice(0, 12).join(", "));
});
