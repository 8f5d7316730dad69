// The number of items in each sample folder, counted without the product's parsers. Each folder has one entry.
import { byName, type Counter, lines, members, none, rows, tableRows, times, whole } from "./independent.ts";

export interface FolderCount {
  /** Counts the items in one file. A file that no importer reads is one item. */
  count: Counter;
  /** Streams, as importer.stream, in which each record is one item. Absent if no importer reads this folder yet. */
  items?: RegExp;
  /** Reasons for skipping something that is not an item: a part of one, or a file next to it. */
  aside?: RegExp;
  answers?: Readonly<Record<string, string>>;
  /** If true, empty files belong to items. Otherwise an empty file is reported as empty. */
  ownsEmptyFiles?: true;
}

const SAVED = /^saved-pages\.pages$/;
const ACTIVITIES = /^google-activity\.activities$/;
/** Each activity has exactly one cell whose class ends like this. */
const activityCells = times(/mdl-typography--body-1">/g);
const NOTES = /^note-apps\.notes$/;
const BOOKINGS = /^bank\.transactions$/;
/** No importer reads this folder yet, so each file must be reported as not recognised. */
const unread: FolderCount = { count: whole };

/** Counts envelope lines or MMDF separators. Without those, counts the first header's name after a blank line. */
const mailsIn: Counter = (file) => {
  const marked = times(/(?:^|\n\r?\n)From /g)(file) || times(/^\x01\x01\x01\x01$/gm)(file) / 2;
  const first = /^\s*([\w-]+:)/.exec(file.text)?.[1];
  return marked || (first === undefined ? 1 : times(new RegExp(`(?:^\\s*|\\n\\r?\\n)${first}`, "g"))(file));
};
/** Counts lines that start with a time in the format of the first line. Lines with another format are text. */
const whatsappLines: Counter = (file) => {
  const layout = file.text
    .split(":", 1)[0]!
    .replace(/\d+/g, (digits) => `\\d{${digits.length}}`)
    .replace(/[[.]/g, "\\$&");
  return times(new RegExp(`^(?:\xe2\x80\x8e)?${layout.replace(/\\d\{[12]\}/g, "\\d{1,2}")}:`, "gm"))(file);
};
const DATE =
  /^"?(?:\d{1,4}[./-]\d{1,2}[./-]\d{2,4}|\d{1,2}[ -][A-Z][a-z]{2,8}[ -]\d{2,4}|20\d{6})(?:"|[T\d[].*| [^ -].*)?$/;
/** Counts rows with a date in one of their cells. */
const datedRows: Counter = ({ text }) =>
  text
    .replace(/"(?:[^"]|"")*"/g, (cell) => cell.replace(/[\r\n,;\t]/g, " "))
    .split(/[\r\n]+/)
    .map((line) => line.split(/[,;\t|]/))
    .filter((cells) => cells.length > 2 && cells.some((cell) => DATE.test(cell.trim()))).length;
/** The total of a pension plan is a balance, not an item. */
const ofxItems: Counter = ({ text }) =>
  text
    .replace(/<INV401KBAL>[\s\S]*?<\/INV401KBAL>/g, "")
    .match(/<STMTTRN>|<TOTAL>|<POS(?:DEBT|MF|OPT|OTHER|STOCK)>|<TRANSFER>|<SEVERITY>ERROR/g)?.length ?? 0;
/** Counts entries that end with `^`. Accounts are described in separate sections. */
const qifItems: Counter = ({ text }) =>
  text
    .split(/^!/m)
    .slice(1)
    .filter((section) => !section.startsWith("Account"))
    .flatMap((section) => section.replace(/^.*/, "").split(/^\^/m))
    .filter((piece) => piece.trim() !== "").length;
/** A file without a calendar is reported, so it counts as one item. */
const components: Counter = (file) =>
  /BEGIN:VCALENDAR/i.test(file.text) ? times(/^BEGIN:(?:VEVENT|VTODO|VJOURNAL|VFREEBUSY)\s*$/gim)(file) : 1;
/** Counts each message, each tool call and each tool result. */
const agentItems: Counter = ({ text }) =>
  text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => {
      const tools = line.match(/"type":\s*"tool_(?:use|result)"/g)?.length ?? 0;
      return tools + (tools === 0 || /"content":\s*\[\{"type":\s*"text"/.test(line) ? 1 : 0);
    })
    .reduce((all, one) => all + one, 0);

const TRACKS = /^tracks\.(?:tracks|places)$/;
/** Counts geometries, and placemarks without one. */
const geometries: Counter = ({ text }) =>
  text
    .split("<Placemark")
    .slice(1)
    .reduce((all, one) => all + Math.max(1, one.match(/<(?:Point|LineString|Polygon|gx:Track)>/g)?.length ?? 0), 0);

export const COUNTS: Record<string, FolderCount> = {
  "agents-claude-code": { count: agentItems, items: /^agents\.(?:messages|tool_calls|tool_results)$/ },
  "bank-mixed": {
    count: byName(
      [/\.(?:ofx|qfx)$/i, ofxItems],
      [/\.qif$/i, qifItems],
      [/\.xml$/, times(/<Ntry>/g)],
      [/\.sqlite$/, tableRows()],
    ),
    items: /^bank\.transactions$|^tables\./,
  },
  "bank-ofx": { count: ofxItems, items: BOOKINGS },
  "bank-qif": { count: byName([/\.qif$/, qifItems]), items: BOOKINGS },
  "browser-history": {
    count: byName(
      [/\.sqlite$/, tableRows("visits", "moz_historyvisits", "history_visits", "History")],
      [/\.json(?:\.gz)?$/, members((json) => json)],
      [/\.jsonl(?:\.gz)?$/, lines],
    ),
    items: /^browser-history\.visits$|^tables\./,
  },
  "calendar-ics": {
    count: byName([/\.ics$/, components]),
    items: /^calendar\.(?:events|tasks)$/,
    aside: /has no END line$|^a recurrence rule/,
  },
  "chat-slack": {
    count: byName(
      [/zip\/.*\/[^/]+\.json$/, members((json) => json)],
      [/zip\/integration_logs/, whole],
      [/zip\//, none],
      [/(?:channels|dms|mpims|users)\.json$/, none],
      [/team_info\.json$/, whole],
      [/user_data\.json$/, members((json) => json.members)],
      [/\.json$/, members((json) => json)],
    ),
    items: /^slack\.messages$|^tables\./,
  },
  "chat-whatsapp": { count: whatsappLines, items: /^whatsapp\.messages$/, answers: { date_order: "dmy" } },
  "contacts-vcf": {
    count: byName([/\.vcf$/, times(/^BEGIN:VCARD\s*$/gim)]),
    items: /^contacts\.contacts$|^photos\.photos$/,
  },
  "health-apple": {
    count: byName([/\.xml$/, times(/<(?:Record|Workout|ActivitySummary|ExportDate) /g)]),
    items: /^(?:health|tracks)\./,
    aside: /points or beats/,
  },
  "mail-eml": { count: whole, items: /^mail\.messages$/ },
  "mail-mbox": { count: mailsIn, items: /^mail\.messages$/ },
  "notes-notion": { count: whole, items: /^notes\.notes$/ },
  "notes-obsidian": {
    count: byName([/\.(?:base|jpg|png|webp)$/, none]),
    items: /^notes\.notes$/,
    aside: /no note links to it/,
  },
  "photos-exif": { count: whole, items: /^photos\.photos$/ },
  // All but one of its files are empty.
  "takeout-tree": { count: activityCells, items: ACTIVITIES },
  "second-round/apple-notes": {
    count: byName([/\.sqlite$/, tableRows("ZICNOTEDATA")]),
    items: NOTES,
    aside: /^part of/,
  },
  "second-round/bank-csv": {
    count: byName(
      [/(?:binance|amazon|ledgers|nl-ing-2020|splitwise|_14-12-2019|danske|202122)\.csv$/, rows],
      // One row contains the statement period.
      [/(?:mbank|de-sparda)\.csv$/, (file) => datedRows(file) - 1],
      [/(?:harder|multi-line)/, (file) => rows(file) + 1],
      [/\.csv$|swedebank/, datedRows],
    ),
    items: /^bank\.transactions$|^tables\./,
    aside: /a heading or a total/,
    answers: { date_order: "dmy" },
  },
  "second-round/bank-mt940": { count: times(/^:61:/gm), items: BOOKINGS },
  "second-round/bear": {
    // A note is counted by its info.json. The text and the files in its bundle belong to it.
    count: byName([/\/info\.json$/, whole], [/\.textbundle\//, none]),
    ownsEmptyFiles: true,
    items: NOTES,
  },
  "second-round/bluesky": {
    // Counts the "$type" of records, preceded by the length of its value. Parts of records have other types.
    count: byName([
      /\.car$/,
      times(
        /e\$type(?:rapp\.bsky\.feed\.(?:post|like|vote)|tapp\.bsky\.feed\.repost|uapp\.bsky\.graph\.follow|vapp\.bsky\.actor\.profile|x\x1bapp\.bsky\.(?:system\.declaration|graph\.confirmation))/g,
      ),
    ]),
    items: /^bluesky\./,
  },
  "second-round/books": { count: rows, items: /^shelves\.books$/ },
  "second-round/calendar-odd": { count: components, items: /^calendar\.(?:events|tasks)$/ },
  "second-round/chrome-takeout": {
    count: members((json) => json["Browser History"]),
    items: /^browser-history\.visits$/,
  },
  "second-round/dayone": {
    count: byName([/\.json$/, members((json) => json.entries)], [/\/(?:photos|videos|audios|pdfs)\//, none]),
    ownsEmptyFiles: true,
    items: NOTES,
  },
  "second-round/discord": {
    count: byName(
      [/\/messages\.json$/, members((json) => json)],
      [/\/(?:index|channel|user)\.json$/, none],
      [/./, members((json) => json.messages)],
    ),
    items: /^discord\.messages$/,
  },
  "second-round/evernote-enex": { count: times(/<note>/g), items: NOTES, aside: /^part of/ },
  "second-round/facebook": {
    count: byName(
      [/your_posts_1\.json$/, members((json) => json)],
      [/album-0\.json$/, members((json) => json.photos)],
      [/corrupt\.json$/, whole],
      [/\.json$/, members((json) => json.messages)],
    ),
    items: /^facebook\.(?:messages|posts|photos)$/,
  },
  "second-round/goodreads": { count: rows, items: /^shelves\.books$|^tables\./ },
  "second-round/google-activity": {
    count: byName([/\.json$/, members((json) => json)], [/\.html$/, activityCells]),
    items: ACTIVITIES,
  },
  "second-round/google-chat": {
    count: byName([/_info\.json$/, none], [/./, members((json) => json.messages)]),
    items: /^google-chat\.messages$/,
  },
  "second-round/google-hangouts": {
    count: members((json) => json.conversations.flatMap((one: { events: unknown[] }) => one.events)),
    items: /^google-chat\.messages$/,
  },
  "second-round/google-keep": { count: byName([/\.(?:jpg|png)$/, none]), items: NOTES },
  // Positions are grouped into records by day. test/samples/places.test.ts counts them individually.
  "second-round/google-location": {
    count: byName(
      [/Edits|Settings/, whole],
      [/Records/, none],
      [
        /./,
        times(
          /"(?:placeVisit|visit|activitySegment|timelineMemory|wifiScan|activityRecord|label)":|"activity": \{|"startTimestampMs": "[A-Za-z]/g,
        ),
      ],
    ),
    items: /^google-location\.(?:visits|trips|frequent_places)$/,
  },
  "second-round/heic": { count: whole, items: /^photos\.photos$/ },
  "second-round/imessage": { count: byName([/\.db$/, tableRows("message")]), items: /^imessage\.messages$/ },
  "second-round/instagram": { count: members((json) => json), items: /^instagram\.posts$/ },
  "second-round/joplin-jex": { count: times(/^type_: 1$/gm), items: NOTES },
  "second-round/kindle": { count: times(/^==========\r?$/gm), items: /^kindle\.clippings$/ },
  "second-round/letterboxd": { count: rows, items: /^shelves\.films$/ },
  "second-round/linkedin": {
    count: byName([/Connections/, times(/linkedin\.com\/in\//g)], [/./, rows]),
    items: /^linkedin\.(?:connections|messages)$|^tables\./,
  },
  "second-round/mail-mbox-odd": {
    count: byName([/\.json$/, members((json) => json)], [/./, mailsIn]),
    items: /^mail\.messages$|^tables\./,
  },
  "second-round/mastodon": {
    count: byName([/actor\.json$/, none], [/./, members((json) => json.orderedItems)]),
    items: /^mastodon\.posts$/,
  },
  "second-round/ocr-images": { count: whole, items: /^photos\.photos$/ },
  "second-round/passwords": unread,
  "second-round/pinboard": { count: members((json) => json), items: SAVED },
  "second-round/pocket": { count: byName([/\.csv$/, rows], [/\.html$/, times(/<li>/g)]), items: SAVED },
  "second-round/raindrop": { count: rows, items: SAVED },
  "second-round/read-later": {
    count: byName(
      [/\.csv$/, rows],
      [/readability\.json$/, members((json) => json.bookmarks)],
      [/\.json$/, members((json) => json)],
      [/\.html$/, times(/<A /g)],
    ),
    items: /^bookmarks\.bookmarks$|^saved-pages\.pages$/,
  },
  "second-round/reddit": { count: rows, items: /^reddit\.(?:posts|saved)$/ },
  "second-round/scanned-pdf": unread,
  "second-round/signal": { count: byName([/\.jsonl$/, times(/"chatItem"/g)]), items: /^signal\.messages$/ },
  "second-round/skype": {
    count: byName(
      [/\.db$/, tableRows("Messages")],
      [
        /messages\.json$/,
        members((json) => json.conversations.flatMap((one: { MessageList: unknown[] }) => one.MessageList)),
      ],
    ),
    items: /^skype\.messages$/,
  },
  "second-round/sms-android": {
    count: byName([/\.db$/, tableRows("sms")], [/\.xml$/, times(/<(?:sms|mms|call) /g)]),
    items: /^sms\.messages$/,
  },
  "second-round/storygraph": { count: rows, items: /^shelves\.books$/ },
  "second-round/strava": { count: rows, items: /^strava\.activities$/ },
  // Sessions as counted by python-fitparse, and two truncated files.
  "second-round/tracks-fit": {
    count: byName([/\.csv$/, rows], [/Monitoring/, () => 337], [/Weight|-eof|strava/, () => 2], [/./, () => 1]),
    items: /^tracks\.(?:workouts|measurements)$|^tables\./,
  },
  // Each of these logs covers one day. test/samples/tracks.test.ts counts their positions.
  "second-round/tracks-geojson": { count: byName([/overland/, () => 2], [/./, () => 1]), items: TRACKS },
  "second-round/tracks-gpx": { count: times(/<(?:trk|rte|wpt)[\s>/]/g), items: TRACKS },
  "second-round/tracks-kml": { count: geometries, items: TRACKS },
  "second-round/tracks-other": {
    count: byName([/\.rec$/, (file) => 1 + times(/"_type":"(?!location)/g)(file)], [/./, () => 1]),
    items: TRACKS,
  },
  "second-round/tracks-tcx": { count: times(/<Activity /g), items: /^tracks\.workouts$/ },
  // One of the videos has only sound.
  "second-round/video": { count: whole, items: /^photos\.photos$/ },
  "second-round/youtube-history": {
    count: byName([/\.json$/, members((json) => json)], [/\.html$/, activityCells]),
    items: /^media\.views$|^google-activity\.activities$/,
  },
};
