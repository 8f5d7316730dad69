// The calls of connectors: how they are set up, their runs, and what whoever runs them tells.
import * as collects from "../contract/collect-request.ts";
import * as requests from "../contract/write.ts";
import { answer, ownerRead, ownerWrite, systemRead, systemWrite } from "./method.ts";
import { listJson } from "./read/context.ts";
import { leaveAnswer, takeAnswers } from "./write/collect-answers.ts";
import * as collecting from "./write/collect-runs.ts";
import * as setups from "./write/connector-setups.ts";

export const COLLECT_METHODS = {
  connectorSetups: ownerRead(requests.nothing, async ({ view, caller }) => {
    const items = (await setups.listSetups(view, caller)).map((item) => JSON.stringify(item));
    const url = "/v1/connector-setups";
    return { body: listJson({ url, self: url, items, hasMore: false }), records: 0 };
  }),
  connectorSetup: ownerRead(requests.connectionId, async ({ view, caller }, { connection_id }) =>
    answer(await setups.readSetup(view, caller, connection_id)),
  ),
  /** No route leads here: whoever adds a connector has it run on this machine. */
  putSetup: ownerWrite(collects.setupPut, setups.putSetup),
  removeSetup: ownerWrite(requests.connectionId, ({ view, caller }, query) => setups.removeSetup(view, caller, query)),
  putSettings: ownerWrite(collects.settingsPut, setups.putSettings),
  runnableSetup: systemRead(requests.connectionId, ({ view, caller, key }, { connection_id }) =>
    setups.runnableSetup(view, caller, key, connection_id),
  ),
  renewSetup: systemWrite(collects.setupRenew, setups.renewSetup),
  keepSecrets: systemWrite(collects.secretsKeep, setups.keepSecrets),
  startCollect: ownerWrite(collects.collectStart, ({ view, caller, now }, query) =>
    collecting.startRun(view, caller, query, now),
  ),
  cancelCollect: ownerWrite(requests.byId, ({ view, caller, now }, query) =>
    collecting.cancelRun(view, caller, query, now),
  ),
  answerCollect: ownerWrite(collects.collectAnswer, ({ view, caller }, query) =>
    collecting.answerRun(view, caller, query),
  ),
  leaveAnswer: systemWrite(collects.answerLeft, leaveAnswer),
  takeAnswers: systemWrite(collects.answersWanted, takeAnswers),
  /** Looked at again and again while one runs: no line in the audit. */
  collectRuns: ownerRead(requests.connectionId, async ({ view, caller }, { connection_id }) => {
    const items = (await collecting.listRuns(view, caller, connection_id)).map((item) => JSON.stringify(item));
    const url = `/v1/connections/${encodeURIComponent(connection_id)}/runs`;
    return { body: listJson({ url, self: url, items, hasMore: false }), records: 0, reads: [] };
  }),
  collectRun: ownerRead(requests.byId, async ({ view, caller }, query) => ({
    ...answer(await collecting.readRun(view, caller, query)),
    reads: [],
  })),
  collectLog: ownerRead(requests.byId, async ({ view, caller }, query) =>
    answer(await collecting.readLog(view, caller, query)),
  ),
  collectTasks: systemRead(requests.nothing, ({ view, caller }) => collecting.collectTasks(view, caller)),
  beginCollect: systemWrite(collects.collectBegin, ({ view, caller, now }, query) =>
    collecting.beginRun(view, caller, query, now),
  ),
  collectSpawned: systemWrite(collects.collectSpawned, ({ view, caller, now }, query) =>
    collecting.noteSpawned(view, caller, query, now),
  ),
  collectBatch: {
    ...systemWrite(collects.collectBatch, ({ view, caller, now }, query) =>
      collecting.storeRunBatch(view, caller, query, now),
    ),
    // Its cursors go down behind it.
    redoable: true,
  },
  noteCollect: systemWrite(collects.collectNote, ({ view, caller, now }, query) =>
    collecting.noteRun(view, caller, query, now),
  ),
  endCollect: systemWrite(collects.collectEnd, ({ view, caller, now }, query) =>
    collecting.endRun(view, caller, query, now),
  ),
} as const;
