// Where the requests of an app are shown.
import { appAddress } from "../app-grants.ts";

export const seenAddress = (clientId: string): string => `${appAddress(clientId)}/seen`;
