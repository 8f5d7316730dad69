// Consent for records: streams of connections, their fields, and a period.
import type { ConsentApproval, ConsentOffer, ConsentQuery } from "../../contract/consent.ts";
import type { DataAccess } from "../../contract/data-access.ts";
import { spokenTime } from "../../core/spoken-time.ts";
import type { Credential } from "../../engine/caller.ts";
import type { EngineHost } from "../../engine/host.ts";
import { type CaseParts, type ConsentCase, durationIn, unclear } from "./consent-case.ts";
import { consentFacts } from "./consent-facts.ts";
import { recordsView } from "./consent-view-of.ts";
import type { ConsentAnswer, ConsentSource } from "./pages/consent-view.ts";

export async function recordsCase({ host, owner, asked, client, details, request }: CaseParts): Promise<ConsentCase> {
  const { credential } = owner;
  const query: ConsentQuery = { client, ...(details === undefined ? {} : { details: details as DataAccess[] }) };
  const offer = await host.call("consentOffer", query, credential);
  return {
    blocked: offer.blocked,
    async view(shown) {
      const facts = await consentFacts(host, credential, offer);
      const view = recordsView(asked, offer, facts, shown);
      return { ...view, sources: withAdded(view.sources, await addedDays(host, credential, shown.zone)) };
    },
    async words(answer) {
      const preview = { ...query, choice: choiceIn(answer, offer) };
      return (await host.call("consentPreview", preview, credential)).reads;
    },
    async approve(answer) {
      const approval = { ...query, request, digest: answer.digest, choice: choiceIn(answer, offer) };
      return (await host.call("approveConsent", approval, credential)).id;
    },
  };
}

/** Converts the form's answer to the engine's terms. Days begin at midnight UTC, and the last one is exclusive. */
function choiceIn(answer: ConsentAnswer, offer: ConsentOffer): ConsentApproval["choice"] {
  const duration = durationIn(answer);
  const since = dayStart(answer.since);
  const until = dayStart(answer.until);
  return {
    streams: streamsIn(answer, offer, since !== undefined || until !== undefined),
    ...(since === undefined ? {} : { since }),
    ...(until === undefined ? {} : { until }),
    duration,
    ai_training: answer.aiTraining,
  };
}

/** A connection that is ticked as a whole includes all its streams, or only those with dates if a period is given. */
function streamsIn(
  { extent, except, connections, streams }: ConsentAnswer,
  offer: ConsentOffer,
  timed: boolean,
): ConsentApproval["choice"]["streams"] {
  const isWhole = (connectionId: string): boolean =>
    extent === "choose" ? connections.includes(connectionId) : extent === "all" || !except.includes(connectionId);
  const whole = offer.streams.filter(
    (line) => isWhole(line.connection_id) && !(timed && line.time_field === undefined),
  );
  const single = extent === "choose" ? streams.filter(({ connectionId }) => !isWhole(connectionId)) : [];
  return [
    ...whole.map(({ connection_id, stream }) => ({ connection_id, stream })),
    ...single.map(({ connectionId, stream, fields, only }) => ({
      connection_id: connectionId,
      stream,
      fields,
      ...(only === undefined ? {} : { record_filter: only }),
    })),
  ];
}

/** Returns the day on which each connection was added, in words. */
async function addedDays(host: EngineHost, credential: Credential, zone: string): Promise<Map<string, string>> {
  const { data } = await host.call("connections", {}, { ...credential, looking: true } as Credential);
  return new Map(data.map(({ connection_id, created_at }) => [connection_id, spokenTime(created_at, zone)]));
}

/** Distinguishes connections with the same name by the day when they were added. */
function withAdded(sources: readonly ConsentSource[], added: ReadonlyMap<string, string>): ConsentSource[] {
  const labels = Map.groupBy(
    sources.flatMap(({ connections }) => connections),
    ({ label }) => label,
  );
  return sources.map((source) => ({
    ...source,
    connections: source.connections.map((connection) => {
      const day = labels.get(connection.label)!.length > 1 ? added.get(connection.connectionId) : undefined;
      return day === undefined ? connection : { ...connection, added: day };
    }),
  }));
}

function dayStart(day: string | undefined): string | undefined {
  if (day === undefined) return undefined;
  const at = /^\d{4}-\d{2}-\d{2}$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN;
  const instant = Number.isNaN(at) ? "" : new Date(at).toISOString();
  // The parser turns 31 February into 2 March.
  if (!instant.startsWith(day)) throw unclear("enter dates as YYYY-MM-DD, such as 2026-01-31");
  return instant;
}
