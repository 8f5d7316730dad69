// Turns an offer and its facts into the consent page, with the earlier answer if the page is shown again.
import type { ClientIdentity } from "../../auth/client-identity.ts";
import {
  type ConsentOffer,
  DURATIONS,
  type Duration,
  type FilterValuesRead,
  type OfferedStream,
  type OfferTerms,
} from "../../contract/consent.ts";
import type { RecordFilter } from "../../contract/record-filter.ts";
import { accessSentence } from "../../core/grant-sentence.ts";
import { listed } from "../../core/kind-words.ts";
import { valueLabels } from "../../core/value-labels.ts";
import { factsKey, type StreamFacts } from "./consent-facts.ts";
import { countOf, formatSpan } from "./format.ts";
import type { Layout } from "./layout.ts";
import type {
  ConnectedBefore,
  ConsentAnswer,
  ConsentFiling,
  ConsentFrame,
  ConsentSource,
  ConsentStream,
  RecordsConsent,
} from "./pages/consent-view.ts";

/** The app that asks for access, and how it asks. */
export interface ConsentRequester {
  identity: ClientIdentity;
  clientUri?: string;
  lens: "records" | "files";
  device: boolean;
}

/** The parts of the consent page that are the same for both lenses. */
export interface ConsentForm {
  owner: NonNullable<Layout["owner"]>;
  csrf: string;
  action: string;
  /** The owner's time zone, which determines days. */
  zone: string;
  stale?: boolean;
  errors?: string[];
  /** The earlier answer, if the page is shown again. */
  answer?: ConsentAnswer;
  connected?: ConnectedBefore;
  /** The sentence that describes what the answer allows. */
  allows?: string;
}

const CANNOT = [
  "Change, add or delete anything here.",
  "See anything that you do not tick: other streams, fields, accounts or times.",
  "See your password, your other apps, or what they read.",
  "Keep reading after you revoke its access.",
];

/** The default duration: long enough not to be a nuisance, but not forever. */
const DEFAULT_DURATION: Duration = "30d";

export function consentFrame(
  asked: ConsentRequester,
  offer: OfferTerms,
  shown: ConsentForm,
): Omit<ConsentFrame, "cannot"> {
  const { identity } = asked;
  const { owner, csrf, action, stale, errors = [], answer } = shown;
  const purposes = offer.purposes;
  const described = purposes.flatMap(({ description }) => description ?? []);
  const duration =
    answer?.duration ?? (offer.durations.includes(DEFAULT_DURATION) ? DEFAULT_DURATION : offer.durations[0]);
  return {
    action,
    csrf,
    digest: offer.digest,
    ...(stale ? { stale } : {}),
    errors: [...problemLines(offer.problems), ...(offer.blocked ? [TOLD_WHY] : []), ...errors],
    owner,
    client: {
      ...identity,
      ...(asked.clientUri === undefined ? {} : { clientUri: asked.clientUri }),
    },
    purpose: {
      ...(purposes[0] === undefined ? {} : { code: [...new Set(purposes.map(({ code }) => code))].join(" ") }),
      ...(described.length === 0 ? {} : { description: [...new Set(described)].join(" ") }),
      aiTraining: purposes.some(({ ai_training }) => ai_training),
    },
    claims: offer.claims,
    ...(shown.connected === undefined ? {} : { connected: shown.connected }),
    ...(answer === undefined ? {} : { answer }),
    ...(shown.allows === undefined ? {} : { allows: shown.allows }),
    ...(offer.retention.length === 0 ? {} : { retention: offer.retention.join("; ") }),
    prefilled: purposes.length > 0,
    durations: (Object.keys(DURATIONS) as Duration[]).map((value) => ({
      value,
      label: DURATIONS[value].label,
      checked: value === duration,
      ...(offer.durations.includes(value) ? {} : { disabled: true }),
    })),
  };
}

export function recordsView(
  asked: ConsentRequester,
  offer: ConsentOffer,
  facts: ReadonlyMap<string, StreamFacts>,
  shown: ConsentForm,
): RecordsConsent {
  const { answer } = shown;
  return {
    ...consentFrame(asked, offer, shown),
    lens: "records",
    ...(offer.asks.length === 0 ? {} : { asks: accessSentence(offer.asks, shown.zone) }),
    sources: sourcesOf(offer, facts, answer),
    time: {
      ...(answer?.since === undefined ? {} : { since: answer.since }),
      ...(answer?.until === undefined ? {} : { until: answer.until }),
      ...askedSpan(offer.streams),
    },
    cannot: CANNOT,
  };
}

/** Returns the app's own limits, if they apply to everything it requests. */
function askedSpan(streams: readonly OfferedStream[]): { maxSince?: string; maxUntil?: string } {
  const ends = (key: "since" | "until"): string[] => streams.flatMap((stream) => stream[key] ?? []).sort();
  const [since, until] = [ends("since"), ends("until")];
  return {
    ...(since.length > 0 && since.length === streams.length ? { maxSince: since[0] } : {}),
    ...(until.length > 0 && until.length === streams.length ? { maxUntil: until.at(-1) } : {}),
  };
}

/** The number of problems shown. A request for a hundred missing things is no clearer with a hundred lines. */
const PROBLEMS_MAX = 8;

/**
 * A denial is an answer too: it tells the app that the data is not here. An app that should learn nothing must get no
 * answer.
 */
const TOLD_WHY =
  "You can only deny this. The app then learns that the data it needs is not here. Close this page instead to tell it nothing.";

function problemLines(problems: readonly string[]): string[] {
  const more = problems.length - PROBLEMS_MAX;
  return more <= 0
    ? [...problems]
    : [
        ...problems.slice(0, PROBLEMS_MAX),
        `${countOf(more, "other item")} that the app asked for ${more === 1 ? "is" : "are"} not here either.`,
      ];
}

/** Puts the app's own limits into words. */
function limitsOf({ since, until, record_filter: only, resources }: OfferedStream): { limits?: string } {
  const span = formatSpan(since, until);
  const words = [
    ...(span === undefined ? [] : [`items dated ${span}`]),
    ...(only === undefined
      ? []
      : [`items filed under ${listed(valueLabels(only.values, 80).map((value) => `“${value}”`))}`]),
    ...(resources === undefined ? [] : [`${countOf(resources, "specific record")}`]),
  ];
  return words.length === 0 ? {} : { limits: `It asks only for ${words.join(", ")}.` };
}

function sourcesOf(
  { streams, purposes }: ConsentOffer,
  facts: ReadonlyMap<string, StreamFacts>,
  answer: ConsentAnswer | undefined,
): ConsentSource[] {
  return [...Map.groupBy(streams, ({ connector_key }) => connector_key)].map(([connectorKey, ofSource]) => ({
    connectorKey,
    label: ofSource[0]!.source_label,
    connections: [...Map.groupBy(ofSource, ({ connection_id }) => connection_id)].map(([connectionId, own]) => ({
      connectionId,
      label: own[0]!.connection_label,
      streams: own.map((stream) => ({
        ...streamView(stream, facts.get(factsKey(stream)), answer),
        requested: purposes.length > 0,
      })),
    })),
  }));
}

/** Returns the offered values, plus values that were ticked before although they are not among the most common. */
export function filingView(
  offered: FilterValuesRead | undefined,
  ticked: RecordFilter | undefined,
): { filing?: ConsentFiling } {
  const { field, role, values = [], other_records: others = 0 } = offered ?? {};
  if (field === undefined || role === undefined) return {};
  const chosen = ticked?.field === field ? ticked.values : [];
  const unlisted = chosen.filter((value) => !values.some((one) => one.value === value));
  const rows = [...values, ...unlisted.map((value) => ({ value }))];
  return {
    filing: { field, role, others, values: rows.map((one) => ({ ...one, checked: chosen.includes(one.value) })) },
  };
}

function streamView(
  stream: OfferedStream,
  facts: StreamFacts | undefined,
  answer: ConsentAnswer | undefined,
): Omit<ConsentStream, "requested"> {
  const before = answer?.streams.find(
    (one) => one.connectionId === stream.connection_id && one.stream === stream.stream,
  );
  return {
    name: stream.stream,
    label: stream.label,
    ...(stream.kind === undefined ? {} : { kind: stream.kind }),
    ...(stream.detail === undefined ? {} : { detail: stream.detail }),
    required: stream.required,
    ...(stream.required && !stream.preselected ? { alternative: true } : {}),
    ...limitsOf(stream),
    checked: answer === undefined ? stream.preselected : before !== undefined,
    count: facts?.count ?? 0,
    ...(facts?.since === undefined ? {} : { since: facts.since }),
    ...(facts?.until === undefined ? {} : { until: facts.until }),
    ...(stream.time_field === undefined ? {} : { timeField: stream.time_field }),
    fields: stream.fields.map(({ name, title, description, always }) => ({
      name,
      ...(title === undefined ? {} : { label: title }),
      ...(description === undefined ? {} : { description }),
      always,
      checked: before === undefined || always || before.fields.includes(name),
    })),
    presets: stream.presets,
    ...filingView(facts?.filing, before?.only),
    ...(facts?.samples === undefined ? {} : { samples: facts.samples }),
  };
}
