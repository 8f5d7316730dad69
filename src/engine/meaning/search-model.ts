// The owner's embedding model: the only endpoint that may receive passages of records.
import { createHash } from "node:crypto";
import { PdppError } from "../../contract/errors.ts";
import type { SearchModelRead } from "../../contract/search-model.ts";
import type { SearchModelSet } from "../../contract/search-model-request.ts";
import { formatInstant } from "../../core/instant.ts";
import type { ReadView } from "../../store/store.ts";
import type { WriteContext } from "../calls/define.ts";
import type { EmbeddingModel } from "./endpoint.ts";

const KIND = "search_model";

export interface SearchModel extends EmbeddingModel {
  /** Identifies the endpoint and the model, because vectors from different ones cannot be compared. */
  id: string;
  remote: boolean;
  setAt: number;
}

export async function searchModelOf(view: ReadView, subjectId: string): Promise<SearchModel | undefined> {
  const item = await view.item(subjectId, KIND, KIND);
  if (item === undefined) return undefined;
  const { url, name, remote } = item.body as { url: string; name: string; remote: boolean };
  return { id: idOf(url, name), url, name, remote, setAt: item.createdAt };
}

export async function setSearchModel(
  { view, caller, now }: WriteContext,
  { url: typed, name, remote: agreed = false }: SearchModelSet,
): Promise<SearchModelRead> {
  const { url, remote } = endpointOf(typed);
  if (remote && !agreed)
    throw new PdppError(
      "invalid_request",
      `${new URL(url).host} is another machine: text from your records would be sent there`,
      {
        param: "remote",
        next_step: "If you want that, set remote=true (pdpp search model set URL --name NAME --remote yes).",
      },
    );
  const body = { url, name, remote };
  await view.putItem(caller.subjectId, { kind: KIND, id: KIND, holder: null, createdAt: now, dueAt: null, body });
  return modelRead({ id: idOf(url, name), url, name, remote, setAt: now });
}

export async function removeSearchModel({ view, caller }: WriteContext): Promise<SearchModelRead> {
  await view.deleteItem(caller.subjectId, KIND, KIND);
  return modelRead(undefined);
}

export function modelRead(model: SearchModel | undefined): SearchModelRead {
  if (model === undefined)
    return {
      object: "search_model",
      mode: "lexical",
      notice: "No model is set. Search is by words, and no text from your records is sent anywhere for it.",
    };
  const { url, name, remote, setAt } = model;
  return {
    object: "search_model",
    mode: "hybrid",
    url,
    name,
    remote,
    set_at: formatInstant(setAt),
    notice: `The server sends passages of your records, and each search, to ${new URL(url).host} and nowhere else. ${
      remote ? "That is another machine." : "That is this machine."
    }`,
  };
}

const LOOPBACK = /^(?:localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])\.?$/;

/** The API's base URL, normalised. */
function endpointOf(typed: string): { url: string; remote: boolean } {
  const url = URL.parse(typed);
  const problem =
    url === null || !/^https?:$/.test(url.protocol)
      ? `${JSON.stringify(typed.slice(0, 200))} is not an http or https address`
      : url.username !== "" || url.password !== ""
        ? "the address contains a password, which would be shown with the setting"
        : url.search !== "" || url.hash !== ""
          ? "the address has a query or a fragment"
          : undefined;
  if (url === null || problem !== undefined)
    throw new PdppError("invalid_request", problem ?? "no address", {
      param: "url",
      next_step: "Specify the base URL of an OpenAI-compatible API, such as http://127.0.0.1:11434/v1.",
    });
  const path = url.pathname.replace(/\/+$/, "").replace(/\/embeddings$/, "");
  return { url: `${url.origin}${path}`, remote: !LOOPBACK.test(url.hostname) };
}

const idOf = (url: string, name: string): string =>
  createHash("sha256")
    .update(JSON.stringify([url, name]))
    .digest("base64url")
    .slice(0, 22);
