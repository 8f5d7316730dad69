// The consent and grant pages with a live connection: the same sentence on all of them (V-05), editing (V-07), and
// connecting again (V-07).
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { conversationsStream, messagesStream } from "../../src/collect/importers/chat-streams.ts";
import { declareSource } from "../../src/core/declare.ts";
import { hashToken } from "../../src/engine/caller.ts";
import type { Loose } from "../harness.ts";
import { formWith, OWNER, type Page } from "./owner-browser.ts";
import { answer, asDetails, connected, consentPage, detail, register, type World, world } from "./world.ts";

let it: World;
beforeAll(async () => {
  it = await world();
});
afterAll(() => it.close());

const NAMES_FOR_PROGRAMS = /\b(?:grt|gpkg|cli|cin)_\w|\d{4}-\d\d-\d\dT|grant_stream_not_allowed|published_on|streams\[/;

/** The text as a person sees it: without markup, attributes and collapsed sections. */
const plainText = (html: string): string =>
  html
    .replace(/<details class="(?:technical|elsewhere)">[\s\S]*?<\/details>/g, "")
    .replace(/^[\s\S]*<main/, "<main")
    .replace(/<[^>]+>/g, " ");

/** Simulates that ten minutes have passed since the owner entered the password. */
const letPasswordAge = (): Promise<object> =>
  it.server.host.call(
    "deleteAuthItem",
    { kind: "RecentPassword", hash: hashToken(it.browser.cookies.get("pdpp_session")!) },
    { home: true },
  );

const books = async (token: string): Promise<Loose> =>
  it.server.get("/v1/streams/books/records", { token, query: { connection_id: it.town } });

describe("V-05 one sentence for a grant", () => {
  test("V-05 is the same on the consent, receipt, apps, app, grant, request and why pages; field names appear only in collapsed details", async () => {
    const asks = detail([{ name: "books", fields: ["title"], necessity: "required", instance_ids: [it.town] }]);
    const client = await register(it, { client_name: "Sentence" });
    const consent = await consentPage(it, client, asDetails(asks));
    const sentence = /Asks to see<\/span> <bdi>([^<]+)/.exec(consent.html)![1]!;
    expect(sentence).toMatch(/^Books from Town library, /);
    const receipt = await answer(it.browser, consent, { streams: [`${it.town}/books`] });
    const grant = (await it.server.get("/v1/grants")).body.data.find(
      ({ words }: Loose) => words.app === "Sentence",
    ).grant;
    const { access_token } = await it.server.grant({
      selections: [{ connection_id: it.town, stream: "books", fields: grant.streams[0].fields }],
      client_name: "Denied",
    });
    const refused = await it.server.get("/v1/streams/loans/records", { token: access_token });
    const id = refused.body.error.request_id;
    const pages: Page[] = [receipt];
    for (const path of [
      "/dashboard/apps",
      `/dashboard/apps/${grant.client.client_id}`,
      `/dashboard/apps/${grant.client.client_id}/seen`,
      `/dashboard/grants/${grant.grant_id}`,
      `/dashboard/grants/${grant.grant_id}/edit`,
      `/dashboard/why/${id}`,
      `/dashboard/activity/${id}`,
    ])
      pages.push(await it.browser.get(path));
    for (const { html } of pages) {
      expect(html).toContain(sentence);
      expect(plainText(html)).not.toMatch(NAMES_FOR_PROGRAMS);
    }
  });
});

describe("V-07 editing a grant on its page", () => {
  const edit = async (id: string, change: (fields: [string, string][]) => [string, string][]): Promise<Page> => {
    const page = await it.browser.get(`/dashboard/grants/${id}/edit`);
    const form = formWith(page, "end");
    return it.browser.post(form.action, change(form.fields));
  };

  test("V-07 narrowing fields, time range and expiry takes effect immediately, without a password, and keeps the token", async () => {
    const tokens = await it.server.grant({
      selections: ["books", "authors"].map((stream) => ({ connection_id: it.town, stream })),
    });
    await letPasswordAge();
    const key = `${it.town}/books`;
    const changed = await edit(tokens.grant_id, (fields) => [
      ...fields.filter(
        ([name, value]) => !(name === "stream" && value.endsWith("/authors")) && !/^parts:|^end$/.test(name),
      ),
      [`parts:${key}`, "least"],
      ["end", "1h"],
    ]);
    expect(changed.status).toBe(200);
    expect(changed.html).toContain("Changed.");
    expect(plainText(changed.html)).toMatch(/May see\s+Books from Town library, (?:only|without)/);
    const read = await books(tokens.access_token);
    expect(read.status).toBe(200);
    expect(Object.keys(read.body.data[0].data)).not.toContain("notes");
    const authors = await it.server.get("/v1/streams/authors/records", { token: tokens.access_token });
    expect(authors.status).toBe(403);
    const { grant } = (await it.server.get(`/v1/grants/${tokens.grant_id}`)).body;
    expect(Date.parse(grant.expires_at) - Date.now()).toBeLessThanOrEqual(3_600_000);
  });

  test("V-07 widening requires the password first, and an empty selection is refused with a message", async () => {
    const tokens = await it.server.grant({ selections: [{ connection_id: it.town, stream: "books" }] });
    await letPasswordAge();
    const wider = (fields: [string, string][]): [string, string][] => [...fields, ["stream", `${it.town}/authors`]];
    const asked = await edit(tokens.grant_id, wider);
    expect([asked.status, asked.html.includes("Enter your password to continue")]).toEqual([403, true]);
    const authors = () => it.server.get("/v1/streams/authors/records", { token: tokens.access_token });
    expect((await authors()).status).toBe(403);
    const form = formWith(asked, "confirm_password");
    const kept = form.fields.filter(([name]) => name !== "confirm_password" && name !== "username");
    await it.browser.post(form.action, [...kept, ["confirm_password", OWNER.password]]);
    expect((await authors()).status).toBe(200);
    const empty = await edit(tokens.grant_id, (fields) => fields.filter(([name]) => name !== "stream"));
    expect(empty.html).toContain("Nothing is chosen; choose at least one line, or revoke the grant.");
  });
});

describe("V-07 connecting an app again", () => {
  test("V-07 the owner can replace the same app's access, and then its old token is refused", async () => {
    const client = await register(it, { client_name: "Again" });
    const first = await connected(it, { client, streams: [`${it.town}/books`] });
    const page = await consentPage(it, client);
    expect(plainText(page.html)).toMatch(
      /“Again”\s+is already connected[\s\S]*it has been allowed to see:\s+Books from Town library/,
    );
    expect(page.html).toMatch(/value="replace" checked/);
    const receipt = await answer(it.browser, page, { streams: [`${it.town}/authors`] });
    expect(receipt.html).toContain("This app’s earlier access was revoked.");
    expect((await books(first.tokens.access_token)).status).toBe(403);
  });

  test("V-07 another app with the same name does not replace the first app's access unless the owner chooses that", async () => {
    const first = await connected(it, {
      client: await register(it, { client_name: "Namesake" }),
      streams: [`${it.town}/books`],
    });
    const page = await consentPage(it, await register(it, { client_name: "Namesake" }));
    expect(plainText(page.html)).toMatch(/An app called\s+“Namesake”\s+is already connected/);
    expect(page.html).toMatch(/value="keep" checked/);
    await answer(it.browser, page, { streams: [`${it.town}/authors`] });
    expect((await books(first.tokens.access_token)).status).toBe(200);
  });
});

describe("V-08 consent in a few clicks", () => {
  const PICKED = ["extent", "connection", "except", "since"];
  /** Submits the consent form with these choices instead of the preselected ones. */
  const send = async (page: Page, picked: [string, string][], decision = "allow"): Promise<Page> => {
    const form = formWith(page, "digest");
    const kept = form.fields.filter(([name]) => !PICKED.includes(name));
    return it.browser.post(form.action, [...kept, ...picked, ["decision", decision]]);
  };
  const may = (page: Page): string => /class="may"><bdi>([^<]*)/.exec(page.html)![1]!;
  const fresh = async (): Promise<Page> => consentPage(it, await register(it, { client_name: "Few clicks" }));

  test("V-08 choosing everything, everything but one, or one connection takes one step each, and a preview shows the sentence", async () => {
    const choices: [picked: [string, string][], sentence: RegExp][] = [
      [[["extent", "all"]], /^Everything from Cabin shelf, Old archive and Town library$/],
      [
        [
          ["extent", "except"],
          ["except", it.archive],
        ],
        /^Everything from Cabin shelf and Town library$/,
      ],
      [
        [
          ["extent", "choose"],
          ["connection", it.cabin],
        ],
        /^Everything from Cabin shelf$/,
      ],
    ];
    for (const [picked, sentence] of choices) {
      const page = await fresh();
      const looked = await send(page, picked, "look");
      const said = /It may see: <bdi>([^<]*)/.exec(looked.html)![1]!;
      expect(said).toMatch(sentence);
      // The page keeps the choices when it is displayed again.
      const receipt = await answer(it.browser, looked);
      expect(may(receipt)).toBe(said);
    }
  });

  test("V-08 with a time range, a whole connection includes only its dated streams", async () => {
    const page = await fresh();
    const receipt = await send(page, [
      ["connection", it.town],
      ["since", "2020-01-01"],
    ]);
    expect(may(receipt)).toMatch(/^Books.* from Town library since 1 January 2020/);
    expect(may(receipt)).not.toMatch(/authors/i);
  });

  test("V-08 two connections with the same name can be told apart", async () => {
    await it.server.connect("library", "Town library");
    const { html } = await fresh();
    expect(html.match(/Town library<\/bdi> <span class="note">added \d+ \w+ \d{4}/g)!.length).toBeGreaterThanOrEqual(2);
    expect(html).not.toMatch(/Cabin shelf<\/bdi> <span class="note">added/);
  });

  test("V-08 one chat can be chosen without JavaScript: ticking it is enough, the page keeps the choice, and the app reads only that chat", async () => {
    const streams = [messagesStream("Chat", { parts: [] }), conversationsStream("Chat", [])];
    await it.server.register("chat", declareSource("chat", "Chat", streams));
    const phone = await it.server.connect("chat", "Phone");
    const sent = (id: string, chat: string) => ({ key: id, data: { id, conversation_name: chat } });
    await it.server.ingest("messages", phone, [sent("a", "Family & <friends>"), sent("b", "Work"), sent("c", "Work")]);
    const page = await fresh();
    expect(plainText(page.html)).toMatch(/Only some chats[\s\S]*Work\s+2\s+Family &amp; &lt;friends&gt;\s+1/);
    const looked = await send(page, [[`only:${phone}/messages`, "conversation_name=Family & <friends>"]], "look");
    expect(looked.html).toContain(
      "It may see: <bdi>Messages in the chat “Family &amp; &lt;friends&gt;” from Phone</bdi>",
    );
    const receipt = await answer(it.browser, looked);
    expect(may(receipt)).toBe("Messages in the chat “Family &amp; &lt;friends&gt;” from Phone");
    const { data } = (await it.server.get("/v1/grants")).body;
    expect(data[0].grant.streams).toMatchObject([
      { name: "messages", record_filter: { field: "conversation_name", values: ["Family & <friends>"] } },
    ]);
  });

  test("V-08 all chats can be chosen: some are visible, more are collapsed, and the others are chosen by typing their names; similar names can be told apart", async () => {
    const streams = [messagesStream("Chat", { parts: [] }), conversationsStream("Chat", [])];
    await it.server.register("chat", declareSource("chat", "Chat", streams));
    const tablet = await it.server.connect("chat", "Tablet");
    const sent = (chat: string, n: number) => ({
      key: `${chat}/${n}`,
      data: { id: `${chat}/${n}`, conversation_name: chat },
    });
    const often = ["Choir", "Choir "].flatMap((chat) => [0, 1, 2].map((n) => sent(chat, n)));
    const rare = Array.from({ length: 120 }, (_, index) => sent(`Chat ${index}`, 0));
    await it.server.ingest("messages", tablet, [...often, ...rare]);
    const { html } = await fresh();
    const own = html.slice(html.indexOf("Tablet"));
    expect(plainText(own)).toMatch(/Choir\s+3\s+Choir␣\s+3/);
    expect(own).toContain("<summary>80 more chats</summary>");
    expect(plainText(own)).toContain("22 records in chats that are not listed.");
    const unlisted = rare.map(({ data }) => data.conversation_name).find((chat) => !own.includes(`=${chat}"`))!;
    const typed: [string, string] = [`typed:${tablet}/messages:conversation_name`, ` ${unlisted} \r\n\r\nNew one`];
    const page = await fresh();
    const looked = await send(page, [[`only:${tablet}/messages`, "conversation_name=Choir "], typed], "look");
    expect(plainText(looked.html)).toContain(`Messages in the chats “Choir␣”, “${unlisted}” and “New one” from Tablet`);
    await answer(it.browser, looked);
    const { data } = (await it.server.get("/v1/grants")).body;
    expect(data[0].grant.streams[0].record_filter.values).toEqual(["Choir ", unlisted, "New one"]);
  });
});

test("V-05 an unknown address shows browsers a page, and returns JSON to programs", async () => {
  const astray = await it.browser.get("/nonsense");
  expect([astray.status, astray.html.includes("There is no page at this address.")]).toEqual([404, true]);
  expect((await it.server.get("/nonsense", { token: null })).body.error.code).toBe("not_found");
  expect((await it.browser.get("/oauth/device")).html).toContain('name="user_code"');
  const token = await it.browser.get("/oauth/token");
  expect([token.status, token.html.includes("That did not work")]).toEqual([405, true]);
});
