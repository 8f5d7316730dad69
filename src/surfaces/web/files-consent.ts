// Consent for the files lens: roots, and what the app may do there.
import { FILES_STREAM, type FileAccess } from "../../contract/file-access.ts";
import type { FileConsentApproval, FileConsentQuery, FileOffer } from "../../contract/file-consent.ts";
import type { Credential } from "../../engine/caller.ts";
import type { EngineHost } from "../../engine/host.ts";
import { type CaseParts, type ConsentCase, durationIn } from "./consent-case.ts";
import { type ConsentForm, type ConsentRequester, consentFrame } from "./consent-view-of.ts";
import type { ConsentAnswer, FilesConsent } from "./pages/consent-view.ts";

const CANNOT = [
  "Delete, move, rename or change a file.",
  "Look outside the folders that you tick, even by following a path or link.",
  "See your password, your other apps, or what they did.",
  "Continue after you revoke its access.",
];

export async function filesCase({ host, owner, asked, client, details, request }: CaseParts): Promise<ConsentCase> {
  const { credential } = owner;
  const detail = details?.[0] as FileAccess | undefined;
  const query: FileConsentQuery = { client, ...(detail === undefined ? {} : { detail }) };
  const offer = await host.call("fileOffer", query, credential);
  return {
    blocked: offer.blocked,
    view: async (shown) => filesView(asked, offer, await rootFacts(host, credential, offer), shown),
    async approve(answer) {
      const approval = { ...query, request, digest: answer.digest, choice: choiceIn(answer) };
      return (await host.call("approveFiles", approval, credential)).id;
    },
  };
}

function choiceIn(answer: ConsentAnswer): FileConsentApproval["choice"] {
  return {
    roots: answer.streams.map(({ connectionId }) => connectionId),
    may: answer.may,
    duration: durationIn(answer),
    ai_training: answer.aiTraining,
  };
}

interface RootTotals {
  files: number;
  bytes: number;
}

function filesView(
  asked: ConsentRequester,
  offer: FileOffer,
  facts: ReadonlyMap<string, RootTotals>,
  shown: ConsentForm,
): FilesConsent {
  const { answer } = shown;
  return {
    ...consentFrame(asked, offer, shown),
    lens: "files",
    roots: offer.roots.map(({ connection_id, path, preselected }) => ({
      connectionId: connection_id,
      path,
      checked: answer?.streams.some(({ connectionId }) => connectionId === connection_id) ?? preselected,
      ...facts.get(connection_id),
    })),
    powers: offer.powers.map(({ power, preselected }) => ({
      power,
      always: power === "navigate",
      checked: answer?.may.includes(power) ?? preselected,
    })),
    cannot: CANNOT,
  };
}

/** Returns the files and bytes of each root, if a scan has counted them. Only the owner sees them, not the app. */
async function rootFacts(
  host: EngineHost,
  credential: Credential,
  { roots }: FileOffer,
): Promise<Map<string, RootTotals>> {
  const looking = { ...credential, looking: true } as Credential;
  const facts = await Promise.all(
    roots.map(async ({ connection_id }): Promise<[string, RootTotals]> => {
      const files = { stream: FILES_STREAM, connection_id, filter: { kind: "file" } };
      const query = { ...files, metric: "sum", field: "size" } as const;
      const sum = await host.call("aggregate", query, looking);
      return [connection_id, { files: sum.filtered_record_count, bytes: Number(sum.value ?? 0) }];
    }),
  );
  return new Map(facts.filter(([, { files }]) => files > 0));
}
