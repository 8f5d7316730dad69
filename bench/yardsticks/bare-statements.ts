// The best hand-written statements on a home's database, without engine, grants or audit.
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

export type BareCall =
  | { op: "point"; id: string }
  | { op: "newest"; limit: number }
  | { op: "feed"; after: number; limit: number }
  | { op: "scan"; account: string; category: string }
  | { op: "countByCategory" }
  | { op: "sumByMonth" };

/** Runs a call and returns JSON text, as a handler would send it. */
export function bareStatements(home: string): (call: BareCall) => string {
  const database = new DatabaseSync(join(home, "records.db"), { readOnly: true });
  database.exec("PRAGMA cache_size = -16384");
  database.exec("PRAGMA mmap_size = 1073741824");
  const arrays = (sql: string) => {
    const statement = database.prepare(sql);
    statement.setReturnArrays(true);
    return statement;
  };
  const point = arrays("SELECT id, data FROM record WHERE stream_no = 1 AND id = ?");
  const newest = arrays(
    "SELECT id, data FROM record WHERE stream_no = 1 AND data IS NOT NULL ORDER BY ord DESC, id DESC LIMIT ?",
  );
  const feed = arrays(
    "SELECT id, data FROM record INDEXED BY record_by_version WHERE stream_no = 1 AND version > ? ORDER BY version LIMIT ?",
  );
  const scan = arrays(
    "SELECT id, data FROM record WHERE stream_no = 1 AND data ->> 'account' = ? AND data ->> 'category' = ? ORDER BY ord DESC LIMIT 25",
  );
  const countByCategory = arrays(
    "SELECT data ->> 'category', count(*) FROM record WHERE stream_no = 1 AND data IS NOT NULL GROUP BY 1 ORDER BY 2 DESC",
  );
  const sumByMonth = arrays(
    "SELECT substr(data ->> 'booked_at', 1, 7), count(*), sum(data ->> 'amount') FROM record WHERE stream_no = 1 AND data IS NOT NULL GROUP BY 1 ORDER BY 1",
  );
  return (call) => {
    switch (call.op) {
      case "point":
        return list([point.get(call.id)]);
      case "newest":
        return list(newest.all(call.limit));
      case "feed":
        return list(feed.all(call.after, call.limit));
      case "scan":
        return list(scan.all(call.account, call.category));
      case "countByCategory":
        return JSON.stringify(countByCategory.all());
      case "sumByMonth":
        return JSON.stringify(sumByMonth.all());
    }
  };
}

function list(rows: readonly unknown[]): string {
  return `[${(rows as [string, string][]).map(([id, data]) => `{"id":${JSON.stringify(id)},"data":${data}}`).join(",")}]`;
}
