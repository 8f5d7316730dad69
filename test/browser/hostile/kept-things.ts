// Hostile files from programs that save things: notes, saved pages, clippings and activities.
import { HOSTILE, hostile, hostileUrl, NAME } from "./corpus.ts";
import type { HostileExport } from "./exports.ts";

const each = (line: (text: string, index: number) => string): string => HOSTILE.map(line).join("");
const html = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

export const noteApps: HostileExport = {
  files: {
    ...Object.fromEntries(
      HOSTILE.map((text, index) => [
        `Keep/${NAME}${index}.json`,
        JSON.stringify({
          attachments: [{ filePath: `${NAME}.png` }],
          isTrashed: false,
          isPinned: false,
          textContent: text,
          title: hostile(index + 1),
          labels: [{ name: text }],
          annotations: [{ url: hostileUrl(index) }],
          createdTimestampUsec: 1_690_000_000_000_000 + index,
        }),
      ]),
    ),
    [`${NAME}.json`]: JSON.stringify({
      metadata: { version: "1.0" },
      entries: [
        {
          uuid: NAME,
          text: hostile(3),
          creationDate: "2024-05-31T09:00:00Z",
          tags: [hostile(4)],
          location: { placeName: hostile(5), latitude: 1, longitude: 2 },
          photos: [{ md5: "x", filename: NAME }],
        },
      ],
    }),
    "notes.enex": `<?xml version="1.0"?><en-export>${each(
      (text, index) =>
        `<note><title>${html(text)}</title><created>2024053${index % 2}T090000Z</created><tag>${html(text)}</tag><content><![CDATA[<en-note>${text}</en-note>]]></content></note>`,
    )}</en-export>`,
  },
  whole: ["notes", "body"],
  accounts: ["Google Keep", "Day One", "Evernote"],
  tame: [],
};

export const savedPages: HostileExport = {
  files: {
    [`${NAME}.json`]: JSON.stringify(
      HOSTILE.map((text, index) => ({
        href: hostileUrl(index),
        description: text,
        extended: hostile(index + 1),
        tags: NAME.replaceAll(" ", "_"),
        time: "2024-05-31T09:00:00Z",
      })),
    ),
    [`${NAME}.csv`]: `id,title,note,excerpt,url,folder,tags,created,cover,highlights,favorite\n${NAME},${NAME},${NAME},${NAME},https://__hit.example/,${NAME},${NAME},2024-05-31T09:00:00Z,,,\n`,
  },
  whole: ["pages", "title"],
  accounts: ["Pinboard", "Raindrop"],
  tame: [],
};

export const kindle: HostileExport = {
  files: {
    "My Clippings.txt": each(
      (text, index) =>
        `${hostile(index + 1)} (${NAME})\n- Your Highlight on page ${index + 1} | Location ${index} | Added on Friday, 31 May 2024 09:00:00\n\n${text}\n==========\n`,
    ),
  },
  answers: { time_zone: "UTC" },
  whole: ["clippings", "text"],
  // These fields are a digest, and numbers as text.
  tame: ["clippings.id", "clippings.location", "clippings.page"],
};

export const googleActivity: HostileExport = {
  files: {
    "MyActivity.json": JSON.stringify(
      HOSTILE.map((text, index) => ({
        header: hostile(index + 1),
        title: text,
        titleUrl: hostileUrl(index),
        subtitles: [{ name: hostile(index + 2) }],
        time: "2024-05-31T09:00:00Z",
      })),
    ),
  },
  whole: ["activities", "title"],
  tame: ["activities.id"],
};
