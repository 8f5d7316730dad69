// Private hosts that the owner allowed events to be sent to.

import { PdppError } from "../../contract/errors.ts";
import type { EventHost } from "../../contract/event-answers.ts";
import { EVENTS } from "../../contract/limits.ts";
import { hostRule } from "../../core/webhook-url.ts";
import type { MethodContext, WriteContext } from "../method.ts";
import { type Answer, listJson } from "../read/context.ts";
import { dropHost, hosts, putHost } from "./stored.ts";

const PATH = "/v1/event-hosts";

const toldHost = ({ host, allowedAt }: { host: string; allowedAt: number }): EventHost => ({
  object: "event_host",
  host,
  allowed_at: new Date(allowedAt).toISOString(),
});

export async function readHosts({ view, caller }: MethodContext): Promise<Answer> {
  const items = (await hosts(view, caller.subjectId)).map((host) => JSON.stringify(toldHost(host)));
  return { body: listJson({ url: PATH, self: PATH, items, hasMore: false }), records: 0 };
}

export async function allowHost({ view, caller, now }: WriteContext, { host }: { host: string }): Promise<EventHost> {
  const rule = hostRule(host);
  const known = await hosts(view, caller.subjectId);
  const there = known.find((one) => one.host === rule);
  if (there !== undefined) return toldHost(there);
  if (known.length >= EVENTS.hostsMax)
    throw new PdppError("resource_limit", `${known.length} hosts are allowed; that is the most`, {
      next_step: `Take one away that is no longer needed: DELETE ${PATH}/${encodeURIComponent(known.at(-1)!.host)}`,
    });
  await putHost(view, caller.subjectId, rule, now);
  return toldHost({ host: rule, allowedAt: now });
}

export async function disallowHost({ view, caller }: WriteContext, { host }: { host: string }): Promise<object> {
  const rule = hostRule(host);
  if (!(await hosts(view, caller.subjectId)).some((one) => one.host === rule))
    throw new PdppError("not_found", `${rule} is not among the allowed hosts`, {
      param: "host",
      next_step: `GET ${PATH} (or \`pdpp events hosts\`) lists them.`,
    });
  await dropHost(view, caller.subjectId, rule);
  return { object: "event_host_removed", host: rule };
}
