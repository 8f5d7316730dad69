// One address that tries at the doors of many owners is counted at all of them together, by all servers (SECURITY row 8).
import { createLimiter, type SharedLimiter } from "../auth/rate-limit.ts";
import type { Database } from "../store/postgres/connection.ts";
import { giveDoorTurn, takeDoorTurn } from "../store/postgres/doors.ts";

const TURNS = { points: 40, seconds: 300 };

/** What one server alone turns away never gets as far as the database. */
export function doorsOf(database: Database): SharedLimiter {
  const own = createLimiter({ ...TURNS, now: Date.now });
  return {
    async take(address) {
      const taken = own.take(address);
      if (!taken.ok) return taken;
      const retryAfterSeconds = await takeDoorTurn(database, address, TURNS);
      return retryAfterSeconds === undefined ? taken : { ok: false, retryAfterSeconds };
    },
    async give(address) {
      own.give(address);
      await giveDoorTurn(database, address, TURNS);
    },
  };
}
