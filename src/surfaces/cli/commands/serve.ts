// pdpp serve: the server on a home, until it is told to stop.
import { once } from "node:events";
import { createServer } from "node:net";
import { checkHomePlace } from "../../../engine/home-place.ts";
import { type RunningServer, startServer } from "../../../main.ts";
import { type Command, text, UsageError, wholeNumber } from "../command.ts";
import { DEFAULT_PORT } from "../default-address.ts";

export const serve: Command = {
  summary: "run the server on a home",
  usage: "pdpp serve [--home DIR] [--port N] [--demo] [--public-url URL]",
  examples: [
    "pdpp serve --demo",
    "pdpp serve --home ~/my-data --port 0",
    "pdpp serve --public-url https://data.example.org",
  ],
  options: {
    port: { type: "string" },
    demo: { type: "boolean" },
    "public-url": { type: "string" },
  },
  local: true,
  async run({ values, home, out, note }) {
    const port = wholeNumber(values, "port") ?? DEFAULT_PORT;
    if (port > 65_535) throw new UsageError("--port is at most 65535");
    const publicUrl = text(values, "public-url");
    if (publicUrl !== undefined && !/^https?:$/.test(URL.parse(publicUrl)?.protocol ?? "")) {
      throw new UsageError(`--public-url is an http or https address, not ${JSON.stringify(publicUrl)}`);
    }
    checkHomePlace(home, { create: true });
    await checkPort(port);
    const prepare = values.demo ? (await import("../../../demo/fill.ts")).demoFiller(home, note) : undefined;
    const server = await startServer({ home, port, publicUrl, log: note, prepare });
    const stopped = new Promise<void>((resolve) => {
      // Ctrl-C reaches us twice when a parent passes it on: the listeners stay, so the second cuts nothing short.
      for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => resolve());
    });
    out(`ready ${server.url}`);
    await sayWhatNext(server, note);
    if (process.stderr.isTTY) note(`Home: ${home}\nStop: Ctrl-C`);
    await stopped;
    await server.close();
    return 0;
  },
};

/** Whoever reads the terminal may become the owner; then apps and terminals can ask for grants. */
async function sayWhatNext({ host, origin }: RunningServer, note: (text: string) => void): Promise<void> {
  const { newSetupLink, ownerExists } = await import("../../web/sign-in.ts");
  if (!(await ownerExists(host))) note(`Set up the owner: ${await newSetupLink(host, origin)}`);
  note(`Connect an app: claude mcp add --transport http pdpp ${origin}/mcp`);
  note(`Connect a terminal: pdpp connect ${origin}`);
}

/** Before the home is made and filled: a taken port leaves nothing behind. */
async function checkPort(port: number): Promise<void> {
  const probe = createServer().listen(port, "127.0.0.1");
  try {
    await once(probe, "listening");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EADDRINUSE") throw new UsageError(`port ${port} is taken; choose another with --port (0 picks one)`);
    if (code === "EACCES") throw new UsageError(`port ${port} is reserved; choose one above 1023 with --port`);
    throw error;
  }
  probe.close();
  await once(probe, "close");
}
