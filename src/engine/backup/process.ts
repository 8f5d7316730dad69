// A process that makes, archives or unpacks backups for a server. It reads the home's files directly, which is safe
// only in a process without connections to them (frozen-database.ts), and its memory is freed when it ends.
import { pipeline } from "node:stream/promises";
import { errorBody, failureText, PdppError } from "../../contract/errors.ts";
import { archiveSnapshot } from "./archive.ts";
import { backupHome } from "./backup.ts";
import type { BackupJob, FromBackupProcess } from "./backup-process.ts";
import { openRepository, snapshotsIn } from "./repository.ts";
import { restoreHome } from "./restore.ts";

const say = (message: FromBackupProcess): void => void process.send!(message);

process.once("message", (job: BackupJob) => {
  run(job)
    .then((done) => say({ done }))
    .catch((error: unknown) => {
      const known = error instanceof PdppError;
      const failure = known ? error : new PdppError("api_error", "something went wrong; the server's log has details");
      say({ error: errorBody(failure, ""), ...(known ? {} : { trace: failureText(error as Error) }) });
    })
    .finally(() => process.disconnect());
});

async function run(job: BackupJob): Promise<unknown> {
  const onProgress = (progress: string): void => say({ progress });
  if (job.kind === "backup") return backupHome({ ...job.options, ownProcess: true, onProgress });
  if (job.kind === "restore") return restoreHome({ ...job.options, onProgress });
  const repository = await openRepository(job.directory);
  const snapshot = (await snapshotsIn(repository)).find(({ name }) => name === job.snapshot);
  if (snapshot === undefined) throw new PdppError("not_found", "this backup no longer exists");
  await pipeline(await archiveSnapshot(repository, snapshot, job.passphrase), process.stdout);
  return null;
}
