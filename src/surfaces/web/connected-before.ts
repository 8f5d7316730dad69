// When an app asks again, finds the grants that it already has. A new approval may replace them (V-07).
import type { GrantSummary } from "../../contract/grant.ts";
import { cleanDisplayName } from "../../core/display-name.ts";
import { accessSentence } from "../../core/grant-sentence.ts";
import { spokenTime } from "../../core/spoken-time.ts";
import type { Credential } from "../../engine/caller.ts";
import type { EngineHost } from "../../engine/host.ts";
import type { ConsentRequester } from "./consent-view-of.ts";
import type { ConnectedBefore } from "./pages/consent-view.ts";

export interface EarlierGrants {
  /** Grant and package ids. */
  ids: readonly string[];
  grants: readonly GrantSummary[];
  /**
   * True if the app has the same client id or the same verified host. Otherwise it has only the same name, which any
   * app can choose.
   */
  isSame: boolean;
}

export async function earlierGrants(
  host: EngineHost,
  credential: Credential,
  clientId: string,
  { identity, lens }: ConsentRequester,
): Promise<EarlierGrants | undefined> {
  const looking = { ...credential, looking: true } as Credential;
  const { data } = await host.call("grants", {}, looking);
  const valid = data.filter(
    ({ grant, status }) =>
      (status === "active" || status === "paused") && (grant.files === undefined) === (lens === "records"),
  );
  const name = cleanDisplayName(identity.claimedName);
  const isSame = ({ grant, words }: GrantSummary): boolean =>
    grant.client.client_id === clientId ||
    (identity.verifiedHost !== undefined && words.verified_host === identity.verifiedHost);
  const same = valid.filter(isSame);
  const namesakes = valid.filter(
    ({ words }) => name !== "" && words.verified_host === undefined && cleanDisplayName(words.app) === name,
  );
  const grants = same.length > 0 ? same : identity.verifiedHost === undefined ? namesakes : [];
  if (grants.length === 0) return undefined;
  const ids = new Set(grants.map(({ grant, grant_package_id }) => grant_package_id ?? grant.grant_id));
  return { ids: [...ids], grants, isSame: same.length > 0 };
}

export const connectedBefore = ({ grants, isSame }: EarlierGrants, zone: string): ConnectedBefore => ({
  sentence: accessSentence(
    grants.flatMap(({ words }) => words.reads),
    zone,
  ),
  since: spokenTime(grants.map(({ grant }) => grant.issued_at).sort()[0]!, zone),
  isSame,
});
