// The work mailbox: threads with clients and colleagues.
import { days, hours, minutes, monthName } from "../clock.ts";
import { capital, type Slots, settle, write } from "../grammar.ts";
import { firstName, nameOf, type PersonKey } from "../people.ts";
import { createDeck, createRandom } from "../random.ts";
import { words } from "../text/words.ts";
import { workClosings, workOpenings, workTopics } from "../text/work-mail.ts";
import { moment } from "./chat.ts";
import { draft, type Mail, storiesOf } from "./mail-draft.ts";
import { isHoliday } from "./slack.ts";

interface Project {
  name: string;
  client: PersonKey;
  first: string;
  last: string;
}

const projects: Project[] = [
  { name: "Merrion Library", client: "merrion", first: "2023-01-09", last: "2023-09-29" },
  { name: "Kilbride School", client: "kilbride", first: "2023-08-21", last: "2024-02-23" },
  { name: "Harbour Hall", client: "harbour", first: "2024-01-08", last: "2024-12-13" },
  { name: "Lantern Theatre", client: "theatre", first: "2024-10-07", last: "2025-08-29" },
  { name: "North Quay", client: "docklands", first: "2025-06-09", last: "2026-06-30" },
  { name: "Raidió Kilronan", client: "studio", first: "2026-01-12", last: "2026-06-30" },
];

export function workMail(): Mail[] {
  const random = createRandom("work mail");
  const topic = createDeck(random, workTopics);
  const found = storiesOf("work");
  let number = 0;
  for (const day of days()) {
    if (day.weekday > 4 || isHoliday(day.date)) continue;
    const running = projects.filter((project) => project.first <= day.date && day.date <= project.last);
    for (let each = random.int(0, 2); each > 0 && running.length > 0; each--)
      found.push(...thread(`work-${++number}`, day.date, day.month, random.pick(running)));
  }
  return found;

  function thread(id: string, date: string, month: number, project: Project): Mail[] {
    const { subject, starts, length, opening, detail, reply, final } = topic();
    const slots: Slots = settle(random, {
      ...words,
      project: project.name,
      month: monthName(((month + 10) % 12) + 1),
      day2: words.day,
    });
    const details = random.shuffle(detail);
    const colleagues: PersonKey[] = ["grainne", "oisin", "raj", "ewa", "lorcan"];
    if (date < "2025-06-26") colleagues.push("hana");
    const partner = starts === "client" ? project.client : random.pick(colleagues);
    const title = write(random, subject, slots);
    const mails: Mail[] = [];
    let from: PersonKey = starts === "nora" ? "nora" : partner;
    let at = moment(random, date, 8, 17);
    const count = random.chance(0.2) ? 2 : length;
    for (let position = 0; position < count; position++) {
      const other: PersonKey = from === "nora" ? partner : "nora";
      const sentences =
        position === 0
          ? [random.pick(opening), ...details.slice(0, 2)]
          : position === 1
            ? [random.pick(reply)]
            : position === count - 1
              ? [random.pick(final)]
              : [details[2]!];
      const name = firstName(other);
      mails.push(
        draft({
          id: `${id}-${position + 1}`,
          thread: id,
          from,
          to: [other],
          cc: random.chance(0.2) ? [random.pick(colleagues.filter((key) => key !== partner))] : [],
          subject: position === 0 ? title : `Re: ${title}`,
          body: `${write(random, random.pick(workOpenings), { name })}\n\n${sentences
            .map((sentence) => capital(write(random, sentence, slots)))
            .join(" ")}\n\n${random.pick(workClosings)}\n${from === "nora" ? "Nora" : nameOf(from)}`,
          at,
          attachments: random.chance(0.15),
        }),
      );
      from = other;
      at += random.chance(0.7) ? minutes(random.int(12, 170)) : hours(random.int(18, 30));
    }
    return mails;
  }
}
