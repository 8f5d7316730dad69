// Online orders, as a CSV file with a list that Nora keeps. It shows that any table can be imported.
import { iso, isoDay } from "../clock.ts";
import { csvOf } from "../formats/csv.ts";
import type { DemoExport } from "../home.ts";
import { nameOf } from "../people.ts";
import { MOVING_DAY, NEW_FLAT, OLD_FLAT } from "../places.ts";
import { type Purchase, purchases } from "../purchases.ts";

const HEADER = [
  ...["order_id", "ordered_at", "shop", "items", "item_count", "total", "currency"],
  ...["carrier", "tracking_number", "delivered_at", "address", "note"],
];

export function ordersExport(): DemoExport {
  return {
    key: "orders",
    display_name: "Orders",
    *files() {
      yield { path: "orders.csv", content: csvOf([HEADER, ...purchases().map(rowOf)]) };
    },
  };
}

const rowOf = (order: Purchase): (string | number)[] => [
  order.id,
  iso(order.ordered),
  nameOf(order.shop),
  order.items.map(({ name, quantity }) => (quantity === 1 ? name : `${quantity} × ${name}`)).join("; "),
  order.items.length,
  order.total.toFixed(2),
  "EUR",
  order.carrier,
  order.tracking,
  iso(order.delivered),
  isoDay(order.ordered) < MOVING_DAY ? OLD_FLAT : NEW_FLAT,
  order.note ?? "",
];
