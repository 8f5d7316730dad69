// P-07: a consent request is answered only once, even if two processes receive an answer.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { library } from "../../../test/library.ts";
import { testOwner } from "../../../test/postgres.ts";
import { openStore } from "../../store/place.ts";
import { localHost } from "../local-host.ts";
import { waitingRequest } from "./consent.fixture.ts";

const OWNER = { home: true } as const;

it("P-07 P-03 two concurrent approvals in two processes create one grant, and the second reports that the request was already answered", async () => {
  const home = mkdtempSync(join(tmpdir(), "pdpp-consent-"));
  const { url, subject, close } = await testOwner();
  const place = { home, database: { url, subject } };
  const hosts = await Promise.all([1, 2].map(async () => localHost(await openStore(place), { home, persist: false })));
  const [host] = hosts as [(typeof hosts)[number]];
  await host.call("putConnector", { connector_key: "library", declaration: library }, OWNER);
  await host.call("createConnection", { connector_id: "library" }, OWNER);
  const client = { client_id: "cli_twice", name: "Twice", redirect_uri: "http://127.0.0.1/cb" };
  const { digest, streams } = await host.call("consentOffer", { client }, OWNER);
  const { connection_id, stream } = streams[0]!;
  const choice = { streams: [{ connection_id, stream }], duration: "forever" as const, ai_training: false };
  for (let count = 0; count < 5; count++) {
    const request = `r${count}`;
    await host.call("putAuthItem", waitingRequest(request), OWNER);
    const answers = await Promise.allSettled(
      hosts.map((each) => each.call("approveConsent", { client, request, digest, choice }, OWNER)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    const refused = answers.find(({ status }) => status === "rejected") as PromiseRejectedResult;
    expect(refused.reason).toMatchObject({ code: "already_exists" });
  }
  expect((await host.call("grants", {}, OWNER)).data).toHaveLength(5);
  await Promise.all(hosts.map((each) => each.close()));
  await close();
  rmSync(home, { recursive: true });
});
