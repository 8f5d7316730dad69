// The nine operations of the shell. Each runs on behalf of its caller and is logged.
import { PdppError } from "../../contract/errors.ts";
import { type FileShell, SHELL_LIST_MAX, type ShellPreferences, type ShellUnits } from "../../contract/file-shell.ts";
import { type FileAnswer, FileCall, type FileCaller } from "./file-call.ts";
import type { FilesLens } from "./lens.ts";
import { links } from "./links.ts";
import { cd, inspect } from "./navigate.ts";
import { queryGet, queryList, queryLook, queryRun } from "./queries.ts";
import { indexHere, jobProgress } from "./scans.ts";
import { resourceSetOps } from "./selections.ts";
import { DEFAULT_UNITS, defaultSession, openSession, preferencesOf } from "./sessions.ts";

export function shellFor(lens: FilesLens, caller: FileCaller): FileShell {
  // Links are root-relative. Each response gives their base once (S-20).
  const { origin: base } = caller;
  const call = (action: string): FileCall => new FileCall(lens, { ...caller, origin: "" }, action);
  const looks = <Q extends object, T extends object>(
    action: string,
    work: (call: FileCall, query: Q) => Promise<FileAnswer<T>>,
  ) => {
    return (query: Q): Promise<T & { base: string }> => {
      const one = call(action);
      return one.run("navigate", async () => {
        const outcome = await work(one, query);
        return { ...outcome, answer: { base, ...outcome.answer, ...(await said(one, query, outcome.answer)) } };
      });
    };
  };
  return {
    cd: looks("cd", cd),
    index: looks("index", indexHere),
    jobProgress: looks("job-progress", jobProgress),
    inspect: looks("inspect", inspect),
    resourceSetOps: looks("resource-set-ops", resourceSetOps),
    queryRun: looks("query-run", queryRun),
    queryLook: looks("query-run", queryLook),
    queryList: looks("query-list", queryList),
    queryGet: looks("query-get", queryGet),
    sessionPreferences: looks("session-preferences", preferences),
  };
}

/** Returns the session's units, unless they are the default. */
async function said(call: FileCall, query: object, answer: object): Promise<Omit<ShellUnits, "base">> {
  const { sessionId = (query as { sessionId?: string }).sessionId } = answer as { sessionId?: string };
  const session = await (sessionId === undefined ? defaultSession(call) : call.lens.store.session(sessionId));
  const units = session?.client === call.client ? (session.units as ShellPreferences["units"]) : DEFAULT_UNITS;
  return units === DEFAULT_UNITS ? {} : { units };
}

const UNITS = ["bytes", "binary", "decimal"];

async function preferences(
  call: FileCall,
  { sessionId, units, limit }: { sessionId?: string; units?: ShellPreferences["units"]; limit?: number },
): Promise<FileAnswer<ShellPreferences & { link: string }>> {
  const session = await openSession(call, sessionId);
  if (units !== undefined && !UNITS.includes(units))
    throw new PdppError("invalid_request", `units must be one of ${UNITS.join(", ")}`, { param: "units" });
  if (limit !== undefined && (!Number.isInteger(limit) || limit < 1 || limit > SHELL_LIST_MAX))
    throw new PdppError("invalid_request", `limit must be between 1 and ${SHELL_LIST_MAX}`, { param: "limit" });
  const changed = {
    ...session,
    ...(units === undefined ? {} : { units }),
    ...(limit === undefined ? {} : { page: limit }),
    used_at: call.lens.now(),
  };
  await call.lens.store.putSession(changed);
  const link = links(call.caller.origin).session(changed.session_id);
  return { answer: { ...preferencesOf(changed), link } };
}
