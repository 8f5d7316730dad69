// The address of an app's requests.
import { appAddress } from "../app-grants.ts";

export const seenAddress = (clientId: string): string => `${appAddress(clientId)}/seen`;
