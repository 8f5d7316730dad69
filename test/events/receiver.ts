// A webhook receiver on loopback: it stores what it receives, checks each signature with an independent library, and
// responds as configured.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { Webhook } from "standardwebhooks";
import type { Client, Loose } from "../harness.ts";

export interface Delivery {
  headers: Record<string, string>;
  body: string;
  event: Loose;
}

export interface Receiver {
  url: string;
  host: string;
  deliveries: Delivery[];
  /** All events except challenges. */
  events: Loose[];
  /** Sends the response. By default, the receiver echoes a challenge and accepts everything else. */
  answer: (delivery: Delivery, response: ServerResponse, request: IncomingMessage) => void;
  close(): Promise<void>;
}

export const repeatChallenge: Receiver["answer"] = ({ event }, response) =>
  void response.writeHead(200).end(JSON.stringify({ challenge: event.data.challenge }));

export async function startReceiver(): Promise<Receiver> {
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const delivery = { headers: request.headers as Record<string, string>, body, event: JSON.parse(body) };
    receiver.deliveries.push(delivery);
    if (delivery.event.data.challenge === undefined) receiver.events.push(delivery.event);
    receiver.answer(delivery, response, request);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}/hook`,
    host: `127.0.0.1:${port}`,
    deliveries: [],
    events: [],
    answer: repeatChallenge,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return receiver;
}

/** Verifies the signature with an independent implementation, and throws if it is invalid. */
export const verified = (secret: string, { body, headers }: Delivery): Loose =>
  new Webhook(secret).verify(body, headers);

/** After this many attempts, which take some minutes, a wait that hangs ends with the last value. */
const TRIES = 900;

/** Polls until the condition is true. The intervals grow, because polling uses CPU time that other tests need. */
export async function until<T>(ask: () => T | Promise<T>, so: (value: T) => boolean = Boolean): Promise<T> {
  for (let tries = 0; ; tries++) {
    const value = await ask();
    if (so(value)) return value;
    if (tries > TRIES) throw new Error(`the condition never became true: ${JSON.stringify(value)}`);
    await sleep(Math.min(20 + tries * 2, 250));
  }
}

/** Lets the owner allow the receiver's address for this grant's app. */
export async function allowFor(server: Client, granted: Loose, { host }: Pick<Receiver, "host">): Promise<void> {
  const query = { client_id: granted.grants[0].client.client_id };
  const allowed = await server.call("PUT", `/v1/event-hosts/${encodeURIComponent(host)}`, { query });
  if (allowed.status !== 200) throw new Error(allowed.text);
}

/** Creates a subscription under a grant, with a verified address that the owner allowed. */
export async function subscribed(
  server: Client,
  granted: Loose,
  receiver: Receiver,
  more: object = {},
): Promise<{ id: string; secret: string }> {
  await allowFor(server, granted, receiver);
  const { access_token: token } = granted;
  const made = await server.call("POST", "/v1/event-subscriptions", { token, body: { url: receiver.url, ...more } });
  if (made.status !== 201) throw new Error(made.text);
  const { subscription_id: id, secret } = made.body;
  await until(
    async () => (await server.get(`/v1/event-subscriptions/${id}`, { token })).body.status,
    (status) => status === "active",
  );
  return { id, secret };
}
