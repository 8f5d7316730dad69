// /api/links: creates a link that opens one resource of the files lens without a token (S-21).
import { linkRequest } from "../../contract/link.ts";
import { route } from "./route.ts";

export const linkRoutes = [
  route({
    method: "POST",
    path: "/api/links",
    summary: "A link that opens one listing, report or file without a token, for 15 minutes or until the grant ends",
    call: "signFileLink",
    action: "link",
    needs: "navigate",
    schema: linkRequest,
    body: "needed",
    status: 201,
    answer: async (call, { url }) => ({ answer: await call.signed(url) }),
  }),
] as const;
