// Mail: the folders of a personal and a work account as mbox files.
import { dublin, iso, TODAY } from "../clock.ts";
import { type MboxMail, mboxOf } from "../formats/mbox.ts";
import type { DemoExport } from "../home.ts";
import { nameOf, type PersonKey, people, WORK_ADDRESS } from "../people.ts";
import { receiptPdf } from "../pictures.ts";
import { createRandom } from "../random.ts";
import type { Mail } from "./mail-draft.ts";
import { personalMail } from "./mail-personal.ts";
import { workMail } from "./mail-work.ts";

/** Replies after the demo's "today" do not exist yet. */
const END = dublin(`${TODAY} 20:00`);

const FOLDERS: Record<Mail["folder"], string> = {
  inbox: "Inbox",
  sent: "Sent",
  newsletters: "Newsletters",
  archive: "Archive",
};

export const mailExports = (): DemoExport[] => [
  mailbox("mail-personal", "Personal mail", people.nora.email, personalMail),
  mailbox("mail-work", "Work mail", WORK_ADDRESS, workMail),
];

function mailbox(key: string, displayName: string, own: string, make: () => Mail[]): DemoExport {
  return {
    key,
    display_name: displayName,
    *files() {
      const mails = mailsOf(key, own, make());
      for (const [folder, name] of Object.entries(FOLDERS)) {
        const inside = mails.filter((mail) => mail.folder === folder);
        if (inside.length > 0) yield { path: `${name}.mbox`, content: mboxOf(inside) };
      }
    },
  };
}

function mailsOf(key: string, own: string, all: readonly Mail[]): (MboxMail & Pick<Mail, "folder">)[] {
  const random = createRandom(`${key} flags`);
  const person = (who: PersonKey) => ({ name: nameOf(who), address: who === "nora" ? own : people[who].email });
  const threads = new Map<string, string[]>();
  const before = all.filter(({ at }) => at < END).sort((a, b) => a.at - b.at);
  return before.map((mail) => {
    const answers = threads.get(mail.thread) ?? [];
    threads.set(mail.thread, [...answers, mail.id]);
    const isRecent = iso(mail.at) >= "2026-06-20";
    const { id, at, subject, body, folder } = mail;
    return {
      id,
      at,
      subject,
      body,
      folder,
      from: person(mail.from),
      to: mail.to.map(person),
      cc: mail.cc.map(person),
      answers,
      unread: folder === "newsletters" ? random.chance(0.5) : isRecent && random.chance(0.4),
      ...(folder === "sent" ? {} : { deliveredTo: own }),
      ...(folder === "newsletters" ? { list: people[mail.from].email.replace("@", ".") } : {}),
      ...(mail.attachments
        ? {
            attachment: {
              name: `${id.replace(/^m-|-confirmed$/g, "")}.pdf`,
              type: "application/pdf",
              bytes: receiptPdf([nameOf(mail.from), subject, iso(at).slice(0, 10)]),
            },
          }
        : {}),
    };
  });
}
