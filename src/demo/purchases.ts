// Online orders: each has an order at the shop, a confirmation in the mailbox, and a payment at the bank.
import { DAY, days, dublin, hours, isoDay, minutes } from "./clock.ts";
import type { PersonKey } from "./people.ts";
import { createRandom } from "./random.ts";
import { storyOrders } from "./story/index.ts";
import { catalogue } from "./text/catalogue.ts";

export interface Purchase {
  id: string;
  shop: PersonKey;
  ordered: number;
  shipped: number;
  delivered: number;
  items: { sku: string; name: string; quantity: number; unit_price: number }[];
  shipping: number;
  total: number;
  carrier: string;
  tracking: string;
  note?: string;
}

export const cents = (amount: number) => Math.round(amount * 100) / 100;

const CARRIERS = ["An Post", "Fastway", "GreenParcel"];

export function purchases(): Purchase[] {
  const random = createRandom("purchases");
  const found: Purchase[] = storyOrders.map((order) =>
    complete(order.id, order.shop, dublin(order.at), order.items, order.shipping, order.note),
  );
  let number = 35_170;
  for (const day of days("2023-01-03", "2026-06-22")) {
    number += random.int(12, 29);
    const season = day.month >= 11 && day.date.slice(5) < "12-20" ? 0.26 : 0.115;
    const id = `ORD-${number}`;
    if (!random.chance(season) || storyOrders.some((order) => order.id === id)) continue;
    const shop = random.pick(Object.keys(catalogue) as (keyof typeof catalogue)[]);
    const items = random
      .shuffle(catalogue[shop])
      .slice(0, random.int(1, 3))
      .map(([sku, name, price]) => ({ sku, name, quantity: random.chance(0.2) ? 2 : 1, unit_price: price }));
    const ordered = dublin(`${day.date} ${random.int(19, 22)}:${random.int(10, 59)}`);
    found.push(complete(id, shop, ordered, items, random.pick([0, 3.5, 4.95, 5.5])));
  }
  return found.sort((a, b) => a.ordered - b.ordered);

  function complete(
    id: string,
    shop: PersonKey,
    ordered: number,
    items: Purchase["items"],
    shipping: number,
    note?: string,
  ): Purchase {
    const total = cents(items.reduce((sum, item) => sum + item.quantity * item.unit_price, shipping));
    const shipped = dublin(`${isoDay(ordered + DAY)} 14:00`) + minutes(random.int(0, 200));
    return {
      id,
      shop,
      ordered,
      shipped,
      delivered: shipped + DAY * random.int(1, 4) + hours(random.int(-3, 3)),
      items,
      shipping,
      total,
      carrier: random.pick(CARRIERS),
      tracking: `IE${random.int(100_000_000, 999_999_999)}`,
      ...(note === undefined ? {} : { note }),
    };
  }
}
