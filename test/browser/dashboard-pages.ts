// Every page of the dashboard by name, with the address of one of its kind in the demo home.
import type { TestServer } from "../harness.ts";

export async function dashboardPages(server: TestServer): Promise<Record<string, string>> {
  const connections = await server.all("/v1/connections");
  const mail = connections.find(({ connector_key }) => connector_key === "mail").connection_id;
  const messages = await server.get("/v1/streams/messages/records", { query: { connection_id: mail, limit: 1 } });
  const record = messages.body.data[0].id;
  const activity = await server.get("/v1/activity", { query: { limit: 100 } });
  const denied = activity.body.data.find(({ outcome }: { outcome: string }) => outcome !== "ok").request_id;
  return {
    overview: "/dashboard",
    connect: "/dashboard/connect",
    apps: "/dashboard/apps",
    record: `/dashboard/records/${mail}/messages/${encodeURIComponent(record)}`,
    why: `/dashboard/why/${denied}`,
  };
}
