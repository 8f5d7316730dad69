// /dashboard/import/{id}: an upload, from its plan through its run to its report, or a single import.
import { setTimeout as sleep } from "node:timers/promises";
import { PdppError } from "../../../contract/errors.ts";
import type { ImportJob } from "../../../contract/import.ts";
import type { ImportRequest } from "../../../contract/import-upload.ts";
import { ownerPage, type Visit } from "../owner-page.ts";
import { IMPORT, importAddress } from "./import-address.ts";
import { type ConnectionNames, partOf } from "./import-part.ts";
import { showPlan } from "./import-plan-view.ts";
import { showReport } from "./import-report-view.ts";
import { fileLine } from "./import-row.ts";
import { ANSWER, type OneImportView, type PlanQuestion } from "./one-import-view.ts";

/** If planning takes longer, the page says so and refreshes. */
const PLAN_MS = 1500;
/** The number of unrecognised files that are listed individually. */
const LEFT_SHOWN = 200;
const NAMES_SHOWN = 3;

export const oneImportPage = ownerPage<OneImportView>({
  path: `${IMPORT}/{id}`,
  under: "import",
  async load(visit) {
    const found = await visit.look("import", { id: visit.params.id! });
    return found.object === "import" ? aloneView(visit, found) : requestView(visit, found);
  },
  show: (view, frame) => (view.status === "open" ? showPlan(view, frame) : showReport(view, frame)),
  async post({ params, look, act }, form) {
    const id = params.id!;
    switch (form.get("do")) {
      case "plan":
        return `${importAddress(id)}?${new URLSearchParams([...form].filter(([name]) => isChoice(name)))}`;
      case "discard":
        await act("cancelImport", { id });
        return `${IMPORT}?done=discarded`;
      case "start": {
        // If the form was sent twice, or from an outdated page, the import is already running.
        const { status } = await look("import", { id });
        if (status !== "open") return importAddress(id);
        const as = form.get("as")?.trim();
        await act("startImport", { id, answers: answersIn(form), ...(as ? { as } : {}) });
        return importAddress(id);
      }
      case "pause":
        await act("pauseImport", { id });
        return importAddress(id);
      case "resume":
        await act("resumeImport", { id });
        return importAddress(id);
      case "cancel":
        await act("cancelImport", { id });
        return importAddress(id);
    }
    throw new PdppError("invalid_request", "the form has no action", { param: "do" });
  },
});

const isChoice = (name: string): boolean => name === "as" || name.startsWith(ANSWER);

/** An empty answer counts as no answer, so the default applies. */
function answersIn(fields: URLSearchParams): Record<string, string> {
  const given = [...fields].filter(([name, value]) => name.startsWith(ANSWER) && value !== "");
  return Object.fromEntries(given.map(([name, value]) => [name.slice(ANSWER.length), value]));
}

async function namesOf({ look }: Visit): Promise<Map<string, ConnectionNames>> {
  const [connections, connectors] = [await look("connections", {}), await look("connectors", {})];
  const sources = new Map(connectors.data.map(({ connector_key, display_name }) => [connector_key, display_name]));
  return new Map(
    connections.data.map(({ connection_id, connector_key, display_name }) => [
      connection_id,
      { connection: display_name, source: sources.get(connector_key) ?? connector_key },
    ]),
  );
}

async function requestView(visit: Visit, request: ImportRequest): Promise<OneImportView> {
  const { import_id, status, files, imports, parts, left_out, error, created_at, expires_at } = request;
  const names = files.slice(0, NAMES_SHOWN).map(({ name }) => fileLine(name));
  const more = files.length - names.length;
  const connections = await namesOf(visit);
  return {
    importId: import_id,
    status,
    name: `${names.join(", ")}${more === 0 ? "" : ` and ${more} more`}`,
    files: files.length,
    bytes: files.reduce((sum, { size }) => sum + size, 0),
    createdAt: created_at,
    expiresAt: expires_at,
    parts: imports.map((job) => partOf(job, connections)),
    ...(parts === undefined ? {} : { partsExpected: parts }),
    leftOut: leftOut(left_out),
    home: visit.house.home,
    ...(error === undefined ? {} : { error }),
    ...(status === "open" ? await planned(visit, request) : {}),
  };
}

/** Shows a single import: one that a command ran, or one part of an upload. */
async function aloneView(visit: Visit, job: ImportJob): Promise<OneImportView> {
  const { import_id, status, name, progress, started_at } = job;
  return {
    importId: import_id,
    status,
    name: fileLine(name),
    files: progress.files.length + progress.files_left_out,
    bytes: progress.total_bytes,
    createdAt: started_at,
    parts: [partOf(job, await namesOf(visit))],
    leftOut: leftOut([]),
    home: visit.house.home,
    isAlone: true,
  };
}

const leftOut = (files: ImportRequest["left_out"]): OneImportView["leftOut"] => ({
  total: files.length,
  files: files.slice(0, LEFT_SHOWN).map(({ path, ...rest }) => ({ path: fileLine(path), ...rest })),
});

/** Returns what is known about the files so far. */
async function planned({ look, search, zone }: Visit, request: ImportRequest): Promise<Partial<OneImportView>> {
  const missing = request.files.reduce((sum, { size, offset }) => sum + size - offset, 0);
  if (missing > 0) return { missing };
  const answers = answersIn(search);
  const as = search.get("as");
  const chosen = { answers, ...(as === null ? {} : { as }) };
  try {
    const plan = await soon(look("planImport", { id: request.import_id, answers }));
    if (plan === undefined) return { ...chosen, isLooking: true };
    const { groups, left_out } = plan;
    return {
      ...chosen,
      plan: groups.map((group) => ({
        ...group,
        name: fileLine(group.name),
        questions: group.questions.map((question) => withSuggestion(question, zone)),
      })),
      leftOut: leftOut(left_out),
    };
  } catch (error) {
    if (!(error instanceof PdppError) || error.status >= 500) throw error;
    return { ...chosen, refused: error.message };
  }
}

/**
 * Suggests the answer to an earlier import, so that importing again changes nothing. The default time zone of a plan is
 * the server's, but the times were more likely recorded in the owner's.
 */
function withSuggestion(question: PlanQuestion, zone: string): PlanQuestion {
  const suggested = question.earlier ?? (question.asks_for === "time_zone" ? zone : question.default);
  return suggested === undefined ? question : { ...question, default: suggested };
}

async function soon<T>(work: Promise<T>): Promise<T | undefined> {
  // A later visit shows the error.
  work.catch(() => undefined);
  return Promise.race([work, sleep(PLAN_MS, undefined, { ref: false })]);
}
