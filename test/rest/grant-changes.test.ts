// V-07: the owner narrows, extends, pauses, resumes and revokes a grant, and undoes a revocation. Each change takes
// effect at the next request.
import { hash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Credential } from "../../src/engine/caller.ts";
import { HOME_OWNER, ids, type Loose, type Query, type TestServer, testServer } from "../harness.ts";
import { BOOKS, book, library } from "../library.ts";

let server: TestServer;
let first: string;
let second: string;
beforeAll(async () => {
  server = await testServer();
  await server.register("library", library);
  first = await server.connect("library", "First");
  second = await server.connect("library", "Second");
  await server.ingest("books", first, BOOKS);
  await server.ingest("books", second, [book("other")]);
});
afterAll(() => server.close());

const read = (token: string, query: Query = {}, path = "/v1/streams/books/records") =>
  server.get(path, { token, query });
const post = (id: string, what: string) => server.call("POST", `/v1/grants/${id}/${what}`);
const edit = (id: string, body: object) => server.call("PATCH", `/v1/grants/${id}`, { body });
const codeOf = async (answer: Promise<Loose>): Promise<[number, string | undefined]> => {
  const { status, body } = await answer;
  return [status, body.error?.code];
};
const books = (more: object = {}) => ({ connection_id: first, stream: "books", ...more });

describe("V-07 editing a grant", () => {
  test("V-07 a narrowed grant shows less at the next request, even through earlier cursors and handles", async () => {
    const { access_token: token, grant_id } = await server.grant({ selections: [books()] });
    const page = await read(token, { limit: 2, fields: "title,secret" });
    const handle = page.body.data[0];
    const window = { connection_id: first, stream: "books", id: handle.id, field: "notes" };
    const feed = await read(token, { changes_since: "beginning", limit: 3 });
    const change = await edit(grant_id, {
      selections: [books({ fields: ["title"], since: "2025-01-01T00:00:00Z" })],
    });
    expect(change.body).toMatchObject({ object: "grant_change", id: grant_id, revoked: [] });
    expect(change.body.grants[0]).toMatchObject({ grant_id, changed_at: expect.stringMatching(/Z$/) });
    const all = await read(token, { limit: 100 });
    const fresh = await server.grant({ selections: [books({ fields: ["title"], since: "2025-01-01T00:00:00Z" })] });
    const same = await read(fresh.access_token, { limit: 100 });
    expect(all.body.data).toEqual(same.body.data);
    // A cursor over a field that is no longer granted is refused. Any other cursor shows only what the grant now shows.
    expect(await codeOf(read(token, { limit: 2, fields: "title,secret", cursor: page.body.next_cursor }))).toEqual([
      403,
      "field_not_granted",
    ]);
    const rest = await read(token, { changes_since: feed.body.next_changes_since ?? "beginning", limit: 100 });
    const shown = new Set(ids(same.body.data));
    for (const { id, data, deleted } of rest.body.data) {
      if (deleted) continue;
      expect(shown.has(id)).toBe(true);
      expect(Object.keys(data)).toEqual(expect.arrayContaining(["id"]));
      expect(data).not.toHaveProperty("secret");
    }
    expect((await server.get("/v1/window", { token, query: window })).status).not.toBe(200);
  });

  test("V-07 an export made before the change can no longer be downloaded", async () => {
    const { access_token: token, grant_id } = await server.grant({ selections: [books()] });
    const started = await server.call("POST", "/v1/exports", {
      token,
      body: { stream: "books", connection_id: first, format: "jsonl" },
    });
    const { export_id } = started.body;
    await expect
      .poll(async () => (await server.get(`/v1/exports/${export_id}`, { token })).body.status)
      .toBe("succeeded");
    await edit(grant_id, { selections: [books({ fields: ["title"] })] });
    expect((await server.get(`/v1/exports/${export_id}/download`, { token })).status).toBe(403);
  });

  test("V-07 the expiry can be moved earlier or later, and the token expires with the grant", async () => {
    const issued = await server.grant({ selections: [books()], expires_in_seconds: 60 });
    const [token, id] = [issued.access_token as string, issued.grant_id as string];
    const ends = async () => {
      const query = { hash: hash("sha256", token, "base64url") };
      return (await server.host.call("tokenInfo", query, HOME_OWNER))?.expires_at;
    };
    const { body } = await edit(id, { expires_in_seconds: 6000 });
    expect(await ends()).toBe(Date.parse(body.grants[0].expires_at));
    await edit(id, { expires_in_seconds: null });
    expect([await ends(), (await read(token)).status]).toEqual([null, 200]);
    expect((await server.get(`/v1/grants/${id}`)).body.grant).not.toHaveProperty("expires_at");
  });

  test("V-07 a connection can be removed from a package and added again, and both changes take effect for the same token", async () => {
    const issued = await server.grant({ selections: [books(), { connection_id: second, stream: "books" }] });
    const [token, id] = [issued.access_token, issued.grant_package_id];
    const less = await edit(id, { selections: [books()] });
    expect([less.body.grants.length, less.body.revoked.length]).toEqual([1, 1]);
    expect(await codeOf(read(token, { connection_id: second }))).toEqual([404, "connection_not_found"]);
    expect((await edit(id, { selections: [books(), { connection_id: second }] })).status).toBe(200);
    expect(ids((await read(token, { connection_id: second })).body.data)).toEqual(["other"]);
  });

  test("V-07 an edit keeps every limit that it omits, and null removes one", async () => {
    const limits = {
      fields: ["title", "published_at"],
      since: "2024-01-01T00:00:00Z",
      until: "2026-01-01T00:00:00Z",
      resources: ["b1", "b2", "b3"],
    };
    const { grant_id } = await server.grant({ selections: [books(limits)] });
    const line = async () => (await server.get(`/v1/grants/${grant_id}`)).body.grant.streams[0];
    const before = await line();
    await edit(grant_id, { selections: [books()] });
    expect(await line()).toEqual(before);
    await edit(grant_id, { selections: [{ connection_id: first, until: "2025-01-01T00:00:00Z" }] });
    expect((await line()).time_constraint).toEqual({ ...before.time_constraint, until: "2025-01-01T00:00:00Z" });
    expect(await line()).toMatchObject({ fields: before.fields, resources: limits.resources });
    await edit(grant_id, { selections: [books({ since: null, resources: null })] });
    expect((await line()).time_constraint).toEqual({ field: "published_at", until: "2025-01-01T00:00:00Z" });
    expect(await line()).not.toHaveProperty("resources");
    await edit(grant_id, { selections: [books({ until: null, fields: null })] });
    const whole = (await server.grant({ selections: [books()] })).grants[0].streams[0];
    expect(await line()).toEqual(whole);
  });

  test("V-07 an impossible edit is refused", async () => {
    const { grant_id } = await server.grant({ selections: [books()] });
    expect(await codeOf(edit(grant_id, { selections: [{ connection_id: second }] }))).toEqual([400, "invalid_request"]);
    expect(await codeOf(edit(grant_id, { may: ["navigate"] }))).toEqual([400, "invalid_request"]);
    expect(await codeOf(edit("grt_none", { expires_in_seconds: 5 }))).toEqual([404, "not_found"]);
    await post(grant_id, "revoke");
    expect(await codeOf(edit(grant_id, { expires_in_seconds: 60 }))).toEqual([400, "invalid_request"]);
  });

  test("V-07 G-04 a session needs a recent password to extend a grant, but not to narrow or pause it", async () => {
    const { grant_id } = await server.grant({ selections: [books({ fields: ["title"] })] });
    const { session } = await server.host.call("openSession", { label: "" }, HOME_OWNER);
    const credential: Credential = { token: session };
    const change = (query: object) =>
      server.host.call("editGrant", { id: grant_id, ...query }, credential).then(
        () => "ok",
        (error) => error.code,
      );
    expect(await change({ selections: [books({ fields: ["title", "notes"] })] })).toBe("password_required");
    expect(await change({ selections: [books({ fields: ["title"], since: "2024-01-01T00:00:00Z" })] })).toBe("ok");
    expect(await change({ selections: [books({ since: null })] })).toBe("password_required");
    expect(await change({ expires_in_seconds: 60 })).toBe("ok");
    expect(await change({ expires_in_seconds: 6000 })).toBe("password_required");
    await server.host.call("pauseGrant", { id: grant_id }, credential);
    await expect(server.host.call("resumeGrant", { id: grant_id }, credential)).rejects.toMatchObject({
      code: "password_required",
    });
  });
});

describe("V-07 pausing a grant", () => {
  test("V-07 a call under a paused grant is refused with the next step, and the same token works again after resuming", async () => {
    const { access_token: token, grant_id } = await server.grant({ selections: [books()] });
    expect((await post(grant_id, "pause")).body.grants[0].paused_at).toMatch(/Z$/);
    const { status, body } = await read(token);
    expect([status, body.error.code]).toEqual([403, "grant_paused"]);
    expect(body.error.next_step ?? body.error.next).toContain("pdpp grants resume");
    expect((await server.get(`/v1/grants/${grant_id}`)).body.status).toBe("paused");
    const why = await server.get("/v1/activity/why", { query: { request_id: body.error.request_id } });
    expect(why.body.data[0]).toMatchObject({
      why: { decided_by: "paused_at" },
      next_step: expect.stringContaining(`pdpp grants resume ${grant_id}`),
    });
    expect((await post(grant_id, "resume")).status).toBe(200);
    expect((await read(token)).status).toBe(200);
  });

  test("V-07 a paused grant's event subscriptions stop, like those of a revoked one", async () => {
    const { access_token: token, grant_id } = await server.grant({ selections: [books()] });
    const subscribed = await server.call("POST", "/v1/event-subscriptions", {
      token,
      body: { url: "https://app.example/hook" },
    });
    await post(grant_id, "pause");
    const found = await server.get(`/v1/event-subscriptions/${subscribed.body.subscription_id}`);
    expect([found.body.status, found.body.error?.code]).toEqual(["ended", undefined]);
  });
});

describe("V-07 revoking a grant", () => {
  test("V-07 a revocation can be undone within a minute: the token is refused until then and works afterwards", async () => {
    const { access_token: token, grant_id } = await server.grant({ selections: [books()] });
    const revoked = await post(grant_id, "revoke");
    expect(Date.parse(revoked.body.undo_until) - Date.parse(revoked.body.revoked_at)).toBe(60_000);
    expect(await codeOf(read(token))).toEqual([403, "grant_revoked"]);
    expect((await post(grant_id, "restore")).status).toBe(200);
    expect((await read(token)).status).toBe(200);
    expect(await codeOf(post(grant_id, "restore"))).toEqual([400, "invalid_request"]);
  });

  test("V-07 the response lists what the app can still read with another grant", async () => {
    const one = await server.grant({ selections: [books()], client_name: "Twice" });
    const other = await server.grant({ selections: [books()], client_name: "Twice" });
    expect((await post(one.grant_id, "revoke")).body.still_active).toEqual([other.grant_id]);
    expect((await read(other.access_token)).status).toBe(200);
    expect((await post(other.grant_id, "revoke")).body.still_active).toEqual([]);
  });
});
