// The personal mailbox: letters, newsletters, orders, bills and notices.
import { days, dublin, hours, isAway, isoDay, longDate, minutes, monthName } from "../clock.ts";
import { capital, type Slots, settle, write } from "../grammar.ts";
import { firstName, nameOf, type PersonKey } from "../people.ts";
import { MOVING_DAY } from "../places.ts";
import { purchases } from "../purchases.ts";
import { createDeck, createRandom } from "../random.ts";
import { answers, closings, letterTopics, thanks } from "../text/letters.ts";
import { newsletters } from "../text/newsletters.ts";
import { words } from "../text/words.ts";
import { moment } from "./chat.ts";
import { draft, type Mail, storiesOf } from "./mail-draft.ts";
import { postcards } from "./postcards.ts";

export function personalMail(): Mail[] {
  return [...storiesOf("personal"), ...letters(), ...weekly(), ...orderMail(), ...bills(), ...postcardMail()];
}

const PEN_FRIENDS: PersonKey[] = ["maeve", "orla", "priya", "jonas", "sinead", "leila", "cian"];

function letters(): Mail[] {
  const random = createRandom("letters");
  const found: Mail[] = [];
  const topic = createDeck(random, letterTopics);
  const answer = createDeck(random, answers);
  let number = 0;
  for (const day of days("2023-01-04", "2026-06-25")) {
    if (isAway(day.date) || !random.chance(day.weekday === 6 ? 0.38 : 0.12)) continue;
    const friend = random.pick(PEN_FRIENDS);
    const { subject, opening, middle, reply } = topic();
    const slots: Slots = settle(random, { ...words, month: monthName((day.month % 12) + 1) });
    const title = capital(write(random, subject, slots));
    const thread = `letter-${++number}`;
    const texts = [
      [random.pick(opening), ...random.shuffle(middle).slice(0, random.int(2, 3))],
      [random.pick(reply), answer()],
      [random.pick(thanks)],
    ].slice(0, random.chance(0.4) ? 3 : 2);
    let at = moment(random, day.date, 9, 22);
    for (const [position, paragraphs] of texts.entries()) {
      const [from, to]: [PersonKey, PersonKey] = position === 1 ? [friend, "nora"] : ["nora", friend];
      const body = paragraphs.map((paragraph) => capital(write(random, paragraph, slots)));
      const greeting = from === "maeve" ? "Nora love" : to === "maeve" ? "Dear Mam" : `Dear ${firstName(to)}`;
      const signature = from === "maeve" ? "Mam" : firstName(from);
      found.push(
        draft({
          id: `${thread}-${position + 1}`,
          thread,
          from,
          to: [to],
          subject: position === 0 ? title : `Re: ${title}`,
          at,
          body: `${greeting},\n\n${body.join("\n\n")}\n\n${random.pick(closings)}\n${signature}`,
        }),
      );
      at += hours(random.int(3, 60));
    }
  }
  return found;
}

function weekly(): Mail[] {
  const random = createRandom("newsletters");
  const found: Mail[] = [];
  for (const letter of newsletters) {
    const deal = createDeck(random, letter.items);
    let issue = letter.from === "birdpost" ? 212 : 48;
    for (const day of days()) {
      if (day.weekday !== letter.weekday || random.chance(0.06)) continue;
      issue++;
      const week = String(Math.floor(day.index / 7) % 52);
      const slots: Slots = { ...words, issue: String(issue), week };
      const items = [deal(), deal(), deal()].map((item) => capital(write(random, item, slots)));
      found.push(
        draft({
          id: `news-${letter.from.toLowerCase()}-${day.date}`,
          thread: `news-${letter.from.toLowerCase()}-${day.date}`,
          folder: "newsletters",
          from: letter.from,
          subject: write(random, random.pick(letter.subject), slots),
          body: `${capital(write(random, random.pick(letter.opening), slots))}\n\n${items.join("\n\n")}\n\n${letter.closing}`,
          at: moment(random, day.date, letter.hour, letter.hour),
        }),
      );
    }
  }
  return found;
}

function orderMail(): Mail[] {
  return purchases().flatMap((order) => {
    const thread = `order-${order.id}`;
    const list = order.items.map((item) => `${item.quantity} x ${item.name}, EUR ${item.unit_price.toFixed(2)}`);
    const shop = nameOf(order.shop);
    const confirmation = draft({
      id: `${thread}-confirmed`,
      thread,
      from: order.shop,
      subject: `Your order ${order.id} at ${shop}`,
      at: order.ordered + minutes(2),
      attachments: true,
      body: `Dear Nora,\n\nThank you for your order of ${longDate(isoDay(order.ordered))}.\n\n${list.join("\n")}\nPostage EUR ${order.shipping.toFixed(2)}\nTotal EUR ${order.total.toFixed(2)}, paid by card.\n\n${shop}`,
    });
    const shipped = draft({
      id: `${thread}-shipped`,
      thread,
      from: order.shop,
      subject: `On its way: order ${order.id}`,
      at: order.shipped,
      body: `Dear Nora,\n\nYour parcel left us today with ${order.carrier}, tracking number ${order.tracking}. It should be with you in one to four working days.\n\n${shop}`,
    });
    return [confirmation, shipped];
  });
}

function bills(): Mail[] {
  const random = createRandom("bills");
  const found: Mail[] = [];
  const bill = (kind: string, date: string, from: PersonKey, subject: string, body: string) =>
    found.push(
      draft({
        id: `${kind}-${date}`,
        thread: `${kind}-${date}`,
        folder: "archive",
        from,
        subject,
        body,
        at: dublin(`${date} 07:30`) + minutes(random.int(0, 90)),
        attachments: true,
      }),
    );
  for (const day of days()) {
    const month = `${monthName(day.month)} ${day.year}`;
    if (day.dayOfMonth === 4)
      bill(
        "mobile",
        day.date,
        "mobile",
        `Curlew Mobile: your bill for ${month}`,
        `You used ${random.int(4, 19)} GB and ${random.int(40, 260)} minutes. EUR 20.00 will be taken from your account on the 8th.`,
      );
    if (day.dayOfMonth === 12 && day.month % 2 === 0)
      bill(
        "power",
        day.date,
        "power",
        `Bord Solas Energy: electricity bill, ${month}`,
        `Two months, ${random.int(310, 640)} kWh. The bill is attached and will be paid by direct debit on the 20th. Compared with last year you used ${random.int(2, 14)} percent ${random.chance(0.6) ? "less" : "more"}.`,
      );
    if (day.dayOfMonth === 6 && day.date > "2025-03-31")
      bill(
        "broadband",
        day.date,
        "canalnet",
        `Canalnet: your bill for ${month}`,
        `Fibre 500, EUR 45.00. Average speed at your router last month: ${random.int(441, 498)} Mbit/s.`,
      );
    if (day.dayOfMonth === 1)
      bill(
        "rent",
        day.date,
        day.date < MOVING_DAY ? "declan" : "aoife",
        `Rent received, ${month}`,
        day.date < MOVING_DAY
          ? `Received with thanks, EUR 1,600 for ${month}. Declan Moriarty`
          : `Thank you, the rent of EUR 1,850 for ${month} has arrived. Warm regards, Aoife Tierney`,
      );
    if (day.weekday === 0 && random.chance(0.42))
      bill(
        "library",
        day.date,
        "library",
        "Library notice: [due soon]".replace(
          "[due soon]",
          random.pick(["due in three days", "ready to collect", "renewed"]),
        ),
        `${random.pick(words.book)}\n${random.pick(["Due back on Thursday. You may renew online.", "Waiting for you at the desk until Saturday.", "Renewed for three weeks, nobody else is waiting."])}`,
      );
    if (day.dayOfMonth === 2)
      bill(
        "statement",
        day.date,
        "bank",
        `Your Liffey Bank statement for ${monthName(((day.month + 10) % 12) + 1)}`,
        "Your monthly statement is ready in online banking. We never ask for your code by mail.",
      );
  }
  return found;
}

function postcardMail(): Mail[] {
  return postcards()
    .filter((card) => card.direction === "received")
    .map((card) =>
      draft({
        id: `postcard-${card.id}`,
        thread: `postcard-${card.id}`,
        folder: "archive",
        from: "postcards",
        subject: `Postcard ${card.id} from ${card.country} has arrived`,
        body: `Hurray! You registered postcard ${card.id}, written by ${card.correspondent} in ${card.city}, ${card.country}. It travelled ${card.daysOnTheWay} days. ${card.correspondent} has been told.`,
        at: card.at + hours(1),
      }),
    );
}
