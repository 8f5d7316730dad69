// The one recommended setup for each client, word for word as docs/clients.md shows it and as it is run (E-25).
import { clientSetups, genericSetup } from "../../src/contract/client-setups.ts";
import { DEFAULT_ORIGIN } from "../../src/surfaces/cli/default-address.ts";
import type { ClientName } from "./packages.ts";

/** A grant for what cannot sign in by itself. */
const CONNECT = `pdpp connect ${DEFAULT_ORIGIN} --global`;

/** With the address in the docs; runs put theirs in its place. */
export const SETUPS = {
  ...clientSetups(DEFAULT_ORIGIN),
  "AI SDK": [CONNECT, "PDPP_ACCESS_TOKEN=$(pdpp token) node ask.mjs"],
} as const satisfies Record<ClientName, readonly string[]>;

/** Any other host. */
export const GENERIC = { ...genericSetup(DEFAULT_ORIGIN), connect: CONNECT } as const;

/** A documented text with the address of this run. */
export const here = (text: string, url: string): string => text.replaceAll(DEFAULT_ORIGIN, new URL(url).origin);
