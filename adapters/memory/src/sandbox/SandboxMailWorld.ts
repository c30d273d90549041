import { Clock, Effect, Layer } from "effect";
import type { MailAccount } from "../mail/MailAccount.ts";
import { MailServerInMemory, MailWorld } from "../mail/MailWorld.ts";
import { ABROAD } from "./abroad-letters.ts";
import { chanceFrom } from "./chance.ts";
import { compose } from "./compose.ts";
import { conversationPosts } from "./conversation-posts.ts";
import { HOME } from "./home-letters.ts";
import { NEWSLETTERS } from "./newsletters.ts";
import { NOTICES } from "./notices.ts";
import { PEOPLE } from "./people.ts";
import type { Post } from "./Post.ts";
import { seriesPosts } from "./series-posts.ts";
import { singlePosts } from "./single-posts.ts";
import { STUDIO } from "./studio-letters.ts";

/** Who may sign in at the sandbox (spec 1). */
export const demoAccounts = [
  { ...PEOPLE.robin, password: "demo" },
  { ...PEOPLE.sam, password: "demo" },
] as const;

export interface SandboxOptions {
  /** Epoch milliseconds; the mail is of the year before. */
  readonly now: number;
  /** The first UIDVALIDITY: another one at every start, or clients take the new mail for the old. */
  readonly uidValidityBase: number;
  /** The same seed and now make the same mail, byte for byte. */
  readonly seed?: number;
}

/** Folders of the demo account beside the special ones; `Архив` is a name that only holds another. */
const FOLDERS = [
  "Projects",
  "Projects/2026",
  "Projects/2026/Räume",
  "Reçus & factures",
  "日本語",
  "Ελληνικά",
  "Архив/Старое",
];

/** A mail server with the demo accounts and a year of their mail. */
export const sandboxMailServer = ({ now, uidValidityBase, seed = 1 }: SandboxOptions): MailServerInMemory => {
  const server = new MailServerInMemory(uidValidityBase);
  const [demo, friend] = demoAccounts.map(({ address, password }) => server.addAccount(address, password));
  for (const path of FOLDERS) demo!.create(path);
  for (const post of postsOf(now, seed)) deliver(post, demo!, friend!);
  return server;
};

/** The sandbox's mail server, made for the moment it starts (spec 1). */
export const SandboxMailWorld = Layer.effect(
  MailWorld,
  Effect.map(Clock.currentTimeMillis, (now) =>
    sandboxMailServer({ now, uidValidityBase: Math.max(1, Math.floor(now / 1000)) }),
  ),
);

/** In the order they came, so that UIDs grow with time. */
const postsOf = (now: number, seed: number): ReadonlyArray<Post> => {
  const chance = chanceFrom(seed);
  return [
    ...[...STUDIO, ...ABROAD, ...HOME].flatMap((conversation) => conversationPosts(conversation, now, chance)),
    ...[...NEWSLETTERS, ...NOTICES].flatMap((series) => seriesPosts(series, now, chance)),
    ...singlePosts(now, chance),
  ].toSorted((one, other) => one.message.sentAt - other.message.sentAt);
};

const deliver = ({ message, folder, flags, friendFolder }: Post, demo: MailAccount, friend: MailAccount): void => {
  let composed: Uint8Array | undefined;
  const raw = () => (composed ??= compose(message));
  const arrivedAt = message.sentAt + 3000;
  demo.mailbox(folder).append(raw, arrivedAt, flags);
  if (friendFolder !== undefined) friend.mailbox(friendFolder).append(raw, arrivedAt, ["\\Seen"]);
};
