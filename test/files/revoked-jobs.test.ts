// G-08: an app's jobs end with its grant.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Loose, ON_FILES, type TestServer, testServer } from "../harness.ts";

/**
 * The files are sparse and equal, so a search for copies reads all of them. They are too large to be read during the
 * test.
 */
const ENDLESS_BYTES = 512 * 2 ** 30;

let server: TestServer;
let root: string;
beforeEach(async () => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "pdpp-revoked-")));
  for (const name of ["one", "other"]) {
    mkdirSync(join(root, "files"), { recursive: true });
    writeFileSync(join(root, "files", name), "");
    truncateSync(join(root, "files", name), ENDLESS_BYTES);
  }
  server = await testServer();
  await server.call("POST", "/api/roots", { body: { path: join(root, "files") } });
});
afterEach(async () => {
  await server.close();
  rmSync(root, { recursive: true });
});

const grant = (): Promise<Loose> =>
  server.grant({ files: { roots: [join(root, "files")], may: ["navigate", "index", "download"] } });
const revoke = async ({ grants }: Loose): Promise<void> => {
  for (const { grant_id } of grants) {
    const { status } = await server.call("POST", `/v1/grants/${grant_id}/revoke`);
    expect(status).toBe(200);
  }
};
const started = async (token?: string): Promise<string> => {
  const { body } = await server.call("POST", "/api/indexes/ix1/digests", { token, body: { minSize: 1 } });
  return body.jobId;
};
async function scanned(token: string): Promise<void> {
  const { body } = await server.call("POST", "/api/indexes", { token, body: { root: join(root, "files") } });
  expect((await (await server.files()).files.jobEnded(body.jobId)).status).toBe("succeeded");
}

describe.runIf(ON_FILES)("G-08 a job that an app started", () => {
  test("G-08 ends with the grant", async () => {
    const app = await grant();
    await scanned(app.access_token);
    const jobId = await started(app.access_token);
    expect((await (await server.files()).files.job(jobId)).status).toBe("running");
    await revoke(app);
    expect((await (await server.files()).files.jobEnded(jobId)).status).toBe("cancelled");
  });

  test("G-08 continues while another app or the owner needs the same job, and ends with the last grant", async () => {
    const [one, other] = [await grant(), await grant()];
    await scanned(one.access_token);
    const jobId = await started(one.access_token);
    expect(await started(other.access_token)).toBe(jobId);
    expect(await (await server.files()).files.heldJobs()).toMatchObject([{ jobId, holders: [{}, {}] }]);
    await revoke(one);
    await revoke(other);
    expect((await (await server.files()).files.jobEnded(jobId)).status).toBe("cancelled");

    const again = await grant();
    const shared = await started(again.access_token);
    expect(await started()).toBe(shared);
    expect(await (await server.files()).files.heldJobs()).toEqual([]);
    await (await server.files()).files.cancelJob(shared);
  });

  test("SECURITY row 10: only that app can control the job, and apps cannot control the owner's jobs or shared jobs", async () => {
    const [one, other] = [await grant(), await grant()];
    const { files } = await server.files();
    const control = async (jobId: string, verb: string, token: string): Promise<unknown> => {
      const { status, body } = await server.call("POST", `/api/jobs/${jobId}/${verb}`, { token });
      return status === 200 ? body.status : body.error.code;
    };
    await scanned(one.access_token);
    const owners = await started();
    for (const verb of ["pause", "resume", "cancel"])
      expect(await control(owners, verb, one.access_token)).toBe("insufficient_scope");
    await files.pauseJob(owners);
    // Requesting the same job does not resume it if the owner paused it.
    expect(await started(one.access_token)).toBe(owners);
    expect((await files.job(owners)).status).toBe("paused");
    await files.cancelJob(owners);

    const own = await started(one.access_token);
    expect(await control(own, "pause", other.access_token)).toBe("insufficient_scope");
    expect(await control(own, "pause", one.access_token)).toBe("paused");
    expect(await started(other.access_token)).toBe(own);
    expect(await control(own, "cancel", one.access_token)).toBe("insufficient_scope");
    await files.cancelJob(own);
  });
});
