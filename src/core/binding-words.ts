// A connector's permissions on this machine, worded for the owner.
import type { BindingName } from "../contract/connector.ts";

export const BINDING_WORDS: Record<BindingName, string> = {
  network: "reach the network",
  filesystem: "read files on this machine",
  interactive: "ask you questions while it runs",
  browser_automation: "drive a browser",
  browser_profile: "use a browser profile",
  loopback_listen: "accept connections on this machine",
};
