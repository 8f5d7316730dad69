// A story: hand-written pieces of one episode, spread over the sources in which it would leave traces.
import type { PersonKey } from "../people.ts";

/** Times are "YYYY-MM-DD HH:MM" on a Dublin clock; ids are stable, so that tests and docs can cite them. */
export interface Story {
  mail?: StoryMail[];
  chat?: StoryChat[];
  events?: StoryEvent[];
  payments?: StoryPayment[];
  notes?: StoryNote[];
  entries?: StoryEntry[];
  tasks?: StoryTask[];
  orders?: StoryOrder[];
}

export interface StoryMail {
  id: string;
  account: "personal" | "work";
  at: string;
  from: PersonKey;
  /** Defaults to Nora or, for her own messages, to the person that she replies to. */
  to?: PersonKey[];
  cc?: PersonKey[];
  subject: string;
  body: string;
  /** Messages in the same thread share this; by default, a message is its own thread. */
  thread?: string;
  attachments?: boolean;
}

export type WhatsappConversation =
  | "mateus"
  | "keanes"
  | "supper-club"
  | "mum"
  | "orla"
  | "priya"
  | "jonas"
  | "wren-box"
  | "choir";
export type SlackConversation =
  | "general"
  | "harbour-hall"
  | "kilbride-school"
  | "north-quay"
  | "lab"
  | "random"
  | "dm-grainne"
  | "dm-oisin"
  | "dm-hana"
  | "dm-ewa";

interface ChatLine {
  id: string;
  at: string;
  from: PersonKey;
  text: string;
}

export type StoryChat = ChatLine &
  ({ app: "whatsapp"; conversation: WhatsappConversation } | { app: "slack"; conversation: SlackConversation });

export interface StoryEvent {
  id: string;
  calendar: "personal" | "work" | "choir";
  title: string;
  start: string;
  end: string;
  location?: string;
  description?: string;
  with?: PersonKey[];
  allDay?: boolean;
}

export interface StoryPayment {
  id: string;
  bank: "liffey" | "canal";
  at: string;
  /** Negative for money spent. */
  amount: number;
  counterparty: string;
  category: string;
  description: string;
}

export type DemoNotebook = "home" | "recipes" | "wren-box" | "work" | "reading" | "choir" | "walks";

export interface StoryNote {
  id: string;
  notebook: DemoNotebook;
  title: string;
  at: string;
  body: string;
  tags?: string[];
}

export interface StoryEntry {
  id: string;
  at: string;
  place: string;
  title: string;
  text: string;
}

export interface StoryTask {
  id: string;
  at: string;
  project: "home" | "work" | "wren-box" | "family" | "admin";
  title: string;
  notes?: string;
  due?: string;
  /** When the task was completed or deleted. */
  done?: string;
  deleted?: string;
}

export interface StoryOrder {
  id: string;
  at: string;
  shop: PersonKey;
  items: { sku: string; name: string; quantity: number; unit_price: number }[];
  shipping: number;
  note?: string;
}
