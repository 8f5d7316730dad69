// The ways to add a source, with words that say what each is for.

export const ADD = "/dashboard/add";

export interface SourceChoice {
  from: "imap" | "caldav" | "carddav" | "folder" | "path";
  title: string;
  /** One sentence that says who needs it. */
  about: string;
  /** The connection's default name. The user name is added to it, as in `Mail: USER`. */
  name?: string;
  /** Instructions for providers whose settings people often need. */
  help?: readonly string[];
}

const APP_PASSWORD = "Most providers require an app password, which you create in their security settings.";

export const CHOICES: readonly SourceChoice[] = [
  {
    from: "imap",
    title: "Mailbox",
    about: "Gmail, iCloud, Fastmail or any other mailbox, over IMAP.",
    name: "Mail",
    help: [
      "Gmail: imap.gmail.com. Turn on 2-Step Verification, then create an app password in your Google account under Security.",
      "iCloud: imap.mail.me.com, with an app-specific password from account.apple.com.",
      "Fastmail: imap.fastmail.com, with an app password from Settings → Privacy & Security.",
      APP_PASSWORD,
    ],
  },
  {
    from: "caldav",
    title: "Calendar",
    about: "Events and tasks from iCloud, Fastmail, Nextcloud and others, over CalDAV.",
    name: "Calendar",
    help: [
      "iCloud: caldav.icloud.com, with an app-specific password from account.apple.com.",
      "Fastmail: caldav.fastmail.com, with an app password from Settings → Privacy & Security.",
      "Nextcloud: the address of your Nextcloud, with an app password from Settings → Security.",
      APP_PASSWORD,
    ],
  },
  {
    from: "carddav",
    title: "Contacts",
    about: "Address books from iCloud, Fastmail, Nextcloud and others, over CardDAV.",
    name: "Contacts",
    help: [
      "iCloud: contacts.icloud.com, with an app-specific password from account.apple.com.",
      "Fastmail: carddav.fastmail.com, with an app password from Settings → Privacy & Security.",
      "Nextcloud: the address of your Nextcloud, with an app password from Settings → Security.",
      APP_PASSWORD,
    ],
  },
  {
    from: "folder",
    title: "Watched folder",
    about: "Every export that you put into a folder on this server’s machine is imported once.",
  },
  {
    from: "path",
    title: "Your own connector",
    about: "A program on this server’s machine that fetches data from one of your sources.",
  },
];
