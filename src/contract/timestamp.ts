// Points in time on the wire: RFC 3339, with Z or an offset.
import { z } from "zod";

export const timestamp = z.iso.datetime({ offset: true });
