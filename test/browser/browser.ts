// A real Chromium for tests: pages with and without JavaScript, light and dark, narrow and wide, operated by keyboard,
// and checked by axe.
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type Browser, type BrowserContext, type Locator, type Page, chromium as playwright } from "playwright-core";
import { onceInRun } from "../once-in-run.ts";

const require = createRequire(import.meta.url);
const MODULES = fileURLToPath(new URL("../../node_modules", import.meta.url));
const CACHE = join(MODULES, ".cache/postern");
/**
 * Lets Chromium run as root without a GPU, with the same font rendering everywhere. The package's default flags would
 * disable web security.
 */
const FLAGS = ["--no-sandbox", "--disable-gpu", "--font-render-hinting=none"];
/** Ends a test whose browser hangs. No page takes this long, even on a busy machine. */
const PATIENCE_MS = 240_000;

export const SCHEMES = ["light", "dark"] as const;
export const WIDTHS = [360, 1280] as const;

export interface View {
  scheme?: (typeof SCHEMES)[number];
  width?: (typeof WIDTHS)[number];
  javaScript?: boolean;
  /** The browser's time zone; defaults to the machine's. */
  zone?: string;
}

const viewport = (width: (typeof WIDTHS)[number]) => ({ width, height: width === 360 ? 740 : 800 });

/** A page whose errors are recorded. */
export interface WatchedPage {
  page: Page;
  /** CSP violations, console errors and uncaught exceptions. */
  complaints: string[];
  /** Other origins that the page sent requests to. */
  foreignRequests: string[];
}

export interface TestBrowser {
  open(url: string, view?: View): Promise<WatchedPage>;
  /** A separate browser profile: only its pages share cookies. */
  context(view?: View): Promise<BrowserContext>;
  /** Closes everything that was opened. Call it after each test, whether it passed or failed. */
  closePages(): Promise<void>;
  close(): Promise<void>;
}

/** How long the browser stays open for the process's next test file. */
const KEPT_MS = 5_000;
let shared: { browser: Promise<Browser>; users: number; closing?: NodeJS.Timeout } | undefined;

/** Returns this process's browser and a function that releases it. */
async function borrow(): Promise<{ browser: Browser; giveBack(): void }> {
  shared ??= { browser: launch(), users: 0 };
  const own = shared;
  clearTimeout(own.closing);
  own.users++;
  const browser = await own.browser;
  browser.once("disconnected", () => {
    if (shared === own) shared = undefined;
  });
  return {
    browser,
    giveBack() {
      if (--own.users > 0) return;
      own.closing = setTimeout(() => {
        shared = undefined;
        void browser.close();
      }, KEPT_MS);
    },
  };
}

async function launch(): Promise<Browser> {
  const place = await unpacked();
  return playwright.launch({
    executablePath: join(place, "chromium"),
    args: FLAGS,
    env: { ...process.env, FONTCONFIG_FILE: join(place, "fonts.conf") },
  });
}

export async function startBrowser(): Promise<TestBrowser> {
  const { browser, giveBack } = await borrow();
  const contexts = new Set<BrowserContext>();
  const closePages = async (): Promise<void> => {
    await Promise.all([...contexts].map((opened) => opened.close()));
    contexts.clear();
  };
  const context = async (view: View = {}): Promise<BrowserContext> => {
    const opened = await browser.newContext({
      viewport: viewport(view.width ?? 1280),
      colorScheme: view.scheme ?? "light",
      javaScriptEnabled: view.javaScript ?? true,
      ...(view.zone === undefined ? {} : { timezoneId: view.zone }),
      reducedMotion: "reduce",
    });
    contexts.add(opened);
    opened.setDefaultTimeout(PATIENCE_MS);
    return opened;
  };
  return {
    context,
    async open(url, view) {
      const watched = await watch(await context(view), url);
      await watched.page.goto(url);
      return watched;
    },
    closePages,
    async close() {
      await closePages();
      giveBack();
    },
  };
}

/**
 * An owner types addresses without the browser's key. Tests need the key, so this adds it to the addresses that they
 * open.
 */
export function typeWithKey(context: BrowserContext, origin: string, key: string): void {
  const newPage = context.newPage.bind(context);
  context.newPage = async () => {
    const page = await newPage();
    const goto = page.goto.bind(page);
    page.goto = (url, options) =>
      goto(
        /^\/(?:dashboard|login|oauth)/.test(url.slice(origin.length)) && url.startsWith(origin)
          ? `${origin}/~${key}${url.slice(origin.length)}`
          : url,
        options,
      );
    return page;
  };
}

export async function watch(context: BrowserContext, url: string): Promise<WatchedPage> {
  const page = await context.newPage();
  const complaints: string[] = [];
  const foreignRequests: string[] = [];
  // Chromium reports CSP violations on the console, even for a page that runs no script.
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("request", (request) => {
    const asked = new URL(request.url());
    if (asked.protocol !== "data:" && asked.origin !== new URL(url).origin) foreignRequests.push(asked.href);
  });
  return { page, complaints, foreignRequests };
}

/** Chromium and its fonts, unpacked once per checkout. */
async function unpacked(): Promise<string> {
  const manifest = readFileSync(join(MODULES, "@sparticuz/chromium/package.json"), "utf8");
  const { version } = JSON.parse(manifest) as { version: string };
  const place = join(CACHE, `chromium-${version}`);
  await onceInRun(
    "chromium",
    () => existsSync(place),
    () => unpackInto(place),
  );
  return place;
}

async function unpackInto(place: string): Promise<void> {
  mkdirSync(CACHE, { recursive: true });
  const aside = mkdtempSync(join(CACHE, "chromium-aside-"));
  // The package unpacks into the temporary directory and treats existing files there as complete. So it runs in a
  // separate process with an empty directory, where nothing else writes temporary files.
  const unpack = 'import("@sparticuz/chromium").then(({ default: chromium }) => chromium.executablePath())';
  await promisify(execFile)(process.execPath, ["--eval", unpack], {
    cwd: MODULES,
    env: { ...process.env, TMPDIR: aside },
  });
  // Every machine uses the same fonts, and its own fonts only for missing characters.
  writeFileSync(
    join(aside, "fonts.conf"),
    `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig><dir>${place}/fonts</dir><dir>/usr/share/fonts</dir><cachedir>${place}/fonts-cache</cachedir></fontconfig>`,
  );
  try {
    renameSync(aside, place);
  } catch (error) {
    // Another test run unpacked it first.
    rmSync(aside, { recursive: true, force: true });
    if (!existsSync(place)) throw error;
  }
}

/** Clicks a link and waits for its page, because a click returns as soon as the page starts to load. */
export async function follow(target: Locator): Promise<void> {
  await target.click();
  await target.page().waitForLoadState();
}

let axeSource: string | undefined;

/** The view in which inEachView shows a page. */
export type EachView = Required<Omit<View, "javaScript" | "zone">>;

/**
 * The kinds of elements whose colours were checked in this process. The colour rules take longer than all other rules
 * together, and an element has the same colours on every page and at every width (styles/tokens.css), so each kind is
 * checked once per scheme.
 */
const coloured = new Set<string>();

/**
 * Returns axe-core violations, one per line. The axe script is injected through the debugger, so the page's CSP stays
 * unchanged. The dark views of inEachView check only colours, because the dark scheme changes nothing else; its second
 * width checks only colours too if the same elements are visible. Of siblings with the same structure, such as the
 * rows of a table, axe checks two.
 */
export async function axeViolations(page: Page, view?: EachView): Promise<string[]> {
  axeSource ??= readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
  if (!(await page.evaluate("'axe' in globalThis"))) await page.evaluate(axeSource);
  const rules = view === undefined ? "all" : view.scheme === "dark" ? "colours" : "all in a new layout";
  const { violations, kinds } = (await page.evaluate(
    `(${AXE})(${JSON.stringify(rules)}, new Set(${JSON.stringify([...coloured])}))`,
  )) as { violations: string[]; kinds: string[] };
  if (violations.length === 0) for (const kind of kinds) coloured.add(kind);
  return violations;
}

/**
 * Runs in the page. An element's kind is the tags and attributes of the element, of the sibling before it and of all
 * elements around it, because styles depend on these.
 */
const AXE = `async (rules, coloured) => {
  const colours = ["color-contrast", "link-in-text-block"];
  const content = ["alt", "aria-label", "datetime", "for", "href", "id", "name", "placeholder", "src", "title", "value"];
  const states = [":checked", ":disabled", ":focus", ":target"];
  const lookOf = (element) => element === null ? "" : [element.tagName, ...[...element.attributes]
    .map(({ name, value }) => name + (content.includes(name) ? "" : "=" + value)).sort(),
    ...states.filter((state) => element.matches(state))].join(" ");
  const hash = (text) => {
    let [one, other] = [0x811c9dc5, 0x9e3779b9];
    for (let at = 0; at < text.length; at++) {
      one = Math.imul(one ^ text.charCodeAt(at), 0x01000193);
      other = Math.imul(other ^ text.charCodeAt(at), 0x85ebca6b);
    }
    return (one >>> 0).toString(36) + (other >>> 0).toString(36);
  };
  const sheets = [...document.styleSheets].map(({ href }) => href && new URL(href).pathname).join(" ");
  const kinds = new Map([[null, matchMedia("(prefers-color-scheme: dark)").matches + sheets]]);
  const kindOf = (element) => {
    if (!kinds.has(element)) kinds.set(element,
      hash(kindOf(element.parentElement) + lookOf(element.previousElementSibling) + ">" + lookOf(element)));
    return kinds.get(element);
  };
  const hasText = (element) => element.matches("button, input, select, textarea") ||
    [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim() !== "");
  const fresh = new Map();
  for (const element of document.querySelectorAll("body *:not(option, optgroup)"))
    if (hasText(element) && element.checkVisibility() && !coloured.has(kindOf(element)) && !fresh.has(kindOf(element)))
      fresh.set(kindOf(element), element);
  const shapes = new Map();
  const shapeOf = (element) => {
    if (!shapes.has(element))
      shapes.set(element, hash(lookOf(element) + hasText(element) + [...element.children].map(shapeOf).join()));
    return shapes.get(element);
  };
  const repeatsIn = (parent) => {
    const counts = new Map();
    return [...parent.children].flatMap((child) => {
      const count = (counts.get(shapeOf(child)) ?? 0) + 1;
      counts.set(shapeOf(child), count);
      return count > 2 ? [child] : repeatsIn(child);
    });
  };
  const layout = () => hash([...document.querySelectorAll("body *")]
    .map((element) => Number(element.checkVisibility()) + 2 * Number(element.scrollWidth > element.clientWidth)).join(""));
  const isKnown = rules === "all in a new layout" && axe.knownLayout === layout();
  if (rules === "all in a new layout") axe.knownLayout = layout();
  const check = async (context, options) => {
    const { violations } = await axe.run(context, {
      ...options,
      resultTypes: ["violations"],
      iframes: false,
      xpath: false,
      selectors: false,
    });
    return violations.map(({ id, help, nodes }) => id + ": " + help + ": " + nodes.map(({ html }) => html).join(" | "));
  };
  const others = { rules: Object.fromEntries(colours.map((rule) => [rule, { enabled: false }])) };
  return {
    violations: [
      ...(rules === "colours" || isKnown ? [] : await check({ include: [document], exclude: repeatsIn(document.body) }, others)),
      ...(fresh.size === 0 ? [] : await check([...fresh.values()], { runOnly: { type: "rule", values: colours } })),
    ],
    kinds: [...fresh.keys()],
  };
}`;

/**
 * Shows an open page in every scheme and width in turn. Reloading it for each view would take several times as long.
 */
export async function inEachView(page: Page, look: (view: EachView) => Promise<void>) {
  for (const width of WIDTHS) {
    await page.setViewportSize(viewport(width));
    for (const scheme of SCHEMES) {
      await page.emulateMedia({ colorScheme: scheme });
      await look({ scheme, width });
    }
  }
}

/** Returns how far the page can be scrolled sideways. */
export function sidewaysScroll(page: Page): Promise<number> {
  return page.evaluate(
    "document.documentElement.scrollWidth - document.documentElement.clientWidth",
  ) as Promise<number>;
}

let folder: string | undefined;

/** Takes a full-page screenshot for people to look at, and returns its path. */
export async function screenshot(page: Page, name: string): Promise<string> {
  folder ??= process.env.POSTERN_SCREENSHOTS ?? mkdtempSync(join(tmpdir(), "postern-screenshots-"));
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${name}.png`);
  await page.screenshot({ path, fullPage: true });
  return path;
}

/** Presses Tab until the element has focus. Fails if it never does. */
export async function tabTo(page: Page, selector: string, presses = 200): Promise<void> {
  const focused = `document.activeElement.matches(${JSON.stringify(selector)})`;
  for (let press = 0; press < presses; press++) {
    await page.keyboard.press("Tab");
    if (await page.evaluate(focused)) return;
  }
  throw new Error(`${presses} presses of Tab never reached ${selector}`);
}

/** Opens all collapsed sections, so that they are checked too. */
export async function unfold(page: Page): Promise<void> {
  await page.evaluate("for (const details of document.querySelectorAll('details')) details.open = true");
}
