// Hostile app names are reduced to a short line of visible text.
import { describe, expect, it } from "vitest";
import { claimsTrust, cleanDisplayName, looksConfusable } from "./display-name.ts";

const zalgo = [..."Claude"].map((letter) => letter + "\u0301\u0316\u0332\u0345\u0489".repeat(20)).join("");

describe("cleanDisplayName", () => {
  it.each([
    ["plain", "Claude", "Claude"],
    ["right-to-left override", "Claude\u202egnp.exe", "Claudegnp.exe"],
    ["isolates and marks", "\u2066Cla\u200fude\u2069", "Claude"],
    ["zero-width", "Cl\u200ba\u200cu\u200dd\u2060e\ufeff", "Claude"],
    ["soft hyphen and filler", "Cla\u00adude\u3164", "Claude"],
    ["tag characters", "Claude\u{e0041}\u{e0042}", "Claude"],
    ["controls", "Cla\u0000u\u0007de\u001b[31m", "Cla u de [31m"],
    ["line breaks", "Claude\r\n\r\nVerified by Postern", "Claude Verified by Postern"],
    ["unicode spaces", "\u3000 Claude \u2003\u2800 App ", "Claude App"],
    ["lone surrogates", "Cl\ud800aude", "Cl\ufffdaude"],
    ["full width and mathematical letters", "\uff23\uff4c\uff41\uff55\uff44\uff45 \u{1d402}ode", "Claude Code"],
    ["quotes that would close ours", "Claude” (verified) “x", "Claude' (verified) 'x"],
    ["ticks and locks", "Claude ✓✔✅🔒", "Claude"],
    ["keycaps and enclosing marks", "A\u20dd\u20e3pp", "App"],
    ["private use", "Claude\ue000\u{f0000}", "Claude"],
    ["leading marks", "\u0301\u0301Claude", "Claude"],
    ["HTML stays text", "<b onclick=x>Claude</b>", "<b onclick=x>Claude</b>"],
    ["nothing visible", "\u200b\u202e\u0000 \u3164", ""],
    ["other scripts", "日記 アプリ", "日記 アプリ"],
    ["accents compose", "Cafe\u0301 Zürich", "Café Zürich"],
    ["Arabic, Hebrew, Thai, Devanagari", "مفكرة יומן บันทึก हिन्दी", "مفكرة יומן บันทึก हिन्दी"],
  ])("%s", (_, hostile, cleaned) => {
    expect(cleanDisplayName(hostile)).toBe(cleaned);
  });

  it("flattens stacks of combining marks", () => {
    const cleaned = cleanDisplayName(zalgo);
    expect(cleaned.normalize("NFD").replace(/\p{M}/gu, "")).toBe("Claude");
    expect(cleaned).not.toMatch(/\p{M}{3}/u);
  });

  it("limits the length, even if characters expand", () => {
    expect([...cleanDisplayName("x".repeat(10_000))]).toHaveLength(60);
    expect([...cleanDisplayName("\ufdfa".repeat(10_000))].length).toBeLessThanOrEqual(60);
    expect([...cleanDisplayName("👍".repeat(10_000), 20)]).toHaveLength(20);
    expect(cleanDisplayName("x".repeat(61)).endsWith("…")).toBe(true);
  });

  it("is idempotent: cleaning twice changes nothing", () => {
    for (const name of [zalgo, "Claude” ✓ “", "\u202eabc", "a \u0301b", "é\u0301\u0301\u0301", "x".repeat(99)]) {
      expect(cleanDisplayName(cleanDisplayName(name))).toBe(cleanDisplayName(name));
    }
  });
});

describe("looksConfusable", () => {
  it.each([
    ["Cyrillic letters in a Latin word", "Cl\u0430ud\u0435"],
    ["one Greek letter", "Gο\u03bfgle"],
    ["all Cyrillic, but reads as Latin", "\u0430\u0440\u0440\u04cf\u0435"],
    ["all Cyrillic beside a Latin word", "\u0421\u043e\u0440\u0435 App"],
    ["phonetic letters", "\u0261oogle"],
    ["small capitals", "\u1d04laude"],
    ["Cherokee", "\u13e2penAI\u13a1"],
  ])("%s", (_, name) => {
    expect(looksConfusable(name)).toBe(true);
  });

  it.each(["Claude", "ChatGPT", "Яндекс Почта", "Яндекс Mail", "Ελληνικά", "日記 app", "Café", "Notes 2", "Ы", "Δ"])(
    "returns false for %s",
    (name) => {
      expect(looksConfusable(name)).toBe(false);
    },
  );
});

describe("claimsTrust", () => {
  it.each(["Claude (verified)", "OFFICIAL client", "Postern", "ｖｅｒｉｆｉｅｄ"])("returns true for %s", (name) => {
    expect(claimsTrust(cleanDisplayName(name))).toBe(true);
  });

  it.each(["Claude", "Unverified", "Systematic"])("returns false for %s", (name) => {
    expect(claimsTrust(name)).toBe(false);
  });
});
