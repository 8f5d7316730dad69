// Connectors that are being set up. Secrets entered for a check are returned encrypted, so that they need not be typed
// twice.
import type { KeyObject } from "node:crypto";
import type { z } from "zod";
import type * as requests from "../../contract/collect-request.ts";
import type { Settings } from "../../contract/connector.ts";
import { PdppError } from "../../contract/errors.ts";
import { openSecrets, sealSecrets } from "../../core/sealed-secrets.ts";

export interface ConnectorChecked {
  status: "works" | "fails" | "not_checkable";
  /** The result in words and, after a failure, what to do. */
  message: string;
  /** The secrets in a form that only this home can open, for this connector and this server. */
  sealed: string;
}

/** Settings that determine which server receives a connector's secrets. */
const SERVER_SETTINGS = ["host", "port", "server", "url", "endpoint"];

/** Secrets were entered for one server, and no other server may receive them (G-04). */
export const sameServer = (one: Settings, other: Settings): boolean =>
  SERVER_SETTINGS.every((name) => one[name] === other[name]);

/** An id that no connection has, so the sealed secrets open only for this draft. */
const draftOf = (place: string, settings: Settings): string =>
  `draft ${JSON.stringify([place, SERVER_SETTINGS.map((name) => settings[name] ?? null)])}`;

type Draft = Pick<z.infer<typeof requests.connectorCheck>, "place" | "settings" | "secrets" | "sealed">;

/** The secrets that were just entered, and those that were sealed before. */
export function draftSecrets(key: KeyObject, { place, settings, secrets, sealed }: Draft): Record<string, string> {
  if (sealed === undefined) return secrets;
  const opened = openSecrets(key, draftOf(place, settings), sealed);
  if (opened === undefined && Object.keys(secrets).length === 0)
    throw new PdppError("invalid_request", "the server address changed since the password was entered", {
      param: "secrets",
      next_step: "Enter the password again.",
    });
  return { ...opened, ...secrets };
}

export const sealDraft = (key: KeyObject, { place, settings }: Draft, secrets: Record<string, string>): string =>
  sealSecrets(key, draftOf(place, settings), secrets);
