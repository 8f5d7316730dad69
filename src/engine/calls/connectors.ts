// Engine calls for connectors: setup, runs, and reports from the process that runs them.
import * as collects from "../../contract/collect-request.ts";
import type { ConnectorManifest } from "../../contract/connector.ts";
import * as requests from "../../contract/write.ts";
import { notHosted } from "../hosted.ts";
import { listAnswer } from "../read/context.ts";
import { takeUnused } from "../unused-blobs.ts";
import { leaveAnswer, takeAnswers } from "../write/collect-answers.ts";
import * as runs from "../write/collect-runs.ts";
import * as drafts from "../write/connector-drafts.ts";
import * as setups from "../write/connector-setups.ts";
import { answer, ownerRead, ownerWrite, systemRead, systemRemoval, systemWrite, unlogged } from "./define.ts";

/** Secrets are sent only to the serving process, which signs in with them. */
type DraftAnswer = drafts.ConnectorChecked & { secrets?: Record<string, string> };

interface LocatedManifest {
  place: string;
  manifest: ConnectorManifest;
}

export const CONNECTOR_CALLS = {
  connectorSetups: ownerRead({
    query: requests.nothing,
    answer: "ConnectorSetupList",
    route: {
      method: "GET",
      path: "/v1/connector-setups",
      summary: "Configured connectors, with their settings, permissions and last run",
    },
    words: "Listed connectors",
    run: async ({ view, caller }) => listAnswer("/v1/connector-setups", await setups.listSetups(view, caller)),
  }),
  connectorSetup: ownerRead({
    query: requests.connectionId,
    answer: "ConnectorSetup",
    route: {
      method: "GET",
      path: "/v1/connector-setups/{connection_id}",
      summary: "A connection's connector",
    },
    words: "Looked at a connector",
    run: async ({ view, caller }, { connection_id }) => answer(await setups.readSetup(view, caller, connection_id)),
  }),
  removeSetup: ownerWrite({
    query: requests.connectionId,
    answer: "ConnectorSetupRemoved",
    route: {
      method: "DELETE",
      path: "/v1/connector-setups/{connection_id}",
      summary: "Remove a connection's connector and its secrets; the connection and its records stay",
    },
    words: "Removed a connector",
    effects: ["removesConnector"],
    run: ({ view, caller }, query) => setups.removeSetup(view, caller, query),
  }),
  putSettings: ownerWrite({
    query: collects.settingsPut,
    answer: "ConnectorSetup",
    route: {
      method: "PUT",
      path: "/v1/connections/{connection_id}/settings",
      summary: "Change the connector's settings and secrets; omitted values stay, null removes a value",
      body: "merge",
    },
    words: "Changed a connector's settings",
    // Settings determine which server the connector connects to, and its secrets are sent there. Deleting a secret
    // needs no password.
    lastingAccess: ({ settings = {}, secrets = {} }) =>
      Object.keys(settings).length > 0 || Object.values(secrets).some((secret) => secret !== null),
    notHosted: "connectors are set up by its operator",
    run: setups.putSettings,
  }),
  startCollect: ownerWrite({
    query: collects.collectStart,
    answer: "CollectRun",
    route: {
      method: "POST",
      path: "/v1/connections/{connection_id}/runs",
      summary: "Run a connection's connector now",
      body: "merge",
      status: 202,
    },
    words: "Ran a connector",
    effects: ["wakesConnectors"],
    run: ({ view, caller, now }, query) => runs.startRun(view, caller, query, now),
  }),
  /** Polled during a run, so it is not logged. */
  collectRuns: ownerRead({
    query: requests.connectionId,
    answer: "CollectRunList",
    route: {
      method: "GET",
      path: "/v1/connections/{connection_id}/runs",
      summary: "A connection's latest runs, newest first",
    },
    async run({ view, caller }, { connection_id }) {
      const url = `/v1/connections/${encodeURIComponent(connection_id)}/runs`;
      return { ...listAnswer(url, await runs.listRuns(view, caller, connection_id)), reads: [] };
    },
  }),
  collectRun: ownerRead({
    query: requests.byId,
    answer: "CollectRun",
    route: { method: "GET", path: "/v1/runs/{id}", summary: "One run: its progress, report and question" },
    run: async ({ view, caller }, query) => unlogged(await runs.readRun(view, caller, query)),
  }),
  collectLog: ownerRead({
    query: requests.byId,
    answer: "CollectLog",
    route: {
      method: "GET",
      path: "/v1/runs/{id}/log",
      summary: "The end of a run's connector log, without secrets",
    },
    words: "Read a connector's log",
    complete: async ({ connectors }, stored, { id }) => (await connectors.liveLog(id)) ?? stored,
    run: async ({ view, caller }, query) => answer(await runs.readLog(view, caller, query)),
  }),
  cancelCollect: ownerWrite({
    query: requests.byId,
    answer: "CollectRun",
    route: {
      method: "POST",
      path: "/v1/runs/{id}/cancel",
      summary: "Stop a run; its records stay, but its cursors are not stored",
    },
    words: "Stopped a connector",
    effects: ["stopsConnectorRun"],
    run: ({ view, caller, now }, query) => runs.cancelRun(view, caller, query, now),
  }),
  answerCollect: ownerWrite({
    query: collects.collectAnswer,
    answer: "CollectRun",
    route: {
      method: "POST",
      path: "/v1/runs/{id}/answers",
      summary: "Answer a run's question; credentials are kept only with remember",
      body: "merge",
      status: 202,
    },
    words: "Answered a connector",
    lastingAccess: ({ remember }) => remember === true,
    effects: ["answersConnector"],
    run: ({ view, caller }, query) => runs.answerRun(view, caller, query),
  }),
  /** These three calls have no route, because adding a connector means running it on this machine. */
  locatedConnector: ownerRead({
    query: collects.connectorNamed,
    notHosted: "connectors are added by its operator",
    complete: async ({ connectors }, _, { named }) => await connectors.locate(named),
    run: async () => unlogged<LocatedManifest | null>(null),
  }),
  checkConnector: ownerRead({
    query: collects.connectorCheck,
    words: "Tested a connection",
    notHosted: "connectors are added by its operator",
    // This runs a program, and sends a secret to the server in the settings.
    lastingAccess: true,
    async complete({ connectors }, { sealed, secrets = {} }: DraftAnswer, { place, settings }): Promise<DraftAnswer> {
      return { ...(await connectors.check(place, settings, secrets)), sealed };
    },
    async run({ key }, query) {
      const secrets = drafts.draftSecrets(key, query);
      const sealed = drafts.sealDraft(key, query, secrets);
      return answer<DraftAnswer>({ status: "not_checkable", message: "", sealed, secrets });
    },
  }),
  putSetup: ownerWrite({
    query: collects.setupPut,
    lastingAccess: true,
    words: "Added a connector",
    notHosted: "connectors are added by its operator",
    run: setups.putSetup,
  }),
  /** Every run starts with this call. */
  runnableSetup: systemRead({
    query: requests.connectionId,
    hosted(setup: setups.RunnableSetup) {
      // The connector may have arrived with a home from another server.
      if (setup.manifest.bindings.filesystem === undefined) return setup;
      throw notHosted("connectors that read files on its machine are not run");
    },
    run: ({ view, caller, key }, { connection_id }) => setups.runnableSetup(view, caller, key, connection_id),
  }),
  renewSetup: systemWrite({ query: collects.setupRenew, run: setups.renewSetup }),
  keepSecrets: systemWrite({ query: collects.secretsKeep, run: setups.keepSecrets }),
  leaveAnswer: systemWrite({ query: collects.answerLeft, run: leaveAnswer }),
  takeAnswers: systemWrite({ query: collects.answersWanted, run: takeAnswers }),
  collectTasks: systemRead({
    query: requests.nothing,
    run: ({ view, caller }) => runs.collectTasks(view, caller),
  }),
  beginCollect: systemWrite({
    query: collects.collectBegin,
    run: ({ view, caller, now }, query) => runs.beginRun(view, caller, query, now),
  }),
  collectSpawned: systemWrite({
    query: collects.collectSpawned,
    run: ({ view, caller, now }, query) => runs.noteSpawned(view, caller, query, now),
  }),
  /** Redoable, because the batch's cursors are stored after it. */
  collectBatch: systemRemoval({
    query: collects.collectBatch,
    redoable: true,
    run: ({ view, caller }, query, way) => runs.storeRunBatch(view, caller, query, way),
  }),
  noteCollect: systemWrite({
    query: collects.collectNote,
    run: ({ view, caller, now }, query) => runs.noteRun(view, caller, query, now),
  }),
  /** Syncs this commit and the commits of the run's batches, so the objects that they released can be removed. */
  endCollect: systemWrite({
    query: collects.collectEnd,
    async run({ view, caller, now, unused }, query) {
      const ended = await runs.endRun(view, caller, query, now);
      unused((await takeUnused(view, caller.subjectId, now)).names);
      return ended;
    },
  }),
};
