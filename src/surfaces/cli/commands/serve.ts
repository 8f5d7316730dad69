// pdpp serve: runs the server on a home until it is stopped.
import { once } from "node:events";
import { createServer } from "node:net";
import { failureText } from "../../../contract/errors.ts";
import { databaseNamed, databaseUrl } from "../../../engine/database.ts";
import { checkHomeDirectory, noteUnusedHome } from "../../../engine/home-directory.ts";
import { limitHeapGrowth, setInitialHeapSize } from "../../../engine/threads/heap-growth.ts";
import { LEAST_MEMORY_BYTES, parseMemory } from "../../../engine/threads/memory-share.ts";
import { type RunningServer, startServer } from "../../../main.ts";
import { type Command, text, UsageError, wholeNumber } from "../command.ts";
import { DEFAULT_ORIGIN, DEFAULT_PORT } from "../default-address.ts";
import { partsFor } from "../objects.ts";
import { serveLog } from "../serve-log.ts";
import { serveSettings } from "../serve-settings.ts";
import { firstSignal, stopServer } from "../serve-stop.ts";

export const serve: Command = {
  summary: "run the server on a home",
  usage:
    "pdpp serve [--home DIR] [--port N] [--demo] [--public-url URL]\n       [--bind ADDRESS] [--trusted-proxy ADDRESSES] [--tls-cert FILE --tls-key FILE] [--log text|json] [--metrics] [--memory 256M]",
  details: `Instead of --trusted-proxy, a proxy on this machine can send the header Postern-Proxy: $PDPP_PROXY_TOKEN.
$PDPP_OBJECTS        where several servers store blobs, exports and uploads: a folder that they share, or
                     s3://BUCKET/PREFIX?endpoint=URL&region=NAME with $AWS_ACCESS_KEY_ID and $AWS_SECRET_ACCESS_KEY
$PDPP_DRAIN_SECONDS  how long, after SIGTERM, /readyz reports not_ready before the server stops accepting
                     connections (default: 0)
GET /healthz and /readyz are always available. A second signal stops the server immediately.`,
  examples: [
    "pdpp serve --demo",
    "pdpp serve --home ~/my-data --port 0",
    "pdpp serve --public-url https://data.example.org",
    "pdpp serve --public-url https://data.example.org:7887 --bind 0.0.0.0 --tls-cert fullchain.pem --tls-key privkey.pem",
    "DATABASE_URL=postgres://… pdpp serve --public-url 'https://*.data.example.org'",
    "PDPP_DRAIN_SECONDS=5 pdpp serve --log json --metrics",
  ],
  options: {
    port: { type: "string", value: "N", about: "the port to listen on (default: 7887); 0 picks a free one" },
    demo: { type: "boolean", about: "fill an empty home with made-up data first" },
    "public-url": {
      type: "string",
      value: "URL",
      about: "the address at which apps and browsers reach this server, for a proxy in front of it",
    },
    bind: {
      type: "string",
      value: "ADDRESS",
      about: "listen on this address instead of only on this machine; needs --public-url",
    },
    "trusted-proxy": {
      type: "string",
      value: "ADDRESSES",
      about: "proxies whose X-Forwarded-For is trusted: 172.18.0.2,10.0.0.0/8",
    },
    "tls-cert": {
      type: "string",
      value: "FILE",
      about: "serve https with this certificate and its chain (PEM); a renewed file is used within seconds",
    },
    "tls-key": { type: "string", value: "FILE", about: "the private key for --tls-cert (PEM)" },
    log: {
      type: "string",
      value: "text|json",
      about: "json writes one object per request and failure to stderr ($PDPP_LOG)",
    },
    memory: {
      type: "string",
      value: "SIZE",
      about: "approximate memory limit, such as 256M or 1G ($PDPP_MEMORY); without it, as much as the data needs",
    },
    metrics: {
      type: "boolean",
      about: "GET /metrics for Prometheus ($PDPP_METRICS=1): from this machine, or with $PDPP_METRICS_TOKEN",
    },
  },
  local: true,
  async run({ values, home, out, note }) {
    const port = wholeNumber(values, "port") ?? DEFAULT_PORT;
    if (port > 65_535) throw new UsageError("--port must be at most 65535");
    const publicUrl = text(values, "public-url");
    if (publicUrl !== undefined && !/^https?:$/.test(URL.parse(publicUrl)?.protocol ?? "")) {
      throw new UsageError(`--public-url must be an http or https address, not ${JSON.stringify(publicUrl)}`);
    }
    const bind = text(values, "bind");
    if (bind !== undefined && publicUrl === undefined) {
      throw new UsageError("--bind needs --public-url: other machines reach this server by that name");
    }
    const memoryBytes = memoryCap(text(values, "memory") ?? (process.env.PDPP_MEMORY || undefined));
    const { metrics, drainSeconds, proxies, tls, ...settings } = serveSettings(values, process.env);
    const log = serveLog(settings.log, note);
    if (publicUrl?.includes("*")) {
      const isJson = settings.log === "json";
      if (values.demo)
        throw new UsageError(
          "--demo fills one home, but a wildcard --public-url serves many owners: remove --demo or the wildcard",
        );
      if (process.env.PDPP_OWNER)
        throw new UsageError(
          "PDPP_OWNER selects one owner, but a wildcard --public-url serves all: unset PDPP_OWNER or remove the wildcard",
        );
      return hostMany({ home, port, bind, tls, publicUrl, proxies, log, metrics, drainSeconds, out, isJson, note });
    }
    const database = await databaseNamed({ home, create: true, note: log.note });
    const parts = partsFor(home, database);
    if (database === undefined) checkHomeDirectory(home, { create: true });
    await checkPort(port);
    const prepare = values.demo
      ? (await import("../../../demo/fill.ts")).demoFiller(parts.home, log.note, parts.objects)
      : undefined;
    const operating = { metrics, onRequest: log.onRequest };
    const stopped = firstSignal();
    let restarted = Promise.withResolvers<"restart">();
    const options = {
      ...parts,
      database,
      bind,
      tls,
      publicUrl,
      proxies,
      log: log.failure,
      operating,
      memoryBytes,
      restart: () => restarted.resolve("restart"),
    };
    const start = async (more: Pick<Parameters<typeof startServer>[0], "port" | "prepare">) => {
      setInitialHeapSize();
      const started = await startServer({ ...options, ...more });
      limitHeapGrowth();
      return started;
    };
    let server = await start({ port, prepare });
    out(`ready ${server.url}`);
    // The store can become unavailable at any moment, even now. The server keeps running.
    const said = settings.log === "json" ? sayWhatIsMissing(server, log.note) : sayWhatNext(server, note);
    await said.catch((error: unknown) => log.failure(failureText(error)));
    if (settings.log === "text" && process.stderr.isTTY) note(`Home: ${home}\nPress Ctrl-C to stop.`);
    while ((await Promise.race([stopped, restarted.promise])) === "restart") {
      restarted = Promise.withResolvers();
      await stopServer(server, 0, log.failure);
      server = await start({ port: Number(new URL(server.url).port) });
      log.note(`started again at ${server.url}`);
    }
    await stopServer(server, drainSeconds, log.failure);
    return 0;
  },
};

function memoryCap(size: string | undefined): number | undefined {
  if (size === undefined) return undefined;
  const bytes = parseMemory(size);
  if (bytes === undefined)
    throw new UsageError(`--memory must be a size such as 256M or 1G, not ${JSON.stringify(size)}`);
  if (bytes < LEAST_MEMORY_BYTES)
    throw new UsageError(`--memory must be at least ${LEAST_MEMORY_BYTES / 2 ** 20}M, not ${size}`);
  return bytes;
}

interface ManyOptions {
  home: string;
  port: number;
  bind?: string;
  tls: ReturnType<typeof serveSettings>["tls"];
  publicUrl: string;
  proxies?: ReturnType<typeof serveSettings>["proxies"];
  log: ReturnType<typeof serveLog>;
  metrics: ReturnType<typeof serveSettings>["metrics"];
  drainSeconds: number;
  out: (text: string) => void;
  note: (text: string) => void;
  isJson: boolean;
}

/** Serves many owners, each under its own name. */
async function hostMany({
  home,
  port,
  bind,
  tls,
  publicUrl,
  proxies,
  log,
  metrics,
  drainSeconds,
  out,
  note,
  isJson,
}: ManyOptions) {
  const url = databaseUrl();
  if (url === undefined)
    throw new UsageError("a wildcard --public-url serves many owners and needs a database: set DATABASE_URL");
  // Fail early: an invalid PDPP_OBJECTS is invalid for every owner.
  partsFor(home, undefined);
  noteUnusedHome(log.note, home);
  await checkPort(port);
  const { startHosting } = await import("../../../serving/hosting.ts");
  setInitialHeapSize();
  const server = await startHosting({
    home,
    database: { url },
    objectsFor: (subject) => partsFor(home, { subject }).objects,
    port,
    bind,
    tls,
    publicUrl,
    proxies,
    note: log.note,
    log: log.failure,
    operating: { metrics, onRequest: log.onRequest },
  });
  const stopped = firstSignal();
  limitHeapGrowth();
  out(`ready ${server.url}`);
  if (!isJson) note(`Owners are served at ${publicUrl}; \`pdpp owners add NAME\` adds one.`);
  await stopped;
  await stopServer(server, drainSeconds, log.failure);
  return 0;
}

/** Tells the person at the terminal how to become the owner, and then how to connect apps and terminals. */
async function sayWhatNext({ host, origin }: RunningServer, note: (text: string) => void): Promise<void> {
  const { newSetupLink, ownerExists } = await import("../../web/sign-in.ts");
  if (!(await ownerExists(host))) note(`Set up the owner: ${await newSetupLink(host, origin)}`);
  note(`Connect an AI app on this machine: pdpp setup${origin === DEFAULT_ORIGIN ? "" : ` --url ${origin}`}`);
  note(`Connect another app: use the address ${origin}/mcp`);
  note(`Connect a terminal: pdpp connect ${origin}`);
}

/** Many people can read collected logs, so the link that creates an owner is not logged. */
async function sayWhatIsMissing({ host }: RunningServer, note: (text: string) => void): Promise<void> {
  const { ownerExists } = await import("../../web/sign-in.ts");
  if (!(await ownerExists(host))) note("There is no owner yet: `pdpp owner reset` prints the link to set one up.");
}

/** Called before the home is created and filled, so that nothing is left behind if the port is in use. */
async function checkPort(port: number): Promise<void> {
  const probe = createServer().listen(port, "127.0.0.1");
  try {
    await once(probe, "listening");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EADDRINUSE")
      throw new UsageError(`port ${port} is taken; choose another with --port (0 picks a free one)`);
    if (code === "EACCES") throw new UsageError(`port ${port} is reserved; choose one above 1023 with --port`);
    throw error;
  }
  probe.close();
  await once(probe, "close");
}
