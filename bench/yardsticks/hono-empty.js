// The smallest Hono server, in plain JavaScript: the yardstick for our startup.
import { serve } from "@hono/node-server";
import { Hono } from "hono";

const app = new Hono();
app.get("/", (context) => context.text("ok"));
serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }, ({ port }) =>
  console.log(`ready http://127.0.0.1:${port}`),
);
process.once("SIGTERM", () => process.exit(0));
