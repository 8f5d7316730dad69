// P-07: permissions that arrive with a home from another server do not apply on a server with many owners.
import { expect, it } from "vitest";
import { createHost, type EngineHost } from "./host.ts";
import { hostedEngine } from "./hosted.ts";

/** An engine that always returns this result. */
const answering = (body: unknown): EngineHost =>
  createHost(async () => JSON.stringify(body), { changed: () => undefined, close: async () => undefined });
const HOME = { home: true } as const;

it("P-07 no event is sent to a private host on the operator's network, even if the host was allowed before", async () => {
  const query = { id: "evt_1", origin: "https://alice.data.example" };
  const sent = { url: "http://127.0.0.1:7490/", allowed: true, body: "{}" };
  const toSend = (body: unknown) => hostedEngine(answering(body)).call("eventToSend", query, HOME);
  expect(await toSend(sent)).toEqual({ ...sent, allowed: false });
  expect(await toSend(null)).toBeNull();
});
