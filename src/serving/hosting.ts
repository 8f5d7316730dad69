// Serves many owners from one database in one process, each under their own name.
import { failureText, PdppError } from "../contract/errors.ts";
import type { EngineHost } from "../engine/host.ts";
import { homeOfOwner, type ObjectPlace } from "../engine/objects-place.ts";
import { engineThreads } from "../engine/threads/threaded-host.ts";
import { preparePlace } from "../store/place.ts";
import { Database } from "../store/postgres/connection.ts";
import { EVERYBODY, putAddress } from "../store/postgres/directory.ts";
import { requireUsable, WriteCheck } from "../store/postgres/fitness.ts";
import { ownerNamed } from "../store/postgres/owners.ts";
import { prepareForMany } from "../store/postgres/prepare.ts";
import { signInLimiter } from "../store/postgres/sign-in-limiter.ts";
import { splitKey } from "../surfaces/http/browser-key.ts";
import { hostGuard } from "../surfaces/http/guard.ts";
import { answerProbe, isProbe } from "../surfaces/http/probes.ts";
import { readinessOf } from "../surfaces/http/readiness.ts";
import { asPdppError, type Exchange, problem, requestIdOf } from "../surfaces/http/respond.ts";
import { type AppEnv, type HttpApp, listen } from "../surfaces/http/serve.ts";
import type { TlsFiles } from "../surfaces/http/tls-files.ts";
import { NamePattern } from "./name-pattern.ts";
import { openHomes } from "./open-homes.ts";
import { countingOf } from "./operations.ts";
import { openServing, type Serving, type ServingOptions } from "./serving.ts";

export interface HostingOptions
  extends Pick<ServingOptions, "proxies" | "clientFetch" | "events" | "log" | "operating"> {
  /** The folder that contains a folder for each owner. */
  home: string;
  database: { url: string };
  objectsFor?: (subject: string) => ObjectPlace | undefined;
  port: number;
  /** The address to listen on. Defaults to this machine only. */
  bind?: string;
  /** The certificate must cover every name under the public one. */
  tls?: TlsFiles;
  /** Contains a wildcard in place of the owner's name: https://*.data.example */
  publicUrl: string;
  /** Called if the database is unavailable at startup and the server waits for it. */
  note?: (text: string) => void;
  /** How many homes can be open at once, and how long an idle home stays open. */
  homesMax?: number;
  idleMs?: number;
}

export interface RunningHosting {
  url: string;
  drain(): void;
  close(): Promise<void>;
}

/**
 * How often one address may guess a password, across the sign-in pages of all owners. The limit per owner is in
 * password-guesses.ts.
 */
const SIGN_INS = { points: 40, seconds: 300 };

/** Cache budgets per home. Most homes are small, and data that does not fit is read again. */
const BUDGETS = { columnsBudgetBytes: 16 * 1024 * 1024, searchBudgetBytes: 24 * 1024 * 1024 };

export async function startHosting(options: HostingOptions): Promise<RunningHosting> {
  const { home, database, objectsFor, port, bind, tls, log, operating, homesMax, idleMs } = options;
  const names = new NamePattern(options.publicUrl);
  await prepareForMany(database.url, options.note);
  const threads = engineThreads({ onFailure: log, ...BUDGETS });
  const directory = new Database(database.url, { connections: 2 });
  const writeCheck = new WriteCheck(directory);
  const signIns = signInLimiter(directory, SIGN_INS);
  const engines = new Set<EngineHost>();
  const readiness = readinessOf(usable, { log });
  const counting = await countingOf(operating ?? {}, true, () => [...engines]);
  const homes = openHomes({ directory, open, log, homesMax, idleMs });
  let bound = port;

  /** Does the same check as a single-owner server, and also checks that names can be read. */
  async function usable(): Promise<void> {
    await directory.session(requireUsable);
    await writeCheck.require();
    await ownerNamed(directory, "");
  }

  async function open(name: string, subject: string): Promise<Serving> {
    const place = {
      home: homeOfOwner(home, subject),
      database: { ...database, subject },
      objects: objectsFor?.(subject),
    };
    preparePlace(place);
    const publicUrl = names.urlOf(name);
    const engine = threads.host(place);
    let serving: Serving | undefined;
    try {
      serving = await openServing({
        ...options,
        // Requests and responses are counted at the listener instead.
        operating: undefined,
        place,
        engine: counting.counted(engine),
        port: () => bound,
        isOneOfMany: true,
        signIns,
        publicUrl,
      });
      await serving.begin(new URL(publicUrl).origin);
    } catch (error) {
      await (serving ?? engine).close();
      throw error;
    }
    engines.add(engine);
    const { close } = serving;
    return {
      ...serving,
      close() {
        engines.delete(engine);
        return close();
      },
    };
  }

  async function respond(exchange: Exchange, env: AppEnv): Promise<Response> {
    const { request, url } = exchange;
    const name = names.nameIn(request.headers.get("host") ?? "");
    if (isProbe(url.pathname)) {
      hostGuard(() => bound, name && names.urlOf(name)).checkOrigin(request);
      return answerProbe(exchange, url.pathname, readiness);
    }
    const held = name === undefined ? undefined : await homes.hold(name);
    if (held === undefined) {
      const answer = url.pathname === "/metrics" && name === undefined ? await counting.metrics?.(exchange) : undefined;
      return answer ?? problem(exchange, unknownOwner());
    }
    exchange.owner = name;
    // The client disconnected while the home was being opened.
    if (env.outgoing === undefined || env.outgoing.closed) homes.release(held);
    else env.outgoing.once("close", () => homes.release(held));
    return (await held.serving).app(request, { ...env, requestId: exchange.requestId });
  }

  const app: HttpApp = async (request, env) => {
    const { incoming, outgoing } = env;
    const address = splitKey(request.url);
    const exchange: Exchange = {
      request,
      ...address,
      requestId: requestIdOf(request),
      origin: address.url.origin,
      address: incoming?.socket.remoteAddress ?? "",
      ...(incoming === undefined || outgoing === undefined ? {} : { node: { incoming, outgoing } }),
    };
    counting.watch?.(exchange);
    try {
      return await respond(exchange, env);
    } catch (error) {
      return problem(exchange, asPdppError(error, log, exchange.requestId));
    }
  };
  const listening = await listen(app, port, { hostname: bind, tls: tls && { ...tls, log } });
  bound = listening.port;
  // Commands outside this server use this entry to find an owner's address.
  await directory
    .session((connection) => putAddress(connection, EVERYBODY, names.urlOf(EVERYBODY)))
    .catch((error: Error) => log(`owners: ${failureText(error)}`));
  return {
    url: `http://127.0.0.1:${bound}`,
    drain() {
      readiness.drain();
      listening.drain();
    },
    async close() {
      readiness.drain();
      const closed = listening.close();
      await homes.drain();
      await closed;
      await homes.close();
      await threads.close();
      await directory.close();
    },
  };
}

const unknownOwner = (): PdppError =>
  new PdppError("not_found", "there is no owner with this name", {
    next_step: "Check the address: the owner's name is its first part.",
  });
