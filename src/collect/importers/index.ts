// All importers.
import type { Importer } from "../importer.ts";
import { agentsImporter } from "./agents/importer.ts";
import { aiChatsImporter } from "./ai-chats/importer.ts";
import { bankImporter } from "./bank/importer.ts";
import { blueskyImporter } from "./bluesky/importer.ts";
import { bookmarksImporter } from "./bookmarks/importer.ts";
import { browserHistoryImporter } from "./browser-history/importer.ts";
import { calendarImporter } from "./calendar/importer.ts";
import { contactsImporter } from "./contacts/importer.ts";
import { discordImporter } from "./discord/importer.ts";
import { facebookImporter } from "./facebook/importer.ts";
import { githubImporter } from "./github/importer.ts";
import { googleActivityImporter } from "./google-activity/importer.ts";
import { googleChatImporter } from "./google-chat/importer.ts";
import { googleLocationImporter } from "./google-location/importer.ts";
import { healthImporter } from "./health/importer.ts";
import { imessageImporter } from "./imessage/importer.ts";
import { instagramImporter } from "./instagram/importer.ts";
import { kindleImporter } from "./kindle/importer.ts";
import { linkedinImporter } from "./linkedin/importer.ts";
import { mailImporter } from "./mail/importer.ts";
import { mastodonImporter } from "./mastodon/importer.ts";
import { mediaImporter } from "./media/importer.ts";
import { noteAppsImporter } from "./note-apps/importer.ts";
import { notesImporter } from "./notes/importer.ts";
import { photosImporter } from "./photos/importer.ts";
import { redditImporter } from "./reddit/importer.ts";
import { savedPagesImporter } from "./saved-pages/importer.ts";
import { shellImporter } from "./shell/importer.ts";
import { shelvesImporter } from "./shelves/importer.ts";
import { signalImporter } from "./signal/importer.ts";
import { skypeImporter } from "./skype/importer.ts";
import { slackImporter } from "./slack/importer.ts";
import { smsImporter } from "./sms/importer.ts";
import { stravaImporter } from "./strava/importer.ts";
import { tablesImporter } from "./tables/importer.ts";
import { telegramImporter } from "./telegram/importer.ts";
import { tracksImporter } from "./tracks/importer.ts";
import { whatsappImporter } from "./whatsapp/importer.ts";
import { xImporter } from "./x/importer.ts";
export const IMPORTERS: readonly Importer[] = [
  agentsImporter,
  aiChatsImporter,
  blueskyImporter,
  bookmarksImporter,
  browserHistoryImporter,
  calendarImporter,
  contactsImporter,
  facebookImporter,
  githubImporter,
  googleActivityImporter,
  googleLocationImporter,
  discordImporter,
  googleChatImporter,
  imessageImporter,
  instagramImporter,
  kindleImporter,
  linkedinImporter,
  mastodonImporter,
  redditImporter,
  signalImporter,
  skypeImporter,
  mailImporter,
  mediaImporter,
  noteAppsImporter,
  notesImporter,
  photosImporter,
  savedPagesImporter,
  shelvesImporter,
  slackImporter,
  stravaImporter,
  smsImporter,
  telegramImporter,
  tracksImporter,
  whatsappImporter,
  xImporter,
  bankImporter,
  healthImporter,
  shellImporter,
  tablesImporter,
];
