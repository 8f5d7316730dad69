// Text that would attack a page, a template, a terminal or a spreadsheet, and a check that finds pages where an attack
// succeeded.

/** Each attack would set `__hit`, contact a foreign host, or run in a spreadsheet. */
export const HOSTILE: readonly string[] = [
  "<script>window.__hit=1</script>",
  `"><img src=x onerror="window.__hit=1">`,
  "'-(window.__hit=1)-' autofocus onfocus='window.__hit=1",
  "</pre></dd></title></textarea></script><svg onload=window.__hit=1>",
  `<svg><animate onbegin="window.__hit=1" attributeName=x dur=1s></svg>`,
  "javascript:window.__hit=1//",
  `<a href="java&#9;script:window.__hit=1" target=_blank>a link</a>`,
  `<iframe srcdoc="<script>parent.__hit=1</script>"></iframe>`,
  "<style>@import url(https://foreign.example/__hit.css);body{background:url(https://foreign.example/__hit)}</style>",
  `<div style="position:fixed;inset:0;background:url(//foreign.example/__hit)">over all</div>`,
  `<math><mtext><mglyph><style><!--</style><img title="--><img src=1 onerror=window.__hit=1>">`,
  `<meta http-equiv=refresh content="0;url=https://foreign.example/__hit"><base href=https://foreign.example/__hit/>`,
  "<form action=https://foreign.example/__hit><button autofocus onfocus=window.__hit=1>",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: what a template engine would fill in.
  "{{constructor.constructor('window.__hit=1')()}} ${window.__hit=1} <%= window.__hit=1 %>",
  "\u202e<\u200bscript>window.__hit=1</script> \uff1cscript\uff1ewindow.__hit=1\uff1c/script\uff1e",
  "&lt;script&gt;window.__hit=1&lt;/script&gt;&#60;img src=x onerror=window.__hit=1&#62;",
  `=HYPERLINK("https://foreign.example/__hit","x")`,
  "+cmd|' /C __hit'!A0",
  "-2+3+__hit",
  "@SUM(__hit)",
];

/** For file and person names, which can contain neither a slash nor a quote. */
export const NAME = "<img src=x onerror=window.__hit=1>";

/** Returns true if the text contains an attack. Some importers turn underscores into spaces. */
export const attacks = (text: string): boolean => /(?:__| {2})hit/.test(text);

/** Returns one attack by index, so that the fields of a record differ. */
export const hostile = (index: number): string => HOSTILE[index % HOSTILE.length]!;

/** An attack in a URL that closes the attribute and adds a handler. */
export const hostileUrl = (index: number): string =>
  `https://foreign.example/${index}?"'><img/src=x/onerror=window.__hit=1>`;

export interface Seen {
  hit: boolean;
  violations: string[];
  /** The visible text, without collapsed or hidden parts. */
  text: string;
  handlers: number;
  planted: number;
}

/** Runs in the page from the start, and records CSP violations. */
export const WATCH_POLICY = `document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) =>
  (window.__violations ??= []).push(violatedDirective + " " + blockedURI))`;

/** Runs in the page. It opens collapsed sections and looks for the effects of an attack. */
export const LOOK = `(() => {
  for (const details of document.querySelectorAll("details")) details.open = true;
  return {
    hit: "__hit" in window,
    violations: window.__violations ?? [],
    text: document.body.innerText,
    handlers: [...document.querySelectorAll("*")].filter(({ attributes }) =>
      [...attributes].some(({ name, value }) =>
        name.startsWith("on") || (/^(?:.*href|src|.*action|data|srcdoc|poster)$/.test(name) && /^\\s*java\\s*script:/i.test(value)),
      ),
    ).length,
    planted: document.querySelectorAll("iframe, math, base, object, embed, meta[http-equiv], [src*='__hit'], link[href*='foreign.example'], form[action*='foreign.example']").length,
  };
})()`;

/** Ignores white space and letter case, because the stylesheet can change both. */
export const flat = (text: string): string => text.replace(/\s+/g, " ").trim().toLowerCase();
