// Writes the exports for the import benchmarks, the same in every run.
import { closeSync, openSync, writeSync } from "node:fs";
import { randomFrom, wordOfRank } from "./data.ts";

const WORDS = Array.from({ length: 20_000 }, (_, rank) => wordOfRank(rank));
const START = Date.UTC(2018, 0, 1);
const STEP_MS = 11 * 60_000;
const PEOPLE = 300;
const CHATS = 40;
const PIECE_BYTES = 1024 * 1024;

type Random = () => number;

/** Writes pieces until the file has this many bytes or there are no more pieces. */
function writeFile(path: string, pieces: Iterable<string>, bytesMax = Number.POSITIVE_INFINITY): void {
  const file = openSync(path, "w");
  let held = "";
  let written = 0;
  for (const piece of pieces) {
    held += piece;
    if (held.length < PIECE_BYTES) continue;
    written += writeSync(file, held);
    held = "";
    if (written >= bytesMax) break;
  }
  writeSync(file, held);
  closeSync(file);
}

const between = (random: Random, from: number, to: number): number => from + Math.floor(random() * (to - from));

/** Distributed by Zipf's law, as in real language. */
const words = (random: Random, count: number): string =>
  Array.from({ length: count }, () => WORDS[Math.floor(WORDS.length ** random()) - 1]!).join(" ");

function paragraphs(random: Random, count: number): string[] {
  return Array.from({ length: count }, () =>
    Array.from({ length: between(random, 1, 6) }, () => words(random, between(random, 8, 13))).join("\n"),
  );
}

/**
 * Half of the messages are plain text, a third also have HTML, and some have only HTML. Every tenth has an attachment
 * of up to 300 KB.
 */
export const writeMbox = (path: string, bytes: number): void => writeFile(path, mails(), bytes);

function* mails(): Generator<string> {
  for (let index = 0; ; index++) yield mail(index);
}

function mail(index: number): string {
  const random = randomFrom(0x3a000000 + index);
  const date = new Date(START + index * STEP_MS);
  const [from, to] = [between(random, 0, PEOPLE), between(random, 0, PEOPLE)];
  const text = paragraphs(random, 1 + Math.floor(random() ** 2 * 14));
  const kind = random();
  const body =
    kind < 0.5
      ? plainPart(text)
      : kind < 0.83
        ? alternative(index, text)
        : kind < 0.9
          ? htmlPart(text)
          : filed(index, random, text);
  const weekday = date.toUTCString().slice(0, 3);
  const month = date.toUTCString().slice(8, 11);
  const day = String(date.getUTCDate()).padStart(2, " ");
  return [
    `From person${from}@mail.example ${weekday} ${month} ${day} ${date.toISOString().slice(11, 19)} ${date.getUTCFullYear()}`,
    `Return-Path: <person${from}@mail.example>`,
    `Received: from relay.example (relay.example [192.0.2.${index % 250}]) by mx.example with ESMTPS id ${index.toString(36)};`,
    ` ${date.toUTCString().replace("GMT", "+0000")}`,
    `Date: ${date.toUTCString().replace("GMT", "+0000")}`,
    `From: ${index % 5 === 0 ? "=?UTF-8?Q?J=C3=BCrgen?=" : "Person"} ${from} <person${from}@mail.example>`,
    `To: Person ${to} <person${to}@mail.example>`,
    `Subject: ${words(random, between(random, 2, 8))}`,
    `Message-ID: <m${index}@mail.example>`,
    ...(index % 3 === 0 || index === 0 ? [] : [`In-Reply-To: <m${index - 1}@mail.example>`]),
    "MIME-Version: 1.0",
    ...body,
    "",
    "",
  ].join("\n");
}

const plainPart = (text: readonly string[]): string[] => [
  "Content-Type: text/plain; charset=utf-8",
  "Content-Transfer-Encoding: 7bit",
  "",
  text.join("\n\n"),
];

const htmlPart = (text: readonly string[]): string[] => [
  "Content-Type: text/html; charset=utf-8",
  "Content-Transfer-Encoding: quoted-printable",
  "",
  "<html><head><style>p { margin: 0 0 1em }</style></head><body>",
  ...text.map(
    (one) =>
      `<div class=3D"row"><p style=3D"color:#333">${one.replaceAll("\n", "=20\n")}</p>\n<a href=3D"https://shop.example/">see</a></div>`,
  ),
  "</body></html>",
];

const parts = (type: string, mark: string, inner: readonly (readonly string[])[]): string[] => [
  `Content-Type: ${type}; boundary="${mark}"`,
  "",
  ...inner.flatMap((part) => [`--${mark}`, ...part]),
  `--${mark}--`,
];

const alternative = (index: number, text: readonly string[]): string[] =>
  parts("multipart/alternative", `alt-${index}`, [plainPart(text), htmlPart(text)]);

function filed(index: number, random: Random, text: readonly string[]): string[] {
  const bytes = Buffer.alloc(1000 + Math.floor(random() ** 3 * 300_000));
  for (let at = 0; at + 4 <= bytes.length; at += 4) bytes.writeInt32LE((random() * 2 ** 32) | 0, at);
  const file = [
    `Content-Type: application/pdf; name="paper-${index}.pdf"`,
    `Content-Disposition: attachment; filename="paper-${index}.pdf"`,
    "Content-Transfer-Encoding: base64",
    "",
    bytes.toString("base64").replace(/.{76}/g, "$&\n"),
  ];
  return parts("multipart/mixed", `mix-${index}`, [plainPart(text), file]);
}

/** One account in Telegram Desktop's format: indented by one space, 40 chats of equal length. */
export function writeTelegram(path: string, bytes: number): void {
  writeFile(path, telegram(bytes / CHATS));
}

function* telegram(chatBytes: number): Generator<string> {
  yield `{\n "about": "Here is the data you requested. Remember: Telegram is ad free.",\n "personal_information": {\n  "user_id": 77,\n  "first_name": "Nora"\n },\n "chats": {\n  "about": "",\n  "list": [\n`;
  for (let chat = 0; chat < CHATS; chat++) {
    yield `${chat === 0 ? "" : ",\n"}   {\n    "name": "Person ${chat}",\n    "type": "personal_chat",\n    "id": ${1000 + chat},\n    "messages": [\n`;
    for (let id = 1, written = 0; written < chatBytes; id++) {
      const text = (id === 1 ? "" : ",\n") + JSON.stringify(chatMessage(chat, id), null, 1).replace(/^/gm, "     ");
      written += text.length;
      yield text;
    }
    yield "\n    ]\n   }";
  }
  yield "\n  ]\n }\n}\n";
}

function chatMessage(chat: number, id: number): object {
  const random = randomFrom(0x7e000000 + chat * 100_000 + id);
  const seconds = Math.floor(START / 1000) + id * 317 + chat;
  const text = words(random, 1 + Math.floor(random() ** 2 * 60));
  const linked = [`${text} `, { type: "link", text: "https://a.example/" }];
  return {
    id,
    type: "message",
    date: new Date(seconds * 1000).toISOString().slice(0, 19),
    date_unixtime: String(seconds),
    ...(random() < 0.5
      ? { from: "Nora", from_id: "user77" }
      : { from: `Person ${chat}`, from_id: `user${1000 + chat}` }),
    ...(random() < 0.15 ? { reply_to_message_id: Math.max(1, id - 3) } : {}),
    ...(random() < 0.1
      ? { text: linked, text_entities: [{ type: "plain", text: linked[0] }, linked[1]] }
      : { text, text_entities: [{ type: "plain", text }] }),
  };
}

/** Spotify's extended history: one list on one line. */
export const writeSpotify = (path: string, bytes: number): void => writeFile(path, plays(bytes));

function* plays(bytes: number): Generator<string> {
  for (let index = 0, written = 0; written < bytes; index++) {
    const text = `${index === 0 ? "[" : ","}${JSON.stringify(play(index))}`;
    written += text.length;
    yield text;
  }
  yield "]";
}

function play(index: number): object {
  const random = randomFrom(0x5b000000 + index);
  const track = Math.floor(20_000 ** random());
  return {
    ts: new Date(START + index * 200_000).toISOString().replace(".000", ""),
    username: "nora",
    platform: "Android OS 12 API 31 (samsung, SM-G991B)",
    ms_played: between(random, 0, 400_000),
    conn_country: "IE",
    ip_addr_decrypted: `192.0.2.${index % 250}`,
    user_agent_decrypted: "unknown",
    master_metadata_track_name: WORDS[track % WORDS.length],
    master_metadata_album_artist_name: WORDS[track % 997],
    master_metadata_album_album_name: words(random, 2),
    spotify_track_uri: `spotify:track:${track.toString(36).padStart(22, "0")}`,
    episode_name: null,
    episode_show_name: null,
    spotify_episode_uri: null,
    reason_start: "trackdone",
    reason_end: random() < 0.7 ? "trackdone" : "fwdbtn",
    shuffle: random() < 0.5,
    skipped: random() < 0.2,
    offline: false,
    offline_timestamp: Math.floor(START / 1000) + index,
    incognito_mode: false,
  };
}

/** One long Claude Code session: requests, answers with thoughts and tool calls, and tool output. */
export const writeAgentLog = (path: string, bytes: number): void => writeFile(path, logLines(), bytes);

function* logLines(): Generator<string> {
  for (let index = 0; ; index++) yield `${JSON.stringify(logLine(index))}\n`;
}

function logLine(index: number): object {
  const random = randomFrom(0xa9000000 + index);
  const tool = (number: number): string => `toolu_01${number.toString(36).padStart(22, "0")}`;
  const uuid = (number: number): string => `3f8e123a-0000-4000-8000-${number.toString(16).padStart(12, "0")}`;
  const isAnswer = index % 2 === 1;
  const asked = { role: "user", content: words(random, between(random, 5, 60)) };
  const printed = {
    type: "tool_result",
    tool_use_id: tool(index - 1),
    content: words(random, between(random, 20, 600)),
  };
  const answered = [
    { type: "thinking", thinking: words(random, between(random, 10, 80)), signature: uuid(index) },
    { type: "text", text: words(random, between(random, 5, 60)) },
    {
      type: "tool_use",
      id: tool(index),
      name: "Bash",
      input: { command: words(random, 8), description: words(random, 5) },
    },
  ];
  return {
    parentUuid: index === 0 ? null : uuid(index - 1),
    isSidechain: false,
    userType: "external",
    cwd: "/home/nora/shop",
    sessionId: uuid(0),
    version: "1.0.9",
    gitBranch: "main",
    type: isAnswer ? "assistant" : "user",
    message: isAnswer
      ? { role: "assistant", model: "claude-x", content: answered, usage: { input_tokens: index, output_tokens: 90 } }
      : index % 20 === 0
        ? asked
        : { role: "user", content: [printed] },
    uuid: uuid(index),
    timestamp: new Date(START + index * 7000).toISOString(),
  };
}

/** A table that no importer recognises. */
export const writeCsv = (path: string, rows: number): void => writeFile(path, csv(rows));

function* csv(rows: number): Generator<string> {
  yield "reading,taken,station,degrees,remark\n";
  for (let row = 0; row < rows; row++) {
    const random = randomFrom(0xc5000000 + row);
    const taken = new Date(START + row * 60_000).toISOString();
    yield `r${row},${taken},station-${row % 40},${(random() * 40 - 10).toFixed(1)},"${words(random, 6)}, noted"\n`;
  }
}
