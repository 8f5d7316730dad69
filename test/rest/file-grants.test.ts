// File grants: issued for roots and powers, limited to them, revoked immediately, with a log line for every call.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { FILE_POWERS, type FilePower } from "../../src/contract/file-access.ts";
import { activity, approvedRoots, enter, PAPERS, PHOTOS, type Roots, refusedWith } from "../files-authority.ts";
import { HOME_OWNER, type Loose, type TestServer, testServer } from "../harness.ts";
import { library } from "../library.ts";

let server: TestServer;
let roots: Roots;
let other: string;

beforeAll(async () => {
  server = await testServer();
  await server.register("library", library);
  other = await server.connect("library", "Town library");
  roots = await approvedRoots(server);
});
afterAll(() => server.close());

const issue = async (files: object, more: object = {}): Promise<Loose> => server.grant({ files, ...more });
const note = (token: string, call: object, requestId?: string): Promise<string> =>
  server.host.call("noteFileCall", { action: "cd", records: 0, bytes: 0, ...call }, { token }, requestId);

describe("S-13 a file grant", () => {
  test("S-13 gives access to the listed roots, by id or path, and no others; without a list, to all roots with every power", async () => {
    const opened = async (files: object): Promise<[string, readonly FilePower[]][]> => {
      const { access_token } = await issue(files);
      return (await enter(server, access_token)).roots.map(({ path, may }) => [path, may]);
    };
    expect(await opened({ roots: [PHOTOS], may: ["navigate"] })).toEqual([[PHOTOS, ["navigate"]]]);
    expect(await opened({ roots: [`${PHOTOS}///`] })).toEqual([[PHOTOS, FILE_POWERS]]);
    expect(await opened({ roots: [roots.papers], may: ["download"] })).toEqual([[PAPERS, ["navigate", "download"]]]);
    expect(await opened({})).toEqual([
      [PAPERS, FILE_POWERS],
      [PHOTOS, FILE_POWERS],
    ]);
  });

  test("refuses a path that is not a root and lists the roots", async () => {
    for (const name of ["/home/nora", "/home/nora/Photos/..", "Photos", other, "cin_none"]) {
      const { status, body } = await server.call("POST", "/v1/grants", { body: { files: { roots: [name] } } });
      expect([status, body.error.code, body.error.param]).toEqual([404, "not_found", "files.roots"]);
      expect(body.error.message).toContain(`${PHOTOS} (${roots.photos})`);
      expect(body.error.next_step).toContain("pdpp files roots add PATH");
    }
    for (const body of [
      { files: {}, all: true },
      { files: {}, selections: [{ connection_id: other }] },
    ]) {
      const mixed = await server.call("POST", "/v1/grants", { body });
      expect([mixed.status, mixed.body.error.param]).toEqual([400, "files"]);
    }
    const wrong = await server.call("POST", "/v1/grants", { body: { files: { may: ["delete"] } } });
    expect([wrong.status, wrong.body.error.param]).toEqual([400, "files.may.0"]);
  });

  test("S-13 a root outside the grant gets the same response as one that does not exist", async () => {
    const { access_token } = await issue({ roots: [PHOTOS] });
    const said = [];
    for (const connection_id of [roots.papers, "cin_papers", other]) {
      const call = enter(server, access_token, { action: "cd", connection_id });
      const error = await call.catch((failure: Loose) => failure);
      expect([error.status, error.code]).toEqual([404, "root_not_allowed"]);
      said.push(JSON.stringify([error.message, error.details]).replaceAll(connection_id, "ID"));
      expect(await refusedWith(note(access_token, { connection_id }))).toEqual([404, "root_not_allowed"]);
    }
    expect(new Set(said).size).toBe(1);
    expect(said[0]).toContain(`may look through ${PHOTOS}; not ID`);
  });

  test.each(FILE_POWERS)("S-13 has %s only on the roots where it was granted", async (power) => {
    for (const given of FILE_POWERS) {
      const { access_token } = await issue({ roots: [PHOTOS], may: [given] });
      const entries = [
        { action: "x", may: power, connection_id: roots.photos },
        { action: "x", may: power },
      ];
      for (const entry of entries) {
        const call = enter(server, access_token, entry);
        if (power === "navigate" || power === given) await call;
        else expect(await refusedWith(call)).toEqual([403, "insufficient_scope"]);
      }
      const elsewhere = enter(server, access_token, { action: "x", may: power, connection_id: roots.papers });
      expect(await refusedWith(elsewhere)).toEqual([404, "root_not_allowed"]);
    }
  });

  test("background work is also limited to the grant", async () => {
    const { grant_id } = await issue({ roots: [PHOTOS], may: ["index"] });
    const going = { grant: grant_id };
    const open = await server.host.call("filesBearer", { action: "index", may: "index" }, going);
    expect(open.roots).toMatchObject([{ connection_id: roots.photos, may: ["navigate", "index"] }]);
    expect(await refusedWith(server.host.call("records", { stream: "files" }, going))).toEqual([
      401,
      "authentication_error",
    ]);
    await server.call("POST", `/v1/grants/${grant_id}/revoke`);
    expect(await refusedWith(server.host.call("filesBearer", { action: "index" }, going))).toEqual([
      403,
      "grant_revoked",
    ]);
  });

  test("the owner has all roots and all powers, over HTTP with a token and in process", async () => {
    const all = [PAPERS, PHOTOS].map((path) => expect.objectContaining({ path, may: FILE_POWERS }));
    expect(await enter(server, server.owner)).toMatchObject({ kind: "owner", roots: all });
    const home = await server.host.call("filesBearer", { action: "cd", may: "download" }, HOME_OWNER);
    expect(home).toMatchObject({ kind: "owner", roots: all });
    expect(home.roots.every((root: Loose) => root.grant_id === undefined)).toBe(true);
    const none = enter(server, server.owner, { action: "cd", connection_id: other });
    expect(await refusedWith(none)).toEqual([404, "root_not_allowed"]);
  });
});

describe("P-08 every call is logged", () => {
  test("P-08 a line shows which app called, under which grant, what was done, in which root, and how much was read", async () => {
    const { access_token, grant_id, grants } = await issue({ roots: [PHOTOS] }, { client_name: "Sorter" });
    await enter(server, access_token);
    expect(await activity(server, { grant_id })).toEqual([]);
    const calls = Array.from({ length: 40 }, (_, n) =>
      note(access_token, { connection_id: roots.photos, records: 20, bytes: 1000 + n }, `req_cd${n}`),
    );
    await Promise.all(calls);
    await note(access_token, { action: "session-preferences", bytes: 12 }, "req_prefs");
    const lines = await activity(server, { grant_id });
    expect(lines).toHaveLength(41);
    expect(lines.find(({ request_id }) => request_id === "req_cd7")).toMatchObject({
      actor: "client",
      client_id: grants[0].client.client_id,
      grant_id,
      action: "files.cd",
      connection_id: roots.photos,
      stream: "files",
      records: 20,
      bytes: 1007,
      outcome: "ok",
    });
    const prefs = lines.find(({ action }) => action === "files.session-preferences");
    expect(prefs).toMatchObject({ grant_id, records: 0, bytes: 12 });
    expect(prefs.connection_id).toBeUndefined();
    const { body } = await server.get(`/v1/grants/${grant_id}`);
    expect(body.use).toMatchObject({ calls: 41, denied: 0, records: 800 });
    expect(body.use.streams).toMatchObject([{ connection_id: roots.photos, stream: "files", reads: 40, records: 800 }]);
    expect((await server.get("/v1/activity/verify")).body.intact).toBe(true);
  });

  test("P-08 a download has a line before the first byte and one after the last, and counts as one call", async () => {
    const { access_token, grant_id } = await issue({ roots: [PHOTOS], may: ["download"] });
    await note(access_token, { action: "download", connection_id: roots.photos, records: 1 });
    const served = { action: "served", connection_id: roots.photos, bytes: 1_500_000 } as const;
    await server.host.call("fileServed", served, { token: access_token });
    const { use } = (await server.get(`/v1/grants/${grant_id}`)).body;
    expect(use).toMatchObject({ calls: 1, records: 1, bytes: 1_500_000 });
    expect(use.recent.map(({ action }: Loose) => action)).toEqual(["files.served", "files.download"]);
    // The grant is revoked halfway, but the bytes sent until then are still logged.
    await server.call("POST", `/v1/grants/${grant_id}/revoke`);
    const late = server.host.call("fileServed", { ...served, bytes: 77 }, { token: access_token });
    expect(await refusedWith(late)).toEqual([403, "grant_revoked"]);
    const [line] = await activity(server, { grant_id });
    expect(line).toMatchObject({ action: "files.served", outcome: "grant_revoked", bytes: 77 });
  });

  test("P-08 a failed call is logged with its error code and the requested path", async () => {
    const { access_token, grant_id } = await issue({ roots: [PHOTOS] });
    await note(access_token, { action: "inspect", connection_id: roots.photos, outcome: "node_not_found" });
    expect(await activity(server, { grant_id })).toMatchObject([
      { action: "files.inspect", outcome: "node_not_found", records: 0, asked: { connection_id: roots.photos } },
    ]);
  });

  test("the owner's page views are not logged, but the owner's calls are", async () => {
    const before = (await activity(server, { action: "files.look" })).length;
    const look = { action: "look", records: 1, bytes: 1 };
    await server.host.call("noteFileCall", look, { token: server.owner, looking: true });
    await server.host.call("noteFileCall", look, { token: server.owner });
    expect((await activity(server, { action: "files.look" })).length).toBe(before + 1);
  });

  test("callers without a valid token are not logged", async () => {
    const before = (await activity(server)).length;
    expect(await refusedWith(enter(server, "pdpp_at_nobody", { action: "probe" }))).toEqual([
      401,
      "authentication_error",
    ]);
    expect((await activity(server)).length).toBe(before);
  });
});

describe("X-08 why a call was denied", () => {
  const denied = async (files: object, entry: Loose, requestId: string): Promise<Loose> => {
    const { access_token } = await issue(files, { client_name: "Sorter" });
    const error = await enter(server, access_token, entry, requestId).catch((failure: Loose) => failure);
    const [denial] = (await server.get("/v1/activity/why", { query: { request_id: requestId } })).body.data;
    expect(denial.why).toEqual(error.details.why);
    return denial;
  };

  test("X-08 a missing power is explained with the grant's line and the command that adds the power", async () => {
    const entry = { action: "download", may: "download", connection_id: roots.photos };
    const denial = await denied({ roots: [PHOTOS], may: ["curate"] }, entry, "req_power");
    expect(denial).toMatchObject({
      app: "Sorter",
      call: { action: "files.download", outcome: "insufficient_scope" },
      why: {
        decided_by: "files.may",
        says: `may look through ${PHOTOS}, collect selections; not download`,
        asked: { power: "download", connection_id: roots.photos },
      },
    });
    expect(denial.next_step).toContain(
      `pdpp grants issue --files --root ${roots.photos} --may navigate,curate,download --client-name Sorter`,
    );
  });

  test("X-08 a root that was not granted is explained with a command that grants it; an unknown root has no such command", async () => {
    const entry = { action: "cd", connection_id: roots.papers };
    const denial = await denied({ roots: [PHOTOS], may: ["index"] }, entry, "req_root");
    expect(denial.why).toMatchObject({ says: `may look through ${PHOTOS}; not ${roots.papers}` });
    expect(denial.next_step).toContain(`pdpp grants issue --files --root ${roots.papers} --may navigate,index`);
    const none = await denied({ roots: [PHOTOS] }, { action: "cd", connection_id: "cin_none" }, "req_none");
    expect(none.next_step).toBe("Nothing to allow: there is no root cin_none.");
  });

  test("X-08 a revoked grant is explained with its line and the command that issues an equal grant", async () => {
    const { access_token, grant_id } = await issue({ roots: [PHOTOS], may: ["index"] }, { client_name: "Sorter" });
    await server.call("POST", `/v1/grants/${grant_id}/revoke`);
    await refusedWith(enter(server, access_token, { action: "cd" }, "req_ended"));
    const [denial] = (await server.get("/v1/activity/why", { query: { request_id: "req_ended" } })).body.data;
    expect(denial).toMatchObject({ why: { grant_id, decided_by: "revoked_at" } });
    expect(denial.next_step).toContain(
      `pdpp grants issue --files --root ${roots.photos} --may navigate,index --client-name Sorter`,
    );
  });
});
