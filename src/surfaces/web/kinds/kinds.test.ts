// Tests the views by kind: what a line and a page show, regardless of what the source calls its fields.
import { describe, expect, test } from "vitest";
import { KINDS, type Kind } from "../../../contract/kinds.ts";
import type { JsonObject } from "../../../contract/record.ts";
import { moneyWords } from "../../../core/money-words.ts";
import { timesIn } from "../times.ts";
import { byDay, calendarSpan } from "./calendar.ts";
import { photoGrid } from "./grid.ts";
import { dayOf, type KindItem } from "./item.ts";
import { KIND_VIEWS, partsOf } from "./kinds.ts";
import { rendered } from "./markdown.ts";
import { piecesOf } from "./quoted.ts";
import { card, rows } from "./rows.ts";

const HOSTILE = `<img src=x onerror=alert(1)><script>alert(2)</script>"'&`;
const frameIn = (zone: string) => ({ times: timesIn(zone, Date.parse("2026-07-01T00:00:00Z")), me: ["nora keane"] });
const dublin = frameIn("Europe/Dublin");

function item(kind: Kind, roles: Record<string, string>, data: JsonObject): KindItem {
  const at = data[roles.time ?? ""];
  const isDay = data[roles.all_day ?? ""] === true || /^\d{4}-\d\d-\d\d$/.test(String(at));
  return {
    connection_id: "cin_1",
    stream: "things",
    id: "1",
    href: "/dashboard/records/cin_1/things/1",
    title: String(data[roles.title ?? ""] ?? "untitled"),
    kind,
    roles: Object.fromEntries(Object.entries(roles).map(([role, field]) => [role, [field]])),
    data,
    ...(typeof at === "string" ? { when: { at: isDay ? at.slice(0, 10) : at, isDay } } : {}),
  };
}

describe("V-01 views by kind", () => {
  test("V-01 every kind has a line, a card and a page that show the owner's texts as text", () => {
    for (const kind of Object.keys(KINDS) as Kind[]) {
      const { roles, more } = KINDS[kind];
      const names = [...roles, ...more] as string[];
      const data = Object.fromEntries(names.map((role) => [role, role === "time" ? "2026-06-20T10:00:00Z" : HOSTILE]));
      const one = item(kind, Object.fromEntries(names.map((role) => [role, role])), data);
      const shown = [
        String(rows([one], dublin)),
        String(card(one, dublin, HOSTILE)),
        String(KIND_VIEWS[kind].page(one, { ...dublin, around: [one], readOn: {} })),
      ];
      for (const html of shown) expect(html, kind).not.toMatch(/<script|<img src=x|onerror=alert\(1\)>/);
      expect(shown[0], kind).toContain("&lt;script&gt;");
    }
  });

  test("V-01 a post by the owner's handle in that connection is shown as by You, and the same handle elsewhere is not", () => {
    const roles = { time: "at", text: "text", "author.handle": "by" };
    const frame = { ...dublin, me: ["nora keane", "handle:cin_1:nora@tide.example"] };
    const who = (by: string, connection_id = "cin_1") =>
      partsOf({ ...item("post", roles, { at: "2026-06-20T10:00:00Z", text: "Tide", by }), connection_id }, frame).who;
    expect(who("@Nora@tide.example")).toBe("You");
    expect(who("@orla@tide.example")).toBe("@orla@tide.example");
    expect(who("@nora@tide.example", "cin_2")).toBe("@nora@tide.example");
  });

  test("V-04 a place without a name is shown by the nearest city, or by its position if no city is near", () => {
    const roles = { time: "at", "place.name": "name", "place.latitude": "lat", "place.longitude": "lon" };
    const titleAt = (place: JsonObject) =>
      partsOf(item("visit", roles, { at: "2026-06-20T10:00:00Z", ...place }), dublin).title;
    expect(titleAt({ name: "Ticknock", lat: 53.24, lon: -6.25 })).toBe("Ticknock");
    expect(titleAt({ lat: 53.3438, lon: -6.2672 })).toBe("Near Dublin");
    expect(titleAt({ lat: -48.8767, lon: -123.3933 })).toBe("48.88° S, 123.39° W");
    expect(titleAt({ lat: -16.5, lon: 179.99 })).toBe("16.50° S, 179.99° E");
    expect(titleAt({})).toBe("A place");
  });

  test("V-01 mail shows sender, subject and first words; mail from the owner shows its recipient", () => {
    const roles = { time: "at", title: "subject", text: "body", "from.name": "from", to: "to", unread: "unread" };
    const mail = { at: "2026-06-20T10:00:00Z", subject: "Boat", body: "> old\nSee you\nat nine", unread: true };
    expect(partsOf(item("email", roles, { ...mail, from: "Orla" }), dublin)).toMatchObject({
      who: "Orla",
      title: "Boat",
      text: "See you at nine",
      isNew: true,
    });
    const sent = { ...mail, from: "Nora Keane", to: [{ name: "Orla", address: "orla@x.example" }] };
    expect(partsOf(item("email", roles, sent), dublin).who).toBe("To Orla");
  });

  test("V-01 quoted text is separated from an email's own text, with the line that introduces it", () => {
    const body = "Yes.\n\nOn 3 May 2026, Orla wrote:\n> Boat?\n> Now?\n\nN.\n-----Original Message-----\nFrom: X";
    expect(piecesOf(body).map(({ isQuote, text }) => [isQuote, text.trim()])).toEqual([
      [false, "Yes."],
      [true, "On 3 May 2026, Orla wrote:\n> Boat?\n> Now?"],
      [false, "N."],
      [true, "-----Original Message-----\nFrom: X"],
    ]);
  });

  test("V-01 Markdown is rendered without HTML, scripts, remote pictures or links that run scripts", () => {
    const text =
      "##\n\n# Title\n\n<b onclick=x>raw</b> ![pixel](https://spy.example/p.png) [run](javascript:alert(1)) [web](https://a.example)\n\n| a |\n|---|\n| **b** |";
    const html = String(rendered(text));
    expect(html).toContain("<h2>Title</h2>");
    expect(html).toContain("<strong>b</strong>");
    expect(html).toContain('<a href="https://a.example" target="_blank" rel="noreferrer noopener">web</a>');
    expect(html).not.toMatch(/<img|<b |javascript:alert\(1\)"|spy\.example/);
  });
});

describe("V-10 times and amounts", () => {
  test("V-10 a whole day is the same day in every zone, and an event appears on each day that it lasts", () => {
    const roles = { time: "starts", end: "ends", title: "title", all_day: "all_day" };
    const data = { starts: "2026-06-02T00:00:00Z", ends: "2026-06-04T00:00:00Z", title: "Fair", all_day: true };
    for (const zone of ["Pacific/Honolulu", "UTC", "Pacific/Auckland"]) {
      const fair = item("event", roles, data);
      const frame = frameIn(zone);
      expect(dayOf(fair, frame.times)).toBe("2026-06-02");
      expect([...byDay([fair], calendarSpan("month", "2026-06-01"), frame).keys()]).toEqual([
        "2026-06-02",
        "2026-06-03",
      ]);
      expect(String(partsOf(fair, frame).aside)).toBe("All day");
      expect(frame.times.birthday("1989-06-02")).toBe("2 June 1989");
      expect(String(frame.times.instant("2026-06-02"))).toContain(">2 Jun 2026<");
    }
  });

  test("I-07 a video plays on its page, and without a thumbnail the grid shows its first frame and its length", () => {
    const roles = { title: "name", picture: "picture", thumbnail: "thumbnail", duration: "duration_seconds" };
    const blob = (id: string, mime_type: string) => ({
      blob_id: `blob_${id}`,
      mime_type,
      size_bytes: 9,
      sha256: "0".repeat(64),
    });
    const data = { name: "clip.mov", picture: blob("a", "video/quicktime"), duration_seconds: 75 };
    const shown = (one: KindItem) => [
      String(KIND_VIEWS.photo.page(one, { ...dublin, around: [one], readOn: {} })),
      String(photoGrid([one], dublin)),
    ];
    const [page, grid] = shown(item("photo", roles, data));
    expect(page).toMatch(
      /<video src="[^"]+blob_a[^"]*" controls playsinline preload="metadata" aria-label="clip.mov">/,
    );
    expect(grid).toMatch(
      /<video src="[^"]+blob_a[^"]*"[^>]* preload="metadata" muted[^>]*><\/video><span class="photo-length">1/,
    );
    const [poster, tile] = shown(item("photo", roles, { ...data, thumbnail: blob("b", "image/jpeg") }));
    expect(poster).toMatch(/<video [^>]* poster="[^"]+blob_b/);
    expect(tile).toMatch(/<img src="[^"]+blob_b/);
    // The script shows pictures over the page, but a video opens on its own page.
    expect(tile).not.toMatch(/<video|data-picture/);
  });

  test("V-10 a photo shows the local time of the place where it was taken", () => {
    const taken = { at: "2026-06-20T11:13:00+01:00", isDay: false };
    expect(String(frameIn("America/New_York").times.wall(taken))).toContain("20 Jun 2026, 11:13");
  });

  test("V-10 amounts have a sign, a symbol and the decimals of their currency", () => {
    expect(moneyWords(-29.2, "EUR")).toBe("−€29.20");
    expect(moneyWords(1200, "GBP")).toBe("+£1,200.00");
    expect(moneyWords(-1500, "JPY")).toBe("−¥1,500");
    expect(moneyWords(0, "EUR")).toBe("€0.00");
    expect(moneyWords(-0.001, "EUR")).toBe("€0.00");
    expect(moneyWords(-29.2, undefined)).toBe("−29.20");
    expect(moneyWords(-29.2, "not a currency")).toBe("−29.20 not a currency");
  });
});
