// Sample data for the pages under test: realistic, hostile and very long.
import type {
  ConsentSource,
  ConsentStream,
  FilesConsent,
  RecordsConsent,
} from "../../src/surfaces/web/pages/consent-view.ts";
import type { ReceiptView } from "../../src/surfaces/web/pages/receipt.ts";

export const owner = { name: "Mara Lindqvist", signOut: { action: "/logout", csrf: "c5rf" } };

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
  kind: "message",
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
    field("reactions", "Reactions", { description: "Emoji reactions, and who added them." }),
    field("attachments", "Attachments"),
  ],
  presets: [
    { id: "all", label: "All details", fields: ["text", "author", "channel_id", "reactions"] },
    { id: "view-0", label: "Without reactions", fields: ["text", "author", "channel_id"] },
  ],
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
  kind: "conversation",
  detail: "Names and topics of channels.",
  required: false,
  requested: true,
  checked: false,
  count: 42,
  fields: [field("id", "Channel id", { always: true }), field("name", "Name"), field("topic", "Topic")],
  presets: [{ id: "all", label: "All details", fields: ["id", "name", "topic"] }],
};

const calendar: ConsentStream = {
  name: "events",
  label: "Events",
  kind: "event",
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
  presets: [{ id: "all", label: "All details", fields: ["id", "title", "starts_at"] }],
};

export const consent: RecordsConsent = {
  action: "/answer",
  csrf: "c5rf",
  digest: "sha256-abc",
  owner,
  client: {
    verifiedHost: "claude.ai",
    claimedName: "Claude",
    redirectHost: "claude.ai",
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
    { value: "once", label: "Once: one sign-in, for at most an hour", checked: false },
    { value: "1h", label: "1 hour", checked: false },
    { value: "1d", label: "1 day", checked: false },
    { value: "30d", label: "30 days", checked: true },
    { value: "forever", label: "Until I revoke it", checked: false },
  ],
  cannot: [
    "change or delete anything",
    "see your password or the passwords of your accounts",
    "see other connections, or what is added to this server later",
    "see which other apps you use, or what they read",
    "keep reading after you revoke it",
  ],
};

export const unverified = {
  claimedName: "Codex",
  redirectHost: "127.0.0.1:53682",
};

/** The consent data for an app without a specific request: five sources, each with this many connections. */
export const picker = (connections: number): RecordsConsent => ({
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

export const training: RecordsConsent = {
  ...consent,
  stale: true,
  errors: ["Nothing was chosen that it could read. Tick at least one stream, or deny."],
  purpose: {
    code: "https://pdpp.dev/purpose/ai_training",
    description: "Improve our models.",
    aiTraining: true,
  },
};

const { sources: _sources, time: _time, ...frame } = consent;

/** The consent data for an app that makes a specific request for files. */
export const files: FilesConsent = {
  ...frame,
  lens: "files",
  purpose: {
    code: "https://pdpp.dev/purpose/assistance",
    description: "Find what fills your disk.",
    aiTraining: false,
  },
  roots: [
    { connectionId: "cin_photos", path: "/home/mara/Photos", checked: true, files: 41_208, bytes: 182_400_000_000 },
    { connectionId: "cin_papers", path: "/home/mara/Documents/Papers and invoices", checked: false },
  ],
  powers: [
    { power: "navigate", always: true, checked: true },
    { power: "index", always: false, checked: true },
    { power: "curate", always: false, checked: true },
    { power: "download", always: false, checked: false },
  ],
  cannot: ["Delete, move, rename or change a file."],
};

/** Folders with misleading or very long names. */
export const hostileRoots: FilesConsent = {
  ...files,
  errors: ["No folder is chosen; choose at least one, or deny."],
  roots: [
    "/srv/\u202egnp.exe\u202c/\u05e9\u05dc\u05d5\u05dd",
    "/srv/a\nAllow everything\u0000\u001b[31m",
    `/srv/${"deep/".repeat(800)}`,
    `/srv/"><script>document.title="taken"</script>`,
    `/srv/${"x".repeat(255)}`,
  ].map((path, index) => ({
    connectionId: `cin_${index}`,
    path,
    checked: false,
    files: index,
    bytes: 10 ** (3 * index),
  })),
};

const long = "x".repeat(10_000);

/** Names that an app chooses for itself. */
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

export function hostile(name: string): RecordsConsent {
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
    client: { ...consent.client, claimedName: name, verifiedHost: undefined, clientUri: name },
    purpose: { code: name, description: name, aiTraining: true },
    claims: [{ label: name, text: name }],
    retention: name,
    sources: [{ ...first!, label: name, connections: [{ connectionId: name, label: name, streams: [stream] }] }],
  };
}

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
  zone: "Europe/Dublin",
  issuedAt: "2025-09-21T09:30:00Z",
  continue: { href: "https://claude.ai/callback?code=abc" },
  appsUrl: "/dashboard/apps",
  owner,
};

export const filesReceipt: ReceiptView = {
  ...receipt,
  reads: [
    {
      connection_id: "cin_photos",
      connection: "/home/mara/Photos",
      stream: "files",
      fields: "all 14 fields",
      may: ["navigate", "curate", "download"],
    },
  ],
  grantIds: ["grt_8Zk2mQ0xT1"],
  packageId: undefined,
};
