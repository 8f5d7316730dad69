// A files lens job over HTTP, once or as an event stream.
import { PdppError } from "../../contract/errors.ts";
import type { FileJobRead } from "../../contract/file-answers.ts";
import type { FileJob } from "../../contract/files.ts";
import { type Credential, hashToken } from "../../engine/caller.ts";
import { FileCall } from "../../files/shell/file-call.ts";
import type { FilesLens } from "../../files/shell/lens.ts";
import { openJob, progressOf } from "../../files/shell/scans.ts";
import type { Exchange } from "../http/respond.ts";

export function jobRead(call: FileCall, job: FileJob): FileJobRead {
  const { progressPct, eta, statusUrl, links } = progressOf(call, job);
  return {
    ...job,
    ...(progressPct === undefined ? {} : { progressPct }),
    // A job that is not running has no ETA.
    ...(eta === undefined || job.status !== "running" ? {} : { eta }),
    statusUrl,
    links,
  };
}

/**
 * Checked on the server's own behalf, so that the audit log shows no refusal. A token for the files lens can access
 * only jobs of that lens.
 */
async function isOfFiles({ host }: FilesLens, credential: Credential): Promise<boolean> {
  if (!("token" in credential)) return false;
  const found = await host.call("tokenInfo", { hash: hashToken(credential.token) }, { home: true });
  return found?.grant.audience === "files";
}

const unknownJob = (jobId: string): PdppError =>
  new PdppError("not_found", `there is no job ${JSON.stringify(jobId.slice(0, 60))}`, {
    param: "jobId",
    next_step: "POST /api/indexes starts a scan and returns its jobId; GET /api/indexes lists running jobs.",
  });

/** Returns undefined if the files lens has no job with this id. */
export async function fileJobReader(
  lens: FilesLens,
  exchange: Exchange,
  credential: Credential,
  jobId: string,
): Promise<(() => Promise<string>) | undefined> {
  const known = await lens.files.job(jobId).then(
    () => true,
    () => false,
  );
  if (!known && (await isOfFiles(lens, credential))) throw unknownJob(jobId);
  if (!known) return undefined;
  const caller = { credential, requestId: exchange.requestId, origin: exchange.origin };
  const call = new FileCall(lens, caller, "job-progress");
  let isLogged = false;
  return async () => {
    const look = async () => {
      const { job, root } = await openJob(call, jobId).catch((error: unknown) => {
        throw error instanceof PdppError && error.code === "not_found" ? unknownJob(jobId) : error;
      });
      return { connectionId: root.connectionId, answer: jobRead(call, job) };
    };
    // An app that follows a job gets one log entry, not one for every event.
    if (isLogged) {
      await call.enter("navigate");
      return JSON.stringify((await look()).answer);
    }
    isLogged = true;
    return JSON.stringify(await call.run("navigate", look));
  };
}
