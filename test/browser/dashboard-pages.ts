// Every dashboard page by name, with an example address in the demo home.
import { readFileSync } from "node:fs";
import { addHostile, hostileFolder } from "../connectors/hostile-connector.ts";
import type { Loose, TestServer } from "../harness.ts";
import { idWhere } from "./explore-world.ts";
import { ASKING_CSV, bookmarks, runImport, sendImport } from "./sent-files.ts";

/** The screenshots in the docs omit failing connectors, because each one adds a warning above the timeline. */
export async function dashboardPages(
  server: TestServer,
  { failingConnectors = true } = {},
): Promise<Record<string, string>> {
  const connections = await server.all("/v1/connections");
  const of = (key: string): string => connections.find(({ connector_key }) => connector_key === key).connection_id;
  const mail = of("mail");
  const orders = connections.find(({ display_name }) => display_name === "Orders").connection_id;
  const messages = await server.get("/v1/streams/messages/records", { query: { connection_id: mail, limit: 1 } });
  const record = messages.body.data[0].id;
  const notes = { connection_id: of("notes"), stream: "notes" };
  const noteAt = (path: string): Promise<string> => idWhere(server, notes, "path", path);
  const activity = await server.get("/v1/activity", { query: { limit: 100 } });
  const denied = activity.body.data.find(({ outcome }: { outcome: string }) => outcome !== "ok").request_id;
  const person = (await server.get("/v1/people", { query: { q: "Oisín" } })).body.data[0].person_id;
  const grants = (await server.get("/v1/grants")).body.data;
  const reading = grants.find(({ words }: { words: { app: string } }) => words.app === "Claude Code");
  const plan = await sendImport(server, { "Training 2024.csv": ASKING_CSV, "recipe.pages": "not a format of ours" });
  const ran = await sendImport(server, { "bookmarks.html": bookmarks(40), "installer.dmg": "not a format of ours" });
  await runImport(server, ran);
  const marks = (await server.all("/v1/streams")).find(({ name }) => name === "bookmarks").connection_id;
  const { version } = JSON.parse(
    readFileSync(new URL("../../node_modules/hono/package.json", import.meta.url), "utf8"),
  );
  return {
    connections: "/dashboard/connections",
    add: "/dashboard/add",
    "add-imap": "/dashboard/add?from=imap",
    "add-caldav": "/dashboard/add?from=caldav",
    "add-folder": "/dashboard/add?from=folder",
    "add-path": `/dashboard/add?${new URLSearchParams({ from: "path", place: hostileFolder("told") })}`,
    connection: `/dashboard/connections/${mail}`,
    "connection-delete": `/dashboard/connections/${mail}/delete`,
    ...(failingConnectors ? await connectorPages(server) : {}),
    ...(await filePages(server)),
    import: "/dashboard/import",
    "import-plan": `/dashboard/import/${plan}`,
    "import-report": `/dashboard/import/${ran}`,
    "import-undo": `/dashboard/import/${ran}/undo`,
    overview: "/dashboard",
    connect: "/dashboard/connect",
    "connect-files": "/dashboard/connect?lens=files",
    apps: "/dashboard/apps",
    app: `/dashboard/apps/${encodeURIComponent(reading.grant.client.client_id)}`,
    seen: `/dashboard/apps/${encodeURIComponent(reading.grant.client.client_id)}/seen`,
    grant: `/dashboard/grants/${reading.grant.grant_id}`,
    package: `/dashboard/grants/${reading.grant_package_id}`,
    "grant-edit": `/dashboard/grants/${reading.grant_package_id}/edit`,
    activity: "/dashboard/activity",
    "activity-denied": "/dashboard/activity?who=app&outcome=denied",
    request: `/dashboard/activity/${denied}`,
    schedules: "/dashboard/schedules",
    settings: "/dashboard/settings",
    "sign-in-settings": "/dashboard/settings/sign-in",
    go: "/dashboard/go",
    help: "/dashboard/help",
    licences: "/dashboard/settings/licences",
    licence: `/dashboard/settings/licences?package=hono@${version}`,
    events: "/dashboard/settings/events",
    "events-subscription": await eventPage(server, reading.grant_package_id),
    explore: "/dashboard/explore",
    map: "/dashboard/map",
    "map-near": "/dashboard/map?lat=53.33&lon=-6.25&z=11&kind=photo&kind=track",
    people: "/dashboard/people",
    person: `/dashboard/people/${encodeURIComponent(person)}`,
    search: "/dashboard/explore?q=lisbon",
    stream: `/dashboard/explore/${mail}/messages?filter[folder]=Inbox`,
    chats: `/dashboard/explore/${of("whatsapp")}/messages`,
    chat: `/dashboard/explore/${of("whatsapp")}/messages?filter[chat_name]=Supper+Club`,
    calendar: `/dashboard/explore/${of("calendar")}/occurrences`,
    "calendar-week": `/dashboard/explore/${of("calendar")}/occurrences?show=week&at=2026-06-20`,
    "calendar-agenda": `/dashboard/explore/${of("calendar")}/occurrences?show=list`,
    tasks: `/dashboard/explore/${of("calendar")}/tasks`,
    contacts: `/dashboard/explore/${of("contacts")}/contacts`,
    notes: `/dashboard/explore/${of("notes")}/notes`,
    ledger: `/dashboard/explore/${of("bank")}/transactions`,
    accounts: `/dashboard/explore/${of("bank")}/accounts`,
    orders: `/dashboard/explore/${orders}/orders`,
    "orders-charts": `/dashboard/explore/${orders}/orders?show=charts`,
    conversations: `/dashboard/explore/${of("whatsapp")}/chats`,
    bookmarks: `/dashboard/explore/${marks}/bookmarks`,
    plays: `/dashboard/explore/${of("media")}/listens`,
    photos: `/dashboard/explore/${of("photos")}/photos`,
    measurements: `/dashboard/explore/${of("health")}/records`,
    workouts: `/dashboard/explore/${of("health")}/workouts`,
    tracks: `/dashboard/explore/${of("tracks")}/tracks`,
    visits: `/dashboard/explore/${of("google-location")}/visits`,
    posts: `/dashboard/explore/${of("mastodon")}/posts`,
    "web-pages": `/dashboard/explore/${of("browser-history")}/visits`,
    books: `/dashboard/explore/${of("shelves")}/books`,
    code: `/dashboard/explore/${of("github")}/issues`,
    commands: `/dashboard/explore/${of("shell")}/commands`,
    cards: "/dashboard?at=2026-06&kind=post&kind=page&kind=book&kind=code&kind=command",
    table: `/dashboard/explore/${mail}/messages?show=table`,
    ...(await recordPages(server, of, { orders, marks })),
    "stream-charts": `/dashboard/explore/${of("bank")}/transactions?show=charts`,
    "record-files": `/dashboard/records/${notes.connection_id}/notes/${await noteAt("Postcards/IN-1516.md")}`,
    "record-long": `/dashboard/records/${notes.connection_id}/notes/${await noteAt("Work/Harbour Hall acoustic survey, complete edition.md")}`,
    cited: `/dashboard/records/${mail}/messages`,
    record: `/dashboard/records/${mail}/messages/${encodeURIComponent(record)}`,
    why: `/dashboard/why/${denied}`,
  };
}

/** Returns the page of one record of each kind. */
async function recordPages(
  server: TestServer,
  of: (key: string) => string,
  { orders, marks }: { orders: string; marks: string },
): Promise<Record<string, string>> {
  const places = {
    message: [of("whatsapp"), "messages"],
    conversation: [of("whatsapp"), "chats"],
    event: [of("calendar"), "events"],
    task: [of("calendar"), "tasks"],
    contact: [of("contacts"), "contacts"],
    payment: [of("bank"), "transactions"],
    account: [of("bank"), "accounts"],
    order: [orders, "orders"],
    bookmark: [marks, "bookmarks"],
    measurement: [of("health"), "records"],
    workout: [of("health"), "workouts"],
    play: [of("media"), "listens"],
    visit: [of("google-location"), "visits"],
    track: [of("google-location"), "trips"],
    photo: [of("photos"), "photos"],
    post: [of("mastodon"), "posts"],
    "web-page": [of("browser-history"), "visits"],
    book: [of("shelves"), "books"],
    code: [of("github"), "issues"],
    command: [of("shell"), "commands"],
  } as const;
  const found = Object.entries(places).map(async ([name, [connection_id, stream]]) => {
    const { body } = await server.get(`/v1/streams/${stream}/records`, { query: { connection_id, limit: 1 } });
    return [`record-${name}`, `/dashboard/records/${connection_id}/${stream}/${encodeURIComponent(body.data[0].id)}`];
  });
  return Object.fromEntries(await Promise.all(found));
}

/** Adds a connector that waits for an answer, and a run with every optional field. */
async function connectorPages(server: TestServer): Promise<Record<string, string>> {
  const runUntil = async (mode: string, fits: (run: Loose) => boolean): Promise<Loose> => {
    const { connectionId } = await addHostile(server.host, mode, { secrets: { password: "kept" } });
    const { run_id } = (await server.call("POST", `/v1/connections/${connectionId}/runs`, { body: {} })).body;
    for (;;) {
      const run = (await server.get(`/v1/runs/${run_id}`)).body;
      if (fits(run)) return run;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  const ended = ({ status }: Loose): boolean => status === "succeeded" || status === "failed";
  const told = await runUntil("told", ended);
  const failed = await runUntil("lies-about-count", ended);
  const asking = await runUntil("otp", ({ question }) => question !== undefined);
  return {
    connector: `/dashboard/connections/${asking.connection_id}/connector`,
    "connection-asking": `/dashboard/connections/${asking.connection_id}`,
    run: `/dashboard/runs/${told.run_id}`,
    "run-failed": `/dashboard/runs/${failed.run_id}`,
    "run-asking": `/dashboard/runs/${asking.run_id}`,
  };
}

/** Adds a scanned disk and returns its map and all its views. */
async function filePages(server: TestServer): Promise<Record<string, string>> {
  const lens = await server.files();
  const [root] = await lens.roots();
  const { indexId, rootNodeId } = (await lens.indexOf(root!))!;
  const { entries } = await lens.files.children(indexId, rootNodeId, { order: "size" });
  const folder = entries.find(({ name }) => name === "Photos")!;
  const file = entries.find(({ kind }) => kind === "file")!;
  const at = `/dashboard/files/${indexId}`;
  return {
    files: "/dashboard/files",
    "files-map": at,
    "files-folder": `${at}?at=${folder.nodeId}&sort=name`,
    "files-file": `${at}?at=${file.nodeId}`,
    "files-largest": `${at}?tab=largest`,
    "files-types": `${at}?tab=types`,
    "files-ages": `${at}?tab=ages`,
    "files-growth": `${at}?tab=growth`,
    "files-copies": `${at}?tab=copies`,
    "files-find": `${at}?tab=find&name=*.pdf&min=100+KB`,
    "files-sets": `${at}?tab=sets`,
    "files-settings": `/dashboard/files/roots/${root!.rootId}`,
  };
}

/** Adds a subscription whose address does not respond, and an allowed private host. */
async function eventPage(server: TestServer, grant: string): Promise<string> {
  const { client_id } = (await server.get("/v1/grants")).body.data[0].grant.client;
  await server.call("PUT", "/v1/event-hosts/192.168.1.20%3A8123", { query: { client_id } });
  const body = { url: "https://app.example.test/hooks/postern", grant_id: grant };
  const { subscription_id: id } = (await server.call("POST", "/v1/event-subscriptions", { body })).body;
  return `/dashboard/settings/events/${id}`;
}
