// Every payment over three and a half years: salary, rent, shops, dinners, orders, stories.
import { DAY, type Day, days, dublin, isAway, minutes, monthName } from "../clock.ts";
import { occasions } from "../occasions.ts";
import { nameOf } from "../people.ts";
import { coffees, extras, groceries, type Merchant, MOVING_DAY, transport } from "../places.ts";
import { cents, purchases } from "../purchases.ts";
import { createRandom } from "../random.ts";
import { storyPayments } from "../story/index.ts";
import { moment } from "./chat.ts";
import { isHoliday } from "./slack.ts";

export interface DemoBooking {
  id: string;
  account: string;
  at: number;
  amount: number;
  counterparty: string;
  category: string;
  description: string;
  kind: "card" | "transfer" | "direct_debit" | "standing_order";
}

const CURRENT = "liffey-current";
const SAVINGS = "liffey-savings";
const JOINT = "canal-joint";

const SHOP_CATEGORY: Record<string, string> = {
  sparrow: "electronics",
  hearth: "household",
  pagewind: "books",
  pawprint: "pets",
  spoke: "transport",
  linen: "clothing",
  greenhouse: "garden",
};

export function bookings(): DemoBooking[] {
  return [...fromStories(), ...fromOccasions(), ...fromPurchases(), ...monthly(), ...daily()];
}

function fromStories(): DemoBooking[] {
  return storyPayments.map(({ bank, at, ...payment }) => ({
    ...payment,
    at: dublin(at),
    account: bank === "liffey" ? CURRENT : JOINT,
    kind: payment.amount > 0 || payment.category === "housing" || payment.category === "family" ? "transfer" : "card",
  }));
}

function fromOccasions(): DemoBooking[] {
  return occasions().flatMap(({ id, end, paid }) =>
    paid
      ? [
          card(
            `pay-${id}`,
            CURRENT,
            end - minutes(12),
            -paid.amount,
            paid.counterparty,
            paid.category,
            `Card payment ${paid.counterparty}`,
          ),
        ]
      : [],
  );
}

function fromPurchases(): DemoBooking[] {
  return purchases().map((order) =>
    card(
      `pay-${order.id}`,
      order.shop === "hearth" ? JOINT : CURRENT,
      order.ordered + minutes(1),
      -order.total,
      nameOf(order.shop),
      SHOP_CATEGORY[order.shop]!,
      `Order ${order.id}`,
    ),
  );
}

function monthly(): DemoBooking[] {
  const random = createRandom("monthly bookings");
  const found: DemoBooking[] = [];
  const regular = (
    name: string,
    day: Day,
    account: string,
    amount: number,
    counterparty: string,
    category: string,
    description: string,
    kind: DemoBooking["kind"] = "direct_debit",
  ) =>
    found.push({
      id: `${name}-${day.date.slice(0, 7)}`,
      account,
      at: dublin(`${day.date} 06:${random.int(10, 59)}`),
      amount: cents(amount),
      counterparty,
      category,
      description,
      kind,
    });
  for (const day of days()) {
    const month = `${monthName(day.month)} ${day.year}`;
    const moved = day.date > MOVING_DAY;
    switch (day.dayOfMonth) {
      case 1:
        regular(
          "rent",
          day,
          JOINT,
          day.date >= "2025-03-01" ? -1850 : -1600,
          day.date >= "2025-03-01" ? "Aoife Tierney" : "Moriarty Lettings",
          "housing",
          `Rent ${month}`,
          "standing_order",
        );
        break;
      case 2:
        if (day.date <= "2026-02-02")
          regular("gym", day, CURRENT, -39.9, "LiftHouse Gym", "subscriptions", "Membership");
        if (day.date < "2023-09-01") regular("fresco", day, CURRENT, -52, "Fresco Box", "subscriptions", "Four boxes");
        break;
      case 5:
        regular(
          "tuneharbour",
          day,
          CURRENT,
          day.date < "2025-04-01" ? -10.99 : -12.99,
          "Tuneharbour",
          "subscriptions",
          "Solo plan",
        );
        regular("pet-cover", day, CURRENT, -21.4, "Shamrock Pet Cover", "insurance", "Biscuit");
        break;
      case 8:
        regular("mobile", day, CURRENT, -20, "Curlew Mobile", "utilities", "Mobile phone");
        break;
      case 10:
        regular(
          "broadband",
          day,
          JOINT,
          moved ? -45 : -49,
          moved ? "Canalnet Broadband" : "Dodder Cable",
          "utilities",
          "Broadband",
        );
        break;
      case 15:
        regular("choir", day, CURRENT, -15, "Liffey Chamber Choir", "leisure", "Subscription", "standing_order");
        break;
      case 20:
        if (day.month % 2 === 0)
          regular(
            "power",
            day,
            JOINT,
            -(90 + random.next() * 130),
            "Bord Solas Energy",
            "utilities",
            "Electricity, two months",
          );
        break;
      case 26: {
        const net = day.year >= 2025 ? 3562.4 : day.year === 2024 ? 3298.15 : 3121.7;
        regular("salary", day, CURRENT, net, "Pike Acoustics", "income", `Salary ${month}`, "transfer");
        break;
      }
      case 27:
        regular("joint-nora", day, CURRENT, -1350, "Joint account", "housing", "To joint account", "standing_order");
        regular("joint-in-nora", day, JOINT, 1350, "Nora Keane", "income", "Share of the household", "standing_order");
        regular(
          "joint-in-mateus",
          day,
          JOINT,
          1250,
          "Mateus Ferreira",
          "income",
          "Share of the household",
          "standing_order",
        );
        regular("save", day, CURRENT, -700, "Rainy day savings", "savings", "Monthly saving", "standing_order");
        regular("saved", day, SAVINGS, 700, "Nora Keane", "savings", "Monthly saving", "standing_order");
        break;
    }
  }
  return found;
}

function daily(): DemoBooking[] {
  const random = createRandom("daily bookings");
  const found: DemoBooking[] = [];
  const visit = (account: string, date: string, hour: number, merchants: readonly Merchant[]) => {
    const merchant = random.pick(merchants);
    const amount = merchant.min + random.next() * (merchant.max - merchant.min);
    const id = `tx-${String(found.length + 1).padStart(5, "0")}`;
    found.push(
      card(
        id,
        account,
        moment(random, date, hour, hour + 2),
        -amount,
        merchant.name,
        merchant.category,
        `Card payment ${merchant.name}`,
      ),
    );
  };
  for (const day of days()) {
    if (isAway(day.date)) continue;
    if (day.weekday < 5 && !isHoliday(day.date) && random.chance(0.4)) visit(CURRENT, day.date, 8, coffees);
    if (random.chance([0.3, 0.3, 0.4, 0.3, 0.4, 0.8, 0.2][day.weekday]!)) visit(JOINT, day.date, 17, groceries);
    if (random.chance(0.16)) visit(CURRENT, day.date, 12, groceries);
    if (random.chance(0.11)) visit(CURRENT, day.date, 9, transport);
    if (random.chance(day.weekday === 5 ? 0.35 : 0.09)) visit(CURRENT, day.date, 13, extras);
  }
  found.push(
    card(
      "t-berlin-flight",
      CURRENT,
      dublin("2023-09-18 20:10"),
      -158.2,
      "Atlantica Air",
      "travel",
      "DUB-BER October, to meet Finn",
    ),
    card(
      "t-piano-tuner",
      CURRENT,
      dublin("2024-05-30 10:00") + DAY,
      -85,
      "O'Hara Piano Tuning",
      "household",
      "Choir piano, to be refunded",
    ),
  );
  return found;
}

function card(
  id: string,
  account: string,
  at: number,
  amount: number,
  counterparty: string,
  category: string,
  description: string,
): DemoBooking {
  return { id, account, at, amount: cents(amount), counterparty, category, description, kind: "card" };
}
