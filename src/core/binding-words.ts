// A connector's permissions on this machine, worded for the owner.
import type { BindingName } from "../contract/connector.ts";

export const BINDING_WORDS: Record<BindingName, string> = {
  network: "reach the network",
  filesystem: "read files of this machine",
  interactive: "ask you things while it runs",
  browser_automation: "drive a browser",
  browser_profile: "use the profile of a browser",
  loopback_listen: "listen on this machine",
};
