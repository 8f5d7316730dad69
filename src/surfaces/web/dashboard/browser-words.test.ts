// Tests that browsers get the names that their users know.
import { expect, it } from "vitest";
import { browserWords } from "./browser-words.ts";

it.each([
  ["Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox on Windows"],
  ["Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/139.0 Safari/537.36 Edg/139.0", "Edge on Windows"],
  ["Mozilla/5.0 (Macintosh; Intel Mac OS X 15_5) AppleWebKit/605.1.15 Version/18.5 Safari/605.1.15", "Safari on macOS"],
  ["Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1 CriOS/139.0 Safari/604", "Chrome on iOS"],
  [
    "Mozilla/5.0 (Linux; Android 16; Pixel 9) AppleWebKit/537.36 Chrome/139.0 Mobile Safari/537.36",
    "Chrome on Android",
  ],
  ["Mozilla/5.0 (X11; Linux x86_64) HeadlessChrome/139.0", "Headless Chrome on Linux"],
  ["curl/8.9", "curl"],
  ["<script>", "An unknown browser"],
  ["", "An unknown browser"],
])("P-06 %s", (userAgent, words) => {
  expect(browserWords(userAgent)).toBe(words);
});
