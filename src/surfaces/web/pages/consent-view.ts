// The consent page as plain data, and the names of the fields its form sends back.
import type { ClientIdentity } from "../../../auth/client-identity.ts";
import { FILE_POWERS, type FilePower } from "../../../contract/file-access.ts";
import type { FilterRole, Kind } from "../../../contract/kinds.ts";
import type { RecordFilter } from "../../../contract/record-filter.ts";
import type { Layout } from "../layout.ts";

export interface ConsentClient extends ClientIdentity {
  clientUri?: string;
}

export interface ConsentField {
  name: string;
  label?: string;
  description?: string;
  /** True for a key or a field that the schema requires, which is always included with the stream. */
  always: boolean;
  checked: boolean;
}

export interface ConsentSample {
  title: string;
  when?: string;
  preview?: string;
}

/** The chats, folders or categories that a stream can be limited to. */
export interface ConsentFiling {
  field: string;
  role: FilterRole;
  values: readonly { value: string; count?: number; checked: boolean }[];
  /** The number of records with values that are not listed. */
  others: number;
}

export interface ConsentStream {
  name: string;
  label: string;
  /** Absent if the declaration does not say what the records are. */
  kind?: Kind;
  detail?: string;
  required: boolean;
  /** True if several connections could provide what is required, and one is enough. */
  alternative?: boolean;
  /** True if the request mentions the stream. Otherwise the owner chooses from everything. */
  requested: boolean;
  /** The app's own limits in words. */
  limits?: string;
  checked: boolean;
  /** The current number of records. */
  count: number;
  /** The period of the existing records. */
  since?: string;
  until?: string;
  /** Absent if the records have no time, so that a period cannot limit the stream. */
  timeField?: string;
  fields: readonly ConsentField[];
  /** Sets of fields that can be chosen with one click. The first is all fields. */
  presets: readonly { id: string; label: string; fields: readonly string[] }[];
  filing?: ConsentFiling;
  /** Shown behind a click. */
  samples?: readonly ConsentSample[];
}

export interface ConsentConnection {
  connectionId: string;
  label: string;
  /** The day in words. Present if another connection has the same name. */
  added?: string;
  streams: readonly ConsentStream[];
}

export interface ConsentSource {
  connectorKey: string;
  label: string;
  connections: readonly ConsentConnection[];
}

export const CONSENT_DURATIONS = ["once", "1h", "1d", "30d", "forever"] as const;
export type ConsentDuration = (typeof CONSENT_DURATIONS)[number];

/** A root of the files lens, as one line of the page. */
export interface ConsentRoot {
  connectionId: string;
  /** With unprintable characters replaced. */
  path: string;
  checked: boolean;
  /** The number of files, if a scan has counted them. */
  files?: number;
  bytes?: number;
}

export interface ConsentPower {
  power: FilePower;
  /** True if the power is included with every root. */
  always: boolean;
  checked: boolean;
}

/** Describes earlier grants of the app, or of an app with the same name. */
export interface ConnectedBefore {
  /** The access that these grants give. */
  sentence: string;
  /** The day in words. */
  since: string;
  /** True if it is certainly the same app. Otherwise only the name is the same. */
  isSame: boolean;
}

/** The page data shared by both lenses. */
export interface ConsentFrame {
  action: string;
  csrf: string;
  digest: string;
  /** True if the offer has changed since the page was shown. */
  stale?: boolean;
  errors?: readonly string[];
  owner?: Layout["owner"];
  client: ConsentClient;
  purpose: { code?: string; description?: string; aiTraining: boolean };
  claims?: readonly { label: string; text: string }[];
  retention?: string;
  /** True if the request says what it wants. Otherwise the owner chooses. */
  prefilled: boolean;
  durations: readonly { value: ConsentDuration; label: string; checked: boolean; disabled?: boolean }[];
  cannot: readonly string[];
  connected?: ConnectedBefore;
  /** The earlier answer, if the page is shown again. */
  answer?: ConsentAnswer;
  /** The sentence that describes what that answer allows. */
  allows?: string;
}

export interface RecordsConsent extends ConsentFrame {
  lens: "records";
  /** Everything that the app requests, in one sentence. Absent if it left the choice to the owner. */
  asks?: string;
  sources: readonly ConsentSource[];
  /** Days. `maxSince` and `maxUntil` are what the app requested; the owner can only narrow them. */
  time: { since?: string; until?: string; maxSince?: string; maxUntil?: string };
}

export interface FilesConsent extends ConsentFrame {
  lens: "files";
  roots: readonly ConsentRoot[];
  powers: readonly ConsentPower[];
}

export type ConsentView = RecordsConsent | FilesConsent;

const CONSENT_EXTENTS = ["all", "except", "choose"] as const;
export type ConsentExtent = (typeof CONSENT_EXTENTS)[number];

/** The form as it was sent. The caller has to check it against the offer. */
export interface ConsentAnswer {
  /** `look` means: describe what would be allowed. */
  decision: (typeof DECISIONS)[number] | undefined;
  csrf: string;
  digest: string;
  /** How much of the offer is allowed; `choose` means the ticked items. */
  extent: ConsentExtent;
  /** Connections excluded from "everything". */
  except: string[];
  /** Connections that were ticked as a whole. */
  connections: string[];
  /** On the files lens, each entry is a root. */
  streams: { connectionId: string; stream: string; fields: string[]; only?: RecordFilter }[];
  may: FilePower[];
  since?: string;
  until?: string;
  duration: ConsentDuration | undefined;
  aiTraining: boolean;
  /** True if the app's earlier grants are to be revoked. */
  replaces: boolean;
}

/** Joins both parts safely, because neither can contain a slash. */
export function streamKey(connectionId: string, stream: string): string {
  return `${encodeURIComponent(connectionId)}/${encodeURIComponent(stream)}`;
}

export function fieldName(key: string): string {
  return `field:${key}`;
}

const ONLY = "only:";
/** The name of the boxes that limit a stream to values of a field. */
export const onlyName = (key: string): string => `${ONLY}${key}`;
/** The field ends at the first equals sign. */
export const onlyValue = (field: string, value: string): string => `${encodeURIComponent(field)}=${value}`;

const TYPED = "typed:";
/** The name of the text field for additional values, one on each line. A stream key contains no colon. */
export const typedName = (key: string, field: string): string => `${TYPED}${key}:${encodeURIComponent(field)}`;

/**
 * Returns the values that are ticked or typed for a stream. If they belong to several fields, only the values of the
 * first field are used.
 */
export function onlyIn(form: URLSearchParams, key: string): { only?: RecordFilter } {
  const ticked = form.getAll(onlyName(key)).flatMap((text) => {
    const [, name = "", value = ""] = /^([^=]+)=(.+)$/s.exec(text) ?? [];
    const field = decoded(name);
    return !field || value === "" ? [] : [{ field, value }];
  });
  const pairs = [...ticked, ...typedFor(form, key)];
  const field = pairs[0]?.field;
  if (field === undefined) return {};
  const values = pairs.flatMap((pair) => (pair.field === field ? [pair.value] : []));
  return { only: { field, values: [...new Set(values)] } };
}

function typedFor(form: URLSearchParams, key: string): { field: string; value: string }[] {
  const prefix = `${TYPED}${key}:`;
  return [...form].flatMap(([name, text]) => {
    const field = name.startsWith(prefix) ? decoded(name.slice(prefix.length)) : undefined;
    if (!field) return [];
    const lines = text.split(/\r?\n/).map((line) => line.trim());
    return lines.flatMap((value) => (value === "" ? [] : [{ field, value }]));
  });
}

/** Returns streams that are ticked, and those with ticked values. */
function tickedStreams(form: URLSearchParams): Set<string> {
  const limited = [...form.keys()].flatMap((name) => {
    if (name.startsWith(ONLY)) return [name.slice(ONLY.length)];
    return name.startsWith(TYPED) ? [name.slice(TYPED.length).split(":", 1)[0]!] : [];
  });
  return new Set([...form.getAll("stream"), ...limited.filter((key) => onlyIn(form, key).only !== undefined)]);
}

const DECISIONS = ["allow", "deny", "look"] as const;

export function consentAnswer(form: URLSearchParams): ConsentAnswer {
  const decision = form.get("decision");
  const duration = form.get("duration");
  const day = (name: "since" | "until"): string | undefined => form.get(name) || undefined;
  return {
    decision: DECISIONS.find((known) => known === decision),
    csrf: form.get("csrf") ?? "",
    digest: form.get("digest") ?? "",
    extent: CONSENT_EXTENTS.find((known) => known === form.get("extent")) ?? "choose",
    except: form.getAll("except"),
    connections: form.getAll("connection"),
    streams: [...tickedStreams(form)].flatMap((key) => {
      const parts = placeOfKey(key);
      return parts === undefined ? [] : [{ ...parts, fields: form.getAll(fieldName(key)), ...onlyIn(form, key) }];
    }),
    may: FILE_POWERS.filter((power) => form.getAll("may").includes(power)),
    since: day("since"),
    until: day("until"),
    duration: CONSENT_DURATIONS.find((known) => known === duration),
    aiTraining: form.get("ai_training") === "yes",
    replaces: form.get("before") === "replace",
  };
}

/** Returns the parts of a `streamKey`, or undefined for any other text. */
export function placeOfKey(key: string): { connectionId: string; stream: string } | undefined {
  const [connectionId, stream, ...rest] = key.split("/");
  if (!connectionId || !stream || rest.length > 0) return undefined;
  const [connection, name] = [decoded(connectionId), decoded(stream)];
  return connection === undefined || name === undefined ? undefined : { connectionId: connection, stream: name };
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
