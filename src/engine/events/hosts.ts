// Lists, allows and disallows private addresses for one app's events.
import { PdppError } from "../../contract/errors.ts";
import type { EventHost, EventHostRemoved } from "../../contract/event-answers.ts";
import type { EventHostRef } from "../../contract/event-requests.ts";
import { EVENTS } from "../../contract/limits.ts";
import { checkedAddress } from "../../core/webhook-url.ts";
import type { ReadView } from "../../store/store.ts";
import type { MethodContext, WriteContext } from "../calls/define.ts";
import { type Answer, listJson } from "../read/context.ts";
import { type Allowance, allowances, convertHostWide, dropAllowance, isSame, putAllowance } from "./allowances.ts";

const PATH = "/v1/event-hosts";

/** The name of each app that has a grant, by app id. */
async function appNames(view: ReadView, subjectId: string): Promise<Map<string, string | undefined>> {
  const clients = (await view.grants(subjectId)).map(({ grant }) => grant.client);
  return new Map(clients.map(({ client_id, client_display }) => [client_id, client_display?.name]));
}

function hostRead(
  { address, clientId, allowedAt }: Allowance,
  names: ReadonlyMap<string, string | undefined>,
): EventHost {
  const name = names.get(clientId);
  return {
    object: "event_host",
    host: address,
    client_id: clientId,
    ...(name === undefined ? {} : { client_name: name }),
    allowed_at: new Date(allowedAt).toISOString(),
  };
}

export async function readHosts({ view, caller }: MethodContext): Promise<Answer> {
  const names = await appNames(view, caller.subjectId);
  const items = (await allowances(view, caller.subjectId)).map((one) => JSON.stringify(hostRead(one, names)));
  return { body: listJson({ url: PATH, self: PATH, items, hasMore: false }), records: 0 };
}

export async function allowHost(
  { view, caller, now }: WriteContext,
  { host, client_id: clientId }: EventHostRef,
): Promise<EventHost> {
  const { subjectId } = caller;
  const asked = { address: checkedAddress(host), clientId, allowedAt: now };
  const names = await appNames(view, subjectId);
  if (!names.has(clientId))
    throw new PdppError("not_found", `no app ${JSON.stringify(clientId)} has a grant here`, {
      param: "client_id",
      next_step: "GET /v1/grants (or `pdpp grants list --json`) shows the client_id of each app.",
    });
  await convertHostWide(view, subjectId);
  const known = await allowances(view, subjectId);
  const there = known.find((one) => isSame(one, asked));
  if (there !== undefined) return hostRead(there, names);
  if (known.length >= EVENTS.hostsMax)
    throw new PdppError("resource_limit", `${known.length} addresses are allowed, which is the maximum`, {
      next_step: `Remove one that is no longer needed: GET ${PATH} (or \`pdpp events hosts\`) lists them.`,
    });
  await putAllowance(view, subjectId, asked);
  return hostRead(asked, names);
}

export async function disallowHost(
  { view, caller }: WriteContext,
  { host, client_id: clientId }: EventHostRef,
): Promise<EventHostRemoved> {
  const { subjectId } = caller;
  const asked = { address: checkedAddress(host), clientId };
  await convertHostWide(view, subjectId);
  if (!(await allowances(view, subjectId)).some((one) => isSame(one, asked)))
    throw new PdppError("not_found", `${asked.address} is not allowed for the app ${JSON.stringify(clientId)}`, {
      param: "host",
      next_step: `GET ${PATH} (or \`pdpp events hosts\`) lists the allowed addresses.`,
    });
  await dropAllowance(view, subjectId, asked);
  return { object: "event_host_removed", host: asked.address, client_id: clientId };
}
