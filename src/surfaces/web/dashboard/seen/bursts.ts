// A burst: an app's requests in quick succession, shown as one entry (V-06).
import { lowerFirst } from "../../../../core/grant-sentence.ts";
import type { SeenRequest } from "./requests.ts";

export interface SeenBurst {
  /** The times of the first and the last request. */
  since: string;
  until: string;
  words: string;
  records: number;
  /** Oldest first. */
  requests: readonly SeenRequest[];
}

/** While it works on one question, an app seldom pauses longer than this between two calls. */
const PAUSE_MS = 90_000;
/** The number of requests described in a burst's heading. */
const SAID = 2;

/** Groups requests into bursts, both newest first. */
export function burstsOf(requests: readonly SeenRequest[]): SeenBurst[] {
  const groups: SeenRequest[][] = [];
  for (const request of requests) {
    const group = groups.at(-1);
    const later = group?.at(-1);
    const follows =
      later !== undefined &&
      later.clientId === request.clientId &&
      Date.parse(later.at) - Date.parse(request.at) <= PAUSE_MS;
    if (follows) group!.push(request);
    else groups.push([request]);
  }
  return groups.map((group) => burstOf(group.reverse()));
}

function burstOf(requests: readonly SeenRequest[]): SeenBurst {
  return {
    since: requests[0]!.at,
    until: requests.at(-1)!.at,
    words: wordsOf(requests),
    records: requests.reduce((sum, { records }) => sum + records, 0),
    requests,
  };
}

/** Schema lookups precede nearly every read, so they are mentioned only if nothing else happened. */
function wordsOf(requests: readonly SeenRequest[]): string {
  const reads = requests.filter(({ looksUp }) => !looksUp);
  const sentences = [...new Set((reads.length === 0 ? requests : reads).map(requestSentence))];
  const more = sentences.length - SAID;
  const said = more > 0 ? sentences.slice(0, SAID) : sentences;
  const rest = more > 0 ? [`${more} more ${more === 1 ? "request" : "requests"}`] : [];
  const clauses = [said[0]!, ...said.slice(1).map(lowerFirst), ...rest];
  return clauses.length === 1 ? clauses[0]! : `${clauses.slice(0, -1).join("; ")}; and ${clauses.at(-1)}`;
}

export const requestSentence = ({ words, outcome }: SeenRequest): string =>
  outcome === "answered" ? words : `${words}: ${outcome}`;
