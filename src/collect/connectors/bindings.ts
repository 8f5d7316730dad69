// A connector's permissions on this machine, which are checked before it starts and listed in its START message.
import type { BindingName, ConnectorBindings, ConnectorManifest, Settings } from "../../contract/connector.ts";
import { PdppError } from "../../contract/errors.ts";
import type { JsonObject } from "../../contract/record.ts";
import { BINDING_WORDS } from "../../core/binding-words.ts";

const MISSING: Partial<Record<BindingName, string>> = {
  browser_automation: "this server cannot drive a browser",
  browser_profile: "this server has no browser profile",
};

/**
 * Returns the bindings for START, with the settings that are not secret. Throws if a required binding is unavailable.
 */
export function grantBindings(
  { bindings, display_name }: ConnectorManifest,
  { canAsk, scratch, settings }: { canAsk: boolean; scratch: string; settings: Settings },
): JsonObject {
  const granted: JsonObject = {};
  for (const [name, wanted] of Object.entries(bindings) as [BindingName, ConnectorBindings[BindingName]][]) {
    if (wanted === undefined) continue;
    const missing = name === "interactive" && !canAsk ? "there is no one to answer" : MISSING[name];
    if (missing === undefined) granted[name] = detailsOf(name, wanted, scratch);
    else if (wanted.required) {
      throw new PdppError("invalid_request", `${display_name} needs to ${BINDING_WORDS[name]}, but ${missing}`, {
        param: `bindings.${name}`,
        next_step:
          name === "interactive"
            ? "Run it from a terminal, or with a server (`pdpp serve`), where questions can be answered in the dashboard."
            : "Use a connector that does not need it.",
      });
    }
  }
  return { ...granted, settings };
}

function detailsOf(
  name: BindingName,
  wanted: NonNullable<ConnectorBindings[BindingName]>,
  scratch: string,
): JsonObject {
  if (name === "network" && "hosts" in wanted) return { hosts: wanted.hosts ?? [] };
  if (name === "filesystem") return { scratch, ...("paths" in wanted ? { paths: wanted.paths ?? [] } : {}) };
  return {};
}

/**
 * Compares the permissions with those the owner approved when the connector was added. A connector that changed on disk
 * gets no more than those.
 */
export function asksForMore(approved: ConnectorManifest, now: ConnectorManifest): string | undefined {
  if (JSON.stringify(approved.command) !== JSON.stringify(now.command)) return "the command it is started with";
  const more = (Object.keys(now.bindings) as BindingName[]).find(
    (name) => JSON.stringify(now.bindings[name]) !== JSON.stringify(approved.bindings[name]),
  );
  return more === undefined ? undefined : `the binding ${more}`;
}
