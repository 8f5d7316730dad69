// Tests that the edit form of a grant changes only what the owner changed.
import { expect, it } from "vitest";
import type { OfferedStream } from "../../../contract/consent.ts";
import { streamKey } from "../pages/consent-view.ts";
import type { GrantLine } from "./grant-edit.ts";
import { AS_NOW, editIn, partsName } from "./grant-edit-form.ts";

const offered = (stream: string): OfferedStream => ({
  connection_id: "cin_mail",
  connection_label: "Mail",
  connector_key: "mail",
  source_label: "Mail",
  stream,
  label: stream,
  required: false,
  preselected: false,
  fields: [{ name: "id", always: true }],
  presets: [{ id: "all", label: "All details", fields: ["id", "text"] }],
  time_field: "sent_at",
  filters: [],
});
const since = "2026-01-01T00:00:00.000Z";
const line = (name: string): GrantLine => ({
  connectionId: "cin_mail",
  isDated: true,
  stream: {
    name,
    instance_ids: ["cin_mail"],
    fields: ["id"],
    time_constraint: { field: "sent_at", since },
    resources: ["m1"],
  },
});

/** Submits the form with both streams ticked; the grant reads only the first one. */
function submitted(fields: Record<string, string>, held = [line("messages")]) {
  const form = new URLSearchParams({ since: "2026-01-01", until: "", end: AS_NOW, ...fields });
  for (const stream of ["messages", "drafts"]) form.append("stream", streamKey("cin_mail", stream));
  form.set(partsName(streamKey("cin_mail", "messages")), AS_NOW);
  const streams = [offered("messages"), offered("drafts")];
  return editIn(form, { id: "grt_1", isFiles: false, held, offered: streams, zone: "UTC", now: 0 }).selections!;
}

it("V-07 an unchanged line sends no limits, so they stay as they are, and an added line gets the time span that the form shows", () => {
  const [messages, drafts] = submitted({});
  expect(messages).toEqual({ connection_id: "cin_mail", stream: "messages" });
  expect(drafts).toEqual({ connection_id: "cin_mail", stream: "drafts", since, until: null });
});

it("V-07 an emptied date removes the limit, and a line without a limit makes the time span mixed", () => {
  expect(submitted({ since: "" }).map((selection) => selection.since)).toEqual([null, null]);
  const { stream, ...open } = line("drafts");
  const { time_constraint: _none, ...unlimited } = stream;
  const mixed = submitted({ since: "" }, [line("messages"), { ...open, stream: unlimited }]);
  expect(mixed.map((selection) => selection.since)).toEqual([undefined, undefined]);
});
