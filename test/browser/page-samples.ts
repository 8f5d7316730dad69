// Views for the pages under test: believable ones, hostile ones and very long ones.
import type { Denial } from "../../src/contract/activity.ts";
import type { AppsView } from "../../src/surfaces/web/pages/apps.ts";
import type { ConsentSource, ConsentStream, ConsentView } from "../../src/surfaces/web/pages/consent-view.ts";
import type { ReceiptView } from "../../src/surfaces/web/pages/receipt.ts";
import type { OwnerRecordView } from "../../src/surfaces/web/pages/record.ts";

export const owner = { name: "Mara Lindqvist", signOut: { action: "/logout", csrf: "c5rf" } };
const nav = [
  { label: "Apps", href: "/dashboard/apps", current: true },
  { label: "Activity", href: "/dashboard/activity" },
];

const field = (name: string, label: string, options: { always?: boolean; description?: string } = {}) => ({
  name,
  label,
  description: options.description,
  always: options.always ?? false,
  checked: true,
});

const messages: ConsentStream = {
  name: "messages",
  label: "Messages",
  detail: "What people wrote in channels and direct messages.",
  required: true,
  requested: true,
  checked: true,
  count: 12_408,
  since: "2019-01-03T08:00:00Z",
  until: "2025-09-20T17:30:00Z",
  timeField: "sent_at",
  fields: [
    field("id", "Message id", { always: true }),
    field("sent_at", "Sent", { always: true }),
    field("text", "Text", { description: "The whole message, as written." }),
    field("author", "Author"),
    field("channel_id", "Channel"),
    field("reactions", "Reactions", { description: "Emoji and who gave them." }),
    field("attachments", "Attachments"),
  ],
  views: [{ label: "Without reactions", fields: ["text", "author", "channel_id"] }],
  samples: [
    {
      title: "#hall-survey",
      when: "2025-09-20T17:30:00Z",
      preview: "The damp is worse behind the panelling than we thought. Photos tomorrow.",
    },
    { title: "#general", when: "2025-09-19T09:12:00Z", preview: "Coffee machine is back. So is the queue." },
    { title: "Tomas", when: "2025-09-18T20:01:00Z", preview: "Can you bring the drawings on Thursday?" },
  ],
};

const channels: ConsentStream = {
  name: "channels",
  label: "Channels",
  detail: "Names and topics of channels.",
  required: false,
  requested: true,
  checked: false,
  count: 42,
  fields: [field("id", "Channel id", { always: true }), field("name", "Name"), field("topic", "Topic")],
};

const calendar: ConsentStream = {
  name: "events",
  label: "Events",
  required: false,
  requested: true,
  checked: false,
  count: 1_931,
  since: "2016-04-01T00:00:00Z",
  until: "2026-02-11T00:00:00Z",
  timeField: "starts_at",
  fields: [
    field("id", "Event id", { always: true }),
    field("starts_at", "Starts", { always: true }),
    field("title", "Title"),
    field("place", "Place"),
    field("attendees", "Attendees"),
    field("description", "Description"),
  ],
};

export const consent: ConsentView = {
  action: "/answer",
  csrf: "c5rf",
  digest: "sha256-abc",
  owner,
  client: {
    verifiedHost: "claude.ai",
    claimedName: "Claude",
    redirectHost: "claude.ai",
    redirectIsLoopback: false,
    unverified: false,
    clientUri: "https://claude.ai",
  },
  purpose: {
    code: "https://pdpp.dev/purpose/assistance",
    description: "Answer your questions about your own conversations and appointments.",
    aiTraining: false,
  },
  claims: [{ label: "Data location", text: "Your data is processed in the EU." }],
  retention: "30 days, then deleted.",
  lens: "records",
  prefilled: true,
  sources: [
    {
      connectorKey: "slack",
      label: "Slack",
      connections: [{ connectionId: "cin_slack1", label: "Lindqvist & Partners", streams: [messages, channels] }],
    },
    {
      connectorKey: "google-calendar",
      label: "Calendar",
      connections: [{ connectionId: "cin_cal1", label: "mara@example.org", streams: [calendar] }],
    },
  ],
  time: { since: "2024-01-01", maxSince: "2024-01-01", maxUntil: "2026-12-31" },
  durations: [
    { value: "once", label: "Once", checked: false },
    { value: "1h", label: "1 hour", checked: false },
    { value: "1d", label: "1 day", checked: false },
    { value: "30d", label: "30 days", checked: true },
    { value: "forever", label: "Until I take it back", checked: false },
  ],
  cannot: [
    "change or delete anything",
    "see your password or the passwords of your accounts",
    "see other connections, or what is added to this server later",
    "see which other apps you use, or what they read",
    "read on after you take it back",
  ],
};

export const unverified = {
  claimedName: "Codex",
  redirectHost: "127.0.0.1:53682",
  redirectIsLoopback: true,
  unverified: true,
};

/** What an app gets that did not say what it wants: five sources, each with so many connections. */
export const picker = (connections: number): ConsentView => ({
  ...consent,
  prefilled: false,
  claims: [],
  retention: undefined,
  purpose: { aiTraining: false },
  client: unverified,
  time: {},
  sources: ["Slack", "Mail", "Calendar", "Notes", "Bank"].map(
    (label, source): ConsentSource => ({
      connectorKey: label.toLowerCase(),
      label,
      connections: Array.from({ length: connections }, (_, index) => ({
        connectionId: `cin_${source}_${index}`,
        label: `${label.toLowerCase()}-${index + 1}@example.org`,
        streams: [messages, channels, calendar].map((stream) => ({
          ...stream,
          required: false,
          requested: false,
          checked: false,
        })),
      })),
    }),
  ),
});

export const training: ConsentView = {
  ...consent,
  stale: true,
  errors: ["Nothing was chosen that it could read. Tick at least one stream, or deny."],
  purpose: {
    code: "https://pdpp.dev/purpose/ai_training",
    description: "Improve our models.",
    aiTraining: true,
  },
};

const long = "x".repeat(10_000);

/** Each is a name that an app gives itself. */
export const HOSTILE_NAMES: Record<string, string> = {
  override: "Claude\u202e detaler-ton",
  zalgo: [..."Claude"].map((letter) => letter + "\u0300\u0316\u0489".repeat(30)).join(""),
  cyrillic: "Cl\u0430ud\u0435",
  long,
  markup: `<script>document.title="taken"</script><img src=x onerror=alert(1)>`,
  attribute: `" autofocus onfocus="alert(1)`,
  quotes: "Claude” — Verified host “",
  entity: "&lt;b&gt;Claude&#60;b>",
  badge: "Claude ✓ Verified",
  blank: "\u200b\u3164 \u202e",
};

export function hostile(name: string): ConsentView {
  const [first] = consent.sources;
  const stream: ConsentStream = {
    ...messages,
    label: name,
    detail: name,
    fields: [{ name, label: name, description: name, always: false, checked: true }],
    samples: [{ title: name, when: "2025-01-01", preview: name }],
  };
  return {
    ...consent,
    client: { ...consent.client, claimedName: name, verifiedHost: undefined, unverified: true, clientUri: name },
    purpose: { code: name, description: name, aiTraining: true },
    claims: [{ label: name, text: name }],
    retention: name,
    sources: [{ ...first!, label: name, connections: [{ connectionId: name, label: name, streams: [stream] }] }],
  };
}

export const denial: Denial = {
  object: "denial",
  app: "Claude",
  call: {
    object: "activity",
    n: 12,
    at: "2025-09-21T09:30:00.000Z",
    subject_id: "sub_own_1",
    actor: "client",
    client_id: "cli_1",
    grant_id: "grt_8Zk2mQ0xT1",
    action: "records",
    records: 0,
    bytes: 0,
    outcome: "field_not_granted",
    asked: { stream: "messages", field: "body" },
    request_id: "req_1",
  },
  why: {
    grant_id: "grt_8Zk2mQ0xT1",
    decided_by: "streams[0].fields",
    says: "messages of Personal mail: id, subject, sent_at",
    asked: { stream: "messages", field: "body" },
  },
  grants: [{ grant_id: "grt_8Zk2mQ0xT1", status: "active" }],
  next_step: "Let the app ask again, and tick body.",
};

export const receipt: ReceiptView = {
  client: consent.client,
  reads: [
    {
      connection_id: "cin_slack",
      connection: "Slack · Lindqvist & Partners",
      stream: "Messages",
      fields: "id, sent_at, text, author (4 of 9)",
      time: "sent_at from 2024-01-01 on",
    },
    {
      connection_id: "cin_slack",
      connection: "Slack · Lindqvist & Partners",
      stream: "Channels",
      fields: "all 6 fields",
    },
    {
      connection_id: "cin_calendar",
      connection: "Calendar · mara@example.org",
      stream: "Events",
      fields: "all 11 fields",
      time: "starts_at from 2024-01-01 on",
    },
  ],
  grantIds: ["grt_8Zk2mQ0xT1", "grt_1bP7cY9sLq"],
  packageId: "gpk_5Vn3rW8aHd",
  expiresAt: "2025-10-21T09:30:00Z",
  issuedAt: "2025-09-21T09:30:00Z",
  continue: { href: "https://claude.ai/callback?code=abc" },
  appsUrl: "/dashboard/apps",
  owner,
};

export const apps: AppsView = {
  csrf: "c5rf",
  revokeAction: "/dashboard/apps/revoke",
  owner,
  nav,
  apps: [
    {
      clientId: "https://claude.ai/client.json",
      client: consent.client,
      grants: [
        {
          id: "gpk_5Vn3rW8aHd",
          status: "active",
          reads: receipt.reads,
          issuedAt: "2025-09-21T09:30:00Z",
          expiresAt: "2025-10-21T09:30:00Z",
          lastUsedAt: "2025-09-24T07:05:00Z",
          sleeping: false,
          recent: [
            { at: "2025-09-24T07:05:00Z", text: "searched 3 streams, 10 records of Slack · Lindqvist & Partners" },
            { at: "2025-09-24T07:04:00Z", text: "25 records of Messages, Slack · Lindqvist & Partners" },
          ],
        },
        {
          id: "grt_4Tn1xK7bRw",
          status: "active",
          reads: [receipt.reads[2]!],
          issuedAt: "2025-05-02T10:00:00Z",
          sleeping: true,
          lastUsedAt: "2025-05-03T10:00:00Z",
          recent: [],
        },
      ],
    },
    {
      clientId: "dyn_91",
      client: unverified,
      grants: [
        {
          id: "grt_0Jd8sP2mZc",
          status: "revoked",
          reads: [receipt.reads[1]!],
          issuedAt: "2025-08-01T10:00:00Z",
          sleeping: false,
          recent: [],
        },
      ],
    },
  ],
};

export const record: OwnerRecordView = {
  title: "Hall survey: damp behind the panelling",
  source: "Mail",
  connection: { id: "cin_mail1", label: "mara@example.org" },
  stream: { name: "messages", label: "Messages" },
  recordId: "msg-20250920-173000",
  at: "2025-09-20T17:30:00Z",
  owner,
  nav,
  fields: [
    { name: "subject", label: "Subject", kind: "text", value: "Hall survey: damp behind the panelling" },
    { name: "from", label: "From", kind: "text", value: "Tomas Berg <tomas@example.org>" },
    { name: "sent_at", label: "Sent", kind: "time", value: "2025-09-20T17:30:00Z" },
    {
      name: "body",
      label: "Text",
      kind: "text",
      value: `Dear Mara,\n\n${"The damp is worse behind the panelling than we thought. ".repeat(12)}\n\nTomas`,
      more: { shown: 700, total: 14_210, href: "?field=body&offset=700" },
    },
    {
      name: "headers",
      label: "Headers",
      kind: "json",
      value: JSON.stringify({ "message-id": "<a@b>", "x-long": "y".repeat(300) }, null, 2),
    },
  ],
  provenance: [
    { label: "File", value: "takeout-2025.mbox" },
    { label: "Came in", value: "21 Sep 2025, 09:00 UTC" },
  ],
  snippets: [
    {
      label: "curl",
      text: "curl -H 'Authorization: Bearer TOKEN' http://127.0.0.1:4680/v1/streams/messages/records/msg-20250920-173000?connection_id=cin_mail1",
    },
    { label: "CLI", text: "pdpp fetch cin_mail1/messages:msg-20250920-173000" },
    { label: "MCP", text: 'fetch({"id": "cin_mail1/messages:msg-20250920-173000"})' },
  ],
};
