// One consent request, for either lens: whether it can be met, how it is shown, and what an approval creates.
import type { ConsentQuery, Duration } from "../../contract/consent.ts";
import { PdppError } from "../../contract/errors.ts";
import type { GrantWords } from "../../contract/grant.ts";
import type { EngineHost } from "../../engine/host.ts";
import type { ConsentForm, ConsentRequester } from "./consent-view-of.ts";
import type { ConsentAnswer, ConsentView } from "./pages/consent-view.ts";
import type { SignedIn } from "./visitor.ts";

export interface ConsentCase {
  /** Something that the app requires does not exist here. */
  blocked: boolean;
  view(shown: ConsentForm): Promise<ConsentView>;
  /** Describes what an answer allows; absent if the page already does. */
  words?(answer: ConsentAnswer): Promise<GrantWords["reads"]>;
  /**
   * Returns the id of the grant or the package. Missing answers are `invalid_request`, with a message for the owner.
   */
  approve(answer: ConsentAnswer): Promise<string>;
}

/** The parts of a case. */
export interface CaseParts {
  host: EngineHost;
  owner: SignedIn;
  asked: ConsentRequester;
  /** The request's hash, as stored. */
  request: string;
  client: ConsentQuery["client"];
  /** As received, checked by the authorization server. */
  details: unknown[] | undefined;
}

export const unclear = (message: string): PdppError => new PdppError("invalid_request", message);

export function durationIn({ duration }: ConsentAnswer): Duration {
  if (duration === undefined) throw unclear("choose for how long");
  return duration;
}
