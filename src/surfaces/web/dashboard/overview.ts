// /dashboard: what is here, who reads it, and what wants attention.
import { html } from "hono/html";
import type { List } from "../../../contract/answers.ts";
import type { ConnectionRead } from "../../../contract/connection.ts";
import { countOf } from "../format.ts";
import { ownerPage } from "../owner-page.ts";

interface OverviewView {
  connections: number;
}

export const overviewPage = ownerPage<OverviewView>({
  path: "/dashboard",
  under: "overview",
  async load({ look }) {
    return { connections: (await look<List<ConnectionRead>>("connections", {})).data.length };
  },
  show: ({ connections }) => ({
    title: "Overview",
    body: html`<h1>Overview</h1><p class="lead">${countOf(connections, "connection")}</p>`,
  }),
});
