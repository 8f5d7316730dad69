// Tests job events when all writes are announced: events follow the writes, without polling in between.
import { expect, it } from "vitest";
import type { EngineHost } from "../../engine/host.ts";
import type { Exchange } from "../http/respond.ts";
import { jobSurface } from "./job-events.ts";

it("P-07 S-05 sends progress when something was written, without polling", async () => {
  let beats = 0;
  let looks = 0;
  let job = { status: "running", done: 0 };
  const callText = async (): Promise<string> => {
    looks++;
    return JSON.stringify(job);
  };
  const surface = jobSurface({ host: { callText } as unknown as EngineHost, changes: { read: () => beats } });
  const request = new Request("http://127.0.0.1/api/jobs/job_1", { headers: { Accept: "text/event-stream" } });
  const exchange = { request, requestId: "req_1", url: new URL(request.url) } as Exchange;
  const events = (await surface(exchange, { home: true }, { id: "job_1" })).body!.pipeThrough(new TextDecoderStream());
  const said: string[] = [];
  for await (const text of events) {
    said.push(text);
    if (said.length === 3) job = { status: "succeeded", done: 3 };
    else job = { ...job, done: said.length };
    beats++;
  }
  const progressEvent = (done: number) => `event: progress\ndata: {"status":"running","done":${done}}\n\n`;
  expect(said).toEqual([
    progressEvent(0),
    progressEvent(1),
    progressEvent(2),
    'event: end\ndata: {"status":"succeeded","done":3}\n\n',
  ]);
  expect(looks).toBe(4);
});
