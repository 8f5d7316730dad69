// Tests a connector before it is added: the connector signs in and reports what it found. Nothing is stored.
import { randomUUID } from "node:crypto";
import type { Settings } from "../../contract/connector.ts";
import type { ConnectorChecked } from "../../engine/write/connector-drafts.ts";
import { Halt } from "./halt.ts";
import type { LocatedConnector } from "./manifest-file.ts";
import { newScratch, removeScratch, runConnector } from "./run-connector.ts";

/** A person is waiting for the page to load. */
const CHECK_MS = 45_000;

export async function checkConnector(
  connector: LocatedConnector,
  settings: Settings,
  secrets: Record<string, string>,
): Promise<Pick<ConnectorChecked, "status" | "message">> {
  if (!connector.manifest.check)
    return { status: "not_checkable", message: "This connector cannot be tested before it is added." };
  const scratch = await newScratch();
  let said = "";
  const stop = new AbortController();
  const late = setTimeout(
    () => stop.abort(new Halt("timeout", `it did not respond within ${CHECK_MS / 1000} seconds`)),
    CHECK_MS,
  );
  try {
    const { status, error } = await runConnector({
      runId: `check_${randomUUID()}`,
      mode: "check",
      connector,
      setup: { settings, opened: secrets, state: {} },
      scratch,
      store: async () => ({ rejected: 0 }),
      progress: ({ message }) => {
        said = message;
      },
      stopped: stop.signal,
      now: Date.now,
    });
    return status === "succeeded"
      ? { status: "works", message: said }
      : { status: "fails", message: error?.message ?? "The connector ended without giving a reason." };
  } finally {
    clearTimeout(late);
    await removeScratch(scratch);
  }
}
