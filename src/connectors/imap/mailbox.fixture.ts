// Messages for tests of the connector: a typical message, and the settings for a server on loopback.
import type { JsonObject } from "../../contract/json.ts";
import type { MailServer } from "./mail-server.fixture.ts";

export function mail(
  id: string,
  { subject = `About ${id}`, extra = [] as string[], body = `Hello from ${id}.` } = {},
): string {
  return [
    `Message-ID: <${id}>`,
    "From: Ann Lee <Ann@Example.com>",
    "To: bob@example.com",
    `Subject: ${subject}`,
    "Date: Fri, 1 Mar 2024 10:00:00 +0100",
    ...extra,
    "",
    body,
    "",
  ].join("\r\n");
}

export const settingsOf = ({ port }: MailServer, more: JsonObject = {}): JsonObject => ({
  host: "127.0.0.1",
  port,
  security: "none",
  user: "testuser",
  ...more,
});
