// I-09: servers that lack reports, forget tokens, truncate lists, redirect us or send invalid responses.
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { caldav } from "../caldav/kind.ts";
import { type DavServer, type DavServerOptions, startDavServer } from "./dav-server.fixture.ts";
import { driveDav, newKeptDav, recordsOf, written } from "./drive.fixture.ts";
import { parseXml } from "./multistatus.ts";
import { isTrusted } from "./request.ts";

const event = (number: number, title = `Event ${number}`): string =>
  `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\nUID:${number}@example.org\r\nDTSTAMP:20260101T000000Z\r\nDTSTART:20260105T100000Z\r\nSUMMARY:${title}\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n`;

let server: DavServer;
afterEach(() => server?.close());
const settings = (more: object = {}) => ({ url: server.url, user: server.user, ...more });

async function filled(options: DavServerOptions = {}, events = 3): Promise<void> {
  server = await startDavServer(options);
  await server.makeCollection("calendar", "home", "Home");
  for (let number = 1; number <= events; number++) await server.put("home", `${number}.ics`, event(number));
}

async function listening(answer: RequestListener): Promise<{ port: number; close(): void }> {
  const other = createServer(answer).listen(0, "127.0.0.1");
  await once(other, "listening");
  return { port: (other.address() as AddressInfo).port, close: () => void other.close() };
}

async function changed(kept = newKeptDav()) {
  await driveDav(caldav, settings(), { kept });
  await server.put("home", "2.ics", event(2, "Another"));
  await server.remove("home", "3.ics");
  const run = await driveDav(caldav, settings(), { kept });
  expect(run.done.status).toBe("succeeded");
  return { kept, run };
}

describe("I-09 a DAV server", () => {
  it("without change reports or ctags is compared by the etags of all items", async () => {
    await filled({ sync: false, ctag: false });
    const { kept, run } = await changed();
    expect(written(run)).toEqual({ written: 2, deleted: 2 });
    expect(recordsOf(kept, "events").map(({ title }) => title)).toEqual(["Event 1", "Another"]);
  });

  it("without multiget is queried one item at a time", async () => {
    await filled({ multiget: false });
    const { kept } = await changed();
    expect(recordsOf(kept, "events")).toHaveLength(2);
    expect(server.seen).toContain("GET /anna/home/1.ics");
  });

  it("that forgot the token is read again in full, without duplicates, and deletions are found", async () => {
    await filled();
    const kept = newKeptDav();
    await driveDav(caldav, settings(), { kept });
    await server.remove("home", "3.ics");
    server.forgetTokens();
    const run = await driveDav(caldav, settings(), { kept });
    expect(run.done.status).toBe("succeeded");
    expect(written(run)).toEqual({ written: 0, deleted: 2 });
    // The new token is used in later runs.
    server.seen.length = 0;
    await server.put("home", "4.ics", event(4));
    expect(written(await driveDav(caldav, settings(), { kept }))).toEqual({ written: 2, deleted: 0 });
    expect(server.seen.filter((line) => line === "PROPFIND /anna/home/")).toEqual([]);
  });

  it("that truncates its change reports is queried until they are complete", async () => {
    await filled({ reportMax: 7 }, 1);
    const kept = newKeptDav();
    await driveDav(caldav, settings(), { kept });
    for (let number = 2; number <= 60; number++) await server.put("home", `${number}.ics`, event(number));
    await driveDav(caldav, settings(), { kept });
    expect(recordsOf(kept, "events")).toHaveLength(60);
  });

  it("whose collection was renamed has its records only under the new name", async () => {
    await filled();
    const kept = newKeptDav();
    await driveDav(caldav, settings(), { kept });
    await server.makeCollection("calendar", "home", "Family");
    for (const number of [1, 2]) await server.put("home", `${number}.ics`, event(number));
    await driveDav(caldav, settings(), { kept });
    expect(recordsOf(kept, "events").map(({ calendar }) => calendar)).toEqual(["Family", "Family"]);
    expect(kept.records.size).toBe(4);
  });

  it("that no longer lists an existing collection causes no deletion, and neither does selecting fewer collections", async () => {
    await filled();
    await server.makeCollection("calendar", "work", "Work");
    await server.put("work", "9.ics", event(9));
    const kept = newKeptDav();
    await driveDav(caldav, settings(), { kept });
    await driveDav(caldav, settings({ calendars: "Work" }), { kept });
    expect(recordsOf(kept, "events")).toHaveLength(4);
    const none = await driveDav(caldav, settings({ calendars: "Wrok" }), { kept });
    expect(none.done.error!.message).toBe("there is no calendar named Wrok; the server has Home, Work");
  });

  it("can have endless series, which are expanded up to a horizon that moves only at the new year", async () => {
    await filled({}, 0);
    await server.put("home", "1.ics", event(1).replace("SUMMARY", "RRULE:FREQ=YEARLY\r\nSUMMARY"));
    const kept = newKeptDav();
    await driveDav(caldav, settings(), { kept });
    expect(recordsOf(kept, "occurrences")).toHaveLength(3);
    const later = { kept, now: new Date("2026-12-31T23:00:00Z") };
    expect(written(await driveDav(caldav, settings(), later))).toEqual({ written: 0, deleted: 0 });
    await driveDav(caldav, settings(), { kept, now: new Date("2027-01-01T01:00:00Z") });
    expect(recordsOf(kept, "occurrences")).toHaveLength(4);
  });

  it("whose sign-in method is not supported is reported with that method", async () => {
    await filled({ challenge: 'Digest realm="x", qop="auth", nonce="y"' });
    const { done } = await driveDav(caldav, settings(), { passwords: ["no", "no"] });
    expect(done.error!.message).toMatch(/requires sign-in with digest.*Basic/);
  });

  it("cannot redirect the password to another server", async () => {
    let asked = 0;
    const { port, close } = await listening((_, response) => {
      asked++;
      response.end();
    });
    await filled({ wellKnown: `http://127.0.0.1:${port}/` });
    const { done } = await driveDav(caldav, settings());
    close();
    expect(done.error!.message).toContain(`redirects to 127.0.0.1:${port}, which is another server`);
    expect(asked).toBe(0);
  });

  it("is required, and any other server is reported as such, with the next step", async () => {
    await filled();
    const { port, close } = await listening((_, response) => void response.end("<!doctype html><p>Hello<br>"));
    const { done } = await driveDav(caldav, { url: `http://127.0.0.1:${port}`, user: "anna" });
    close();
    expect(done.error!.message).toMatch(/responds, but not as a CalDAV server: check the address/);
  });

  it.each([
    ["http://calendar.example.org", /http would send the password unencrypted to calendar\.example\.org: use https/],
    ["https://anna:secret@example.org", /set them as user and password/],
    ["ftp://example.org", /url must be the address of a server/],
  ])("at %s is refused before anything is sent", async (url, reason) => {
    const { done } = await driveDav(caldav, { url, user: "anna" });
    expect(done.error!.message).toMatch(reason);
  });

  it("gets the password only for its own host and domain", () => {
    const home = new URL("https://caldav.icloud.com");
    const trusted = (url: string): boolean => isTrusted(new URL(url), home);
    expect(trusted("https://p42-caldav.icloud.com/1/calendars/")).toBe(true);
    expect(trusted("http://caldav.icloud.com/")).toBe(false);
    expect(trusted("https://icloud.com.example.org/")).toBe(false);
    expect(trusted("https://example.org/")).toBe(false);
    expect(isTrusted(new URL("https://127.0.0.2/"), new URL("https://127.0.0.1/"))).toBe(false);
  });

  it("cannot send XML with entities or deep nesting", () => {
    expect(() => parseXml('<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>')).toThrow(/not XML/);
    expect(() => parseXml("<a>".repeat(100))).toThrow(/too deep/);
  });
});
