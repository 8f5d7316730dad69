// A Hono server whose handlers run the bare statements in a thread: the yardstick for REST.
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { bareHost } from "./thread-host.ts";

const bare = bareHost(process.argv[2]!);
const app = new Hono();
const json = { "Content-Type": "application/json" };

app.get("/records/:id", async (context) =>
  context.body(await bare.call({ op: "point", id: context.req.param("id") }), 200, json),
);
app.get("/records", async (context) => {
  const limit = Number(context.req.query("limit"));
  return context.body(await bare.call({ op: "newest", limit }), 200, json);
});
app.get("/feed", async (context) =>
  context.body(await bare.call({ op: "feed", after: 0, limit: Number(context.req.query("limit")) }), 200, json),
);

serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }, ({ port }) =>
  console.log(`ready http://127.0.0.1:${port}`),
);
process.once("SIGTERM", () => process.exit(0));
