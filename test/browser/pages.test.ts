// The sign-in and consent pages in a real Chromium: readable, usable with the keyboard, and unaffected by hostile
// names.
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { asset, stylesheetPath } from "../../src/surfaces/web/assets.ts";
import { consentAnswer } from "../../src/surfaces/web/pages/consent-view.ts";
import {
  axeViolations,
  follow,
  inEachView,
  screenshot,
  sidewaysScroll,
  startBrowser,
  type TestBrowser,
  tabTo,
  unfold,
} from "./browser.ts";
import { PAGES } from "./page-list.ts";
import { HOSTILE_NAMES } from "./page-samples.ts";
import { type PageServer, servePages } from "./page-server.ts";

/** A page with violations that the checks must find. */
const BROKEN =
  "<!doctype html><title>Broken</title><p style='color:red'>x<script>1</script><input><img src='http://localhost:9/x.png'>";

let server: PageServer;
let browser: TestBrowser;

beforeAll(async () => {
  server = await servePages({ ...PAGES, broken: () => BROKEN });
  browser = await startBrowser();
});
afterEach(() => browser.closePages());
afterAll(async () => {
  await browser.close();
  await server.close();
});

const at = (name: string): string => `${server.url}/pages/${name}`;

describe("every page", () => {
  /** These pages differ from others only in having 200 connections or another hostile name. */
  const SEEN_ELSEWHERE = /^(picker-200|hostile-(?!long|blank).+|(device|held)-hostile-(?!long).+)$/;

  it.each(Object.keys(PAGES).filter((name) => !SEEN_ELSEWHERE.test(name)))(
    "%s has no axe violations, CSP violations or console errors in light and dark, at 360 and 1280 px",
    async (name) => {
      const { page, complaints, foreignRequests } = await browser.open(at(name));
      await unfold(page);
      await inEachView(page, async (view) => {
        expect(await sidewaysScroll(page)).toBe(0);
        expect(await axeViolations(page, view)).toEqual([]);
        if (process.env.POSTERN_SCREENSHOTS) await screenshot(page, `${name}-${view.scheme}-${view.width}`);
      });
      expect(complaints).toEqual([]);
      expect(foreignRequests).toEqual([]);
    },
  );
});

describe("the checks of these tests", () => {
  it.each([true, false])("find the known faults; JavaScript %s", async (javaScript) => {
    const { page, complaints, foreignRequests } = await browser.open(at("broken"), { javaScript });
    expect(complaints.join("\n")).toMatch(/style-src/);
    if (javaScript) expect(complaints.join("\n")).toMatch(/script-src/);
    expect(complaints.join("\n")).toMatch(/img-src/);
    expect(foreignRequests).toEqual(["http://localhost:9/x.png"]);
    if (javaScript) expect((await axeViolations(page)).join("\n")).toMatch(/^label:/m);
  });
});

describe("the checks in every view", () => {
  it("find pale text that appears only at the second width", async () => {
    const { page } = await browser.open(at("login"));
    await page.evaluate("document.querySelector('h1').style.color = '#eee'");
    const found: string[] = [];
    await inEachView(page, async (view) => {
      await page.evaluate(`document.querySelector('h1').hidden = ${view.width === 360}`);
      for (const line of await axeViolations(page, view))
        if (line.startsWith("color-contrast: ")) found.push(`${view.scheme} ${view.width} ${line}`);
    });
    expect(found).toEqual([expect.stringMatching(/^light 1280 .*<h1/)]);
  });
});

describe("a frame on another site", () => {
  it("shows no consent page", async () => {
    const foreign = await servePages({});
    const { page } = await browser.open(`${foreign.url}/frame?of=${encodeURIComponent(at("consent"))}`);
    await page.locator("iframe").waitFor();
    const [framed] = page.frames().slice(1);
    expect(await framed!.locator("button").count()).toBe(0);
    expect(framed!.url()).not.toContain("/pages/consent");
    await foreign.close();
  });
});

describe("the consent form", () => {
  it("X-07 works without JavaScript: connection, stream, field, time and duration can be narrowed", async () => {
    const { page, complaints } = await browser.open(at("consent"), { javaScript: false, width: 360 });
    await page.getByRole("checkbox", { name: /^Events Optional 1,931 records/ }).check();
    await page.getByText("All 6 fields of Events").click();
    await page.getByLabel("Attendees").uncheck();
    await page.getByLabel("From").fill("2025-03-01");
    await page.getByLabel("1 hour").check();
    await follow(page.getByRole("button", { name: "Allow" }));
    expect(await page.title()).toBe("Answered");
    expect(consentAnswer(server.answers.at(-1)!)).toEqual({
      decision: "allow",
      csrf: "c5rf",
      digest: "sha256-abc",
      extent: "choose",
      except: [],
      connections: [],
      replaces: false,
      streams: [
        {
          connectionId: "cin_slack1",
          stream: "messages",
          fields: ["text", "author", "channel_id", "reactions", "attachments"],
        },
        { connectionId: "cin_cal1", stream: "events", fields: ["title", "place", "description"] },
      ],
      may: [],
      since: "2025-03-01",
      until: undefined,
      duration: "1h",
      aiTraining: false,
    });
    expect(complaints).toEqual([]);
  });

  it("X-07 shows live counts, time span and samples of every stream, and preselects nothing optional", async () => {
    const { page } = await browser.open(at("consent"), { javaScript: false });
    const messages = page.locator(".stream").first();
    expect(await messages.locator(".stream-figures").innerText()).toMatch(/12,408 records\s+3 Jan 2019 – 20 Sep 2025/);
    expect(await page.getByText("The damp is worse").isVisible()).toBe(false);
    await follow(messages.getByText("3 samples"));
    expect(await page.getByText("The damp is worse").isVisible()).toBe(true);
    const ticked = await page.locator(".stream:has(input[name=stream]:checked)").allInnerTexts();
    expect(ticked).toHaveLength(1);
    expect(ticked[0]).toContain("Required");
  });

  it("S-01 the file consent form works without JavaScript: roots, powers and duration can be narrowed", async () => {
    const { page, complaints } = await browser.open(at("files"), { javaScript: false, width: 360 });
    const looking = page.getByRole("checkbox", { name: /^Look through them/ });
    expect([await looking.isChecked(), await looking.isDisabled()]).toEqual([true, true]);
    await page.getByRole("checkbox", { name: /^\/home\/mara\/Documents/ }).check();
    await page.getByRole("checkbox", { name: /^Start scans/ }).uncheck();
    await page.getByRole("checkbox", { name: /^Download files/ }).check();
    await page.getByLabel("1 hour").check();
    await follow(page.getByRole("button", { name: "Allow" }));
    expect(consentAnswer(server.answers.at(-1)!)).toMatchObject({
      decision: "allow",
      streams: [{ connectionId: "cin_photos" }, { connectionId: "cin_papers" }],
      may: ["curate", "download"],
      duration: "1h",
    });
    expect(complaints).toEqual([]);
  });

  it("S-01 with JavaScript, the file consent form counts folders, and files if their number is known", async () => {
    const { page, complaints } = await browser.open(at("files"));
    const summary = page.locator(".summary");
    expect(await summary.innerText()).toBe("1 folder, 41,208 files. Nothing else.");
    await page.getByRole("checkbox", { name: /^\/home\/mara\/Documents/ }).check();
    expect(await summary.innerText()).toBe("2 folders. Nothing else.");
    expect(complaints).toEqual([]);
  });

  it("can be allowed or denied with the keyboard alone, and both buttons have the same size", async () => {
    for (const decision of ["deny", "allow"]) {
      const { page } = await browser.open(at("consent"), { javaScript: false });
      await tabTo(page, `button[value=${decision}]`);
      const [deny, allow] = await page.locator(".buttons button").all();
      const [first, second] = [(await deny!.boundingBox())!, (await allow!.boundingBox())!];
      expect([first.width, first.height]).toEqual([second.width, second.height]);
      const outline = await page.evaluate("getComputedStyle(document.activeElement).outlineStyle");
      expect(outline).toBe("solid");
      await page.keyboard.press("Enter");
      await page.waitForURL(`${server.url}/answer`);
      expect(consentAnswer(server.answers.at(-1)!)).toMatchObject({ decision });
    }
  });

  it("can be narrowed with the keyboard alone: sections open, fields are unticked, a stream is ticked", async () => {
    const { page } = await browser.open(at("consent"), { javaScript: false });
    await tabTo(page, ".fields > summary");
    await page.keyboard.press("Enter");
    await tabTo(page, "input[value=text]");
    await page.keyboard.press("Space");
    await tabTo(page, "input[name=stream][value='cin_cal1/events']");
    await page.keyboard.press("Space");
    await tabTo(page, "input[name=duration]");
    await page.keyboard.press("ArrowUp");
    await tabTo(page, "button[value=allow]");
    await page.keyboard.press("Enter");
    await page.waitForURL(`${server.url}/answer`);
    const { streams, duration } = consentAnswer(server.answers.at(-1)!);
    expect(streams.map(({ stream }) => stream)).toEqual(["messages", "events"]);
    expect(streams[0]!.fields).not.toContain("text");
    expect(duration).toBe("1d");
  });

  it("treats Return in a text box as a denial, so that nothing is allowed by accident", async () => {
    const { page } = await browser.open(at("consent"), { javaScript: false });
    await page.getByRole("checkbox", { name: /^Messages/ }).press("Enter");
    await page.waitForURL(`${server.url}/answer`);
    expect(consentAnswer(server.answers.at(-1)!)).toMatchObject({ decision: "deny" });
  });

  it("sends the training consent only if its box is ticked", async () => {
    for (const ticked of [false, true]) {
      const { page } = await browser.open(at("training"), { javaScript: false });
      const box = page.getByRole("checkbox", { name: /^Train AI models/ });
      expect(await box.isChecked()).toBe(false);
      if (ticked) await box.check();
      await follow(page.getByRole("button", { name: "Allow" }));
      expect(consentAnswer(server.answers.at(-1)!).aiTraining).toBe(ticked);
    }
  });

  it("summarises the selection, offers presets and submits a small form, with JavaScript", async () => {
    const { page, complaints } = await browser.open(at("consent"));
    const summary = page.locator(".summary");
    expect(await summary.innerText()).toBe("At most 12,408 messages. Nothing else.");
    await page.getByLabel("From").fill("");
    const whole = page.getByRole("checkbox", { name: /^Slack Lindqvist/ });
    await whole.check();
    expect(await summary.innerText()).toBe("12,408 messages and 42 conversations. Nothing else.");
    await whole.uncheck();
    await page.getByRole("checkbox", { name: /^Messages/ }).uncheck();
    expect(await summary.innerText()).toBe("Nothing is chosen yet.");
    await page.getByRole("radio", { name: /^Everything it asks for 2/ }).check();
    expect(await summary.innerText()).toBe("12,408 messages, 1,931 events and 42 conversations. Nothing else.");
    await page.getByRole("radio", { name: /except/ }).check();
    await page.getByRole("checkbox", { name: /^mara@example/ }).check();
    expect(await summary.innerText()).toBe("12,408 messages and 42 conversations. Nothing else.");
    await page.getByRole("radio", { name: /^Choose/ }).check();
    await page.getByRole("checkbox", { name: /^Messages/ }).check();
    await page.getByText("All 7 fields of Messages").click();
    await follow(page.getByRole("button", { name: "Without reactions" }));
    expect(await page.locator(".chosen-fields").first().innerText()).toBe("5 of 7 fields");
    // The page asks for the sentence about the new fields, which another click could still overtake.
    const answers = (decision: string) => server.answers.filter((one) => one.get("decision") === decision);
    const lookedAt = () => consentAnswer(answers("look").at(-1)!).streams[0]?.fields;
    await expect.poll(lookedAt).toEqual(["text", "author", "channel_id"]);
    await page.getByRole("button", { name: "Allow" }).click();
    await page.waitForURL(`${server.url}/answer`);
    const sent = answers("allow").at(-1)!;
    expect([...sent.keys()].filter((name) => name.startsWith("field:cin_cal1"))).toEqual([]);
    expect(consentAnswer(sent).streams).toEqual([
      { connectionId: "cin_slack1", stream: "messages", fields: ["text", "author", "channel_id"] },
    ]);
    expect(complaints).toEqual([]);
  });

  it("shows 200 connections as one screen of groups, finds one by name, and grants only that one", async () => {
    const { page } = await browser.open(at("picker-200"));
    expect(await page.locator(".group[open]").count()).toBe(0);
    expect(await page.evaluate("document.documentElement.scrollHeight")).toBeLessThan(2000);
    // Uses selectors instead of roles and labels, because Playwright takes seconds to compute those for 4,000 boxes.
    const filter = page.locator(".find-connection input");
    await filter.fill("mail-17@");
    expect(await page.locator(".connection:visible").count()).toBe(1);
    await filter.press("Enter");
    await page.locator(".connection:visible > .parts > summary").click();
    await page.locator(".connection:visible input[value='cin_1_16/messages']").check();
    await page.locator("button[value=allow]").click();
    await page.waitForURL(`${server.url}/answer`);
    expect(consentAnswer(server.answers.at(-1)!).streams.map(({ connectionId }) => connectionId)).toEqual(["cin_1_16"]);
  });
});

describe("hostile names", () => {
  it("S-13 folder names stay on one line of text each, with control characters made visible", async () => {
    const { page, complaints } = await browser.open(at("files-hostile-roots"), { width: 360 });
    expect(await page.title()).not.toBe("taken");
    const names = await page.locator(".connection .name bdi").allInnerTexts();
    expect(names.slice(0, 2)).toEqual([
      "/srv/\ufffdgnp.exe\ufffd/\u05e9\u05dc\u05d5\u05dd",
      "/srv/a Allow everything\ufffd\ufffd[31m",
    ]);
    expect(names.every((name) => name.length <= 400)).toBe(true);
    expect(complaints).toEqual([]);
  });

  it.each(Object.keys(HOSTILE_NAMES))("the name %s stays text inside its element", async (name) => {
    const { page, complaints } = await browser.open(at(`hostile-${name}`), { width: 360 });
    await unfold(page);
    expect(await page.locator("h1").innerText()).toBe("An unverified app");
    expect(await page.locator(".asker .badge").allInnerTexts()).toEqual(["Unverified"]);
    expect(await page.locator("script:not([src]), img, [onfocus], [onerror], [autofocus]").count()).toBe(0);
    expect(await page.evaluate("document.body.innerText")).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u200b-\u200f]/);
    expect(await page.title()).toMatch(/ is asking to read your data · Postern$/);
    const line = await page.locator(".who-claim").boundingBox();
    expect(line!.height).toBeLessThan(240);
    expect(await sidewaysScroll(page)).toBe(0);
    expect(complaints).toEqual([]);
  });

  it.each([
    ["device", "Did you start this?"],
    ["held", "This request cannot be completed"],
  ])(
    "SECURITY row 7: each name stays quoted text on the %s page and is never called verified",
    async (kind, heading) => {
      const { page, complaints } = await browser.open(at(`${kind}-hostile-override`), { width: 360 });
      for (const name of Object.keys(HOSTILE_NAMES)) {
        await page.goto(at(`${kind}-hostile-${name}`));
        expect(await page.locator("h1").allInnerTexts(), name).toEqual([heading]);
        expect(await page.title(), name).toBe(`${heading} · Postern`);
        expect(await page.locator(".badge").count(), name).toBe(0);
        expect(await page.locator("script:not([src]), img, [onfocus], [onerror], [autofocus]").count(), name).toBe(0);
        expect(await page.locator("q").count(), name).toBe(name === "blank" ? 0 : 1);
        const text = (await page.evaluate("document.body.innerText")) as string;
        expect(text, name).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u200b-\u200f]/);
        expect(text, name).toContain("Nothing proves this");
        expect(
          (
            await page
              .locator("p", { has: page.locator("bdi") })
              .last()
              .boundingBox()
          )?.height ?? 0,
          name,
        ).toBeLessThan(300);
        expect(await sidewaysScroll(page), name).toBe(0);
      }
      for (const [name, warning] of [
        ["cyrillic", "look-alike letters from different alphabets"],
        ["badge", "The app chose these words"],
      ] as const) {
        await page.goto(at(`${kind}-hostile-${name}`));
        expect(await page.locator(".name-warnings").innerText()).toContain(warning);
      }
      expect(complaints).toEqual([]);
    },
  );

  it("names that imitate other apps or this page are labelled as such", async () => {
    const warnings = async (name: string): Promise<string> => {
      const { page } = await browser.open(at(`hostile-${name}`));
      const texts = await page.locator(".name-warnings").allInnerTexts();
      return texts.join(" ");
    };
    expect(await warnings("cyrillic")).toContain("look-alike letters from different alphabets");
    expect(await warnings("badge")).toContain("The app chose these words");
    expect(await warnings("long")).toBe("");
  });

  it("do not affect form fields: ids are submitted unchanged", async () => {
    const { page } = await browser.open(at("hostile-attribute"), { javaScript: false });
    await page.getByRole("button", { name: "Allow" }).click();
    const { streams } = consentAnswer(server.answers.at(-1)!);
    expect(streams).toEqual([
      { connectionId: HOSTILE_NAMES.attribute, stream: "messages", fields: [HOSTILE_NAMES.attribute] },
    ]);
  });
});

describe("the stylesheet", () => {
  it("is at most 14 KB when sent, and loads nothing else", () => {
    const { body, gzip } = asset(stylesheetPath)!;
    expect(gzip().length).toBeLessThanOrEqual(14 * 1024);
    expect(body).not.toMatch(/url\(|@import/);
  });
});
