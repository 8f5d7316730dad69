// One request for consent, whatever lens it is for: whether it can be met, how it is shown, what an approval makes of it.
import type { ConsentQuery, Duration } from "../../contract/consent.ts";
import { PdppError } from "../../contract/errors.ts";
import type { GrantWords } from "../../contract/grant.ts";
import type { EngineHost } from "../../engine/host.ts";
import type { ConsentForm, ConsentRequester } from "./consent-view-of.ts";
import type { ConsentAnswer, ConsentView } from "./pages/consent-view.ts";
import type { SignedIn } from "./visitor.ts";

export interface ConsentCase {
  /** Something that the app needs is not here. */
  blocked: boolean;
  view(shown: ConsentForm): Promise<ConsentView>;
  /** The words of what an answer allows; absent where the page says it all. */
  words?(answer: ConsentAnswer): Promise<GrantWords["reads"]>;
  /** Answers the id of the grant or the package. What the form lacks is `invalid_request`, in words for the owner. */
  approve(answer: ConsentAnswer): Promise<string>;
}

/** The parts of a case. */
export interface CaseParts {
  host: EngineHost;
  owner: SignedIn;
  asked: ConsentRequester;
  /** The request's hash, as it is kept. */
  request: string;
  client: ConsentQuery["client"];
  /** As they came, checked by the authorization server. */
  details: unknown[] | undefined;
}

export const unclear = (message: string): PdppError => new PdppError("invalid_request", message);

export function durationIn({ duration }: ConsentAnswer): Duration {
  if (duration === undefined) throw unclear("choose for how long");
  return duration;
}
