// Consent to records: streams of connections, their fields, a span of time.
import type { ConsentApproval, ConsentQuery } from "../../contract/consent.ts";
import type { DataAccess } from "../../contract/data-access.ts";
import { type CaseParts, type ConsentCase, durationIn, unclear } from "./consent-case.ts";
import { consentFacts } from "./consent-facts.ts";
import { recordsView } from "./consent-view-of.ts";
import type { ConsentAnswer } from "./pages/consent-view.ts";

export async function recordsCase({ host, owner, asked, client, details, request }: CaseParts): Promise<ConsentCase> {
  const { credential } = owner;
  const query: ConsentQuery = { client, ...(details === undefined ? {} : { details: details as DataAccess[] }) };
  const offer = await host.call("consentOffer", query, credential);
  return {
    blocked: offer.blocked,
    view: async (shown) => recordsView(asked, offer, await consentFacts(host, credential, offer), shown),
    async approve(answer) {
      const approval = { ...query, request, digest: answer.digest, choice: choiceIn(answer) };
      return (await host.call("approveConsent", approval, credential)).id;
    },
  };
}

/** The form's answer in the words of the engine; days begin at midnight UTC, and the last one is not included. */
function choiceIn(answer: ConsentAnswer): ConsentApproval["choice"] {
  const duration = durationIn(answer);
  const since = dayStart(answer.since);
  const until = dayStart(answer.until);
  return {
    streams: answer.streams.map(({ connectionId, stream, fields }) => ({
      connection_id: connectionId,
      stream,
      fields,
    })),
    ...(since === undefined ? {} : { since }),
    ...(until === undefined ? {} : { until }),
    duration,
    ai_training: answer.aiTraining,
  };
}

function dayStart(day: string | undefined): string | undefined {
  if (day === undefined) return undefined;
  const at = /^\d{4}-\d{2}-\d{2}$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN;
  const instant = Number.isNaN(at) ? "" : new Date(at).toISOString();
  // The parser takes the 31st of February for the 2nd of March.
  if (!instant.startsWith(day)) throw unclear("write days as YYYY-MM-DD");
  return instant;
}
