// Tests pages that say what went wrong. The sentence is for the reader, and the code is under "Technical details".
import { expect, test } from "vitest";
import { heldRedirectPage } from "./held-redirect.ts";
import { messagePage } from "./message.ts";

const DETAILS = /<details><summary>Technical details<\/summary>.*?<\/details>/s;

test.each([
  [
    "a message",
    messagePage({
      title: "This request cannot be completed",
      text: "Go back to the app and connect again.",
      status: 400,
      code: "invalid_scope",
      requestId: "req_1",
    }),
  ],
  [
    "a held redirect",
    heldRedirectPage({
      client: { claimedName: "App", redirectHost: "app.example" },
      href: "https://app.example/land?error=invalid_scope",
      text: "It asked for something that does not exist.",
      code: "invalid_scope",
    }),
  ],
])("G-10 %s shows its code under Technical details and nowhere else on the page", (_name, page) => {
  expect(DETAILS.exec(page)?.[0]).toContain("invalid_scope · status 400");
  const read = page.replace(DETAILS, "").replace(/<[^>]*>/g, "");
  expect(read).not.toMatch(/invalid_scope|\b400\b|req_1/);
});
