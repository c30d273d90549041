import { FOREIGN_LETTERS } from "./letters/foreign-letters.ts";
import { chanceFrom } from "./chance.ts";
import { compose } from "./letters/compose.ts";
import { conversationPosts } from "./conversation-posts.ts";
import { demoAccountsElsewhere } from "./demo-providers.ts";
import { HOME } from "./letters/home-letters.ts";
import { NEWSLETTERS } from "./letters/newsletters.ts";
import { NOTICES } from "./letters/notices.ts";
import { PEOPLE } from "./letters/people.ts";
import type { Post } from "./letters/Post.ts";
import { seriesPosts } from "./series-posts.ts";
import { singlePosts } from "./single-posts.ts";
import { STUDIO } from "./letters/studio-letters.ts";

/** The accounts that can sign in to the sandbox. */
export const demoAccounts = [
  { ...PEOPLE.robin, password: "demo" },
  { ...PEOPLE.sam, password: "demo" },
] as const;

/** A message on the mail server; `arrivedAt` in epoch milliseconds. */
interface DemoMessage {
  readonly folder: string;
  /** Returns the raw message, composed at the first call. */
  readonly raw: () => Uint8Array;
  readonly arrivedAt: number;
  readonly flags: ReadonlyArray<string>;
}

/** An account with its mail, oldest first. */
interface DemoMailbox {
  readonly address: string;
  readonly password: string;
  readonly folders: ReadonlyArray<string>;
  readonly messages: ReadonlyArray<DemoMessage>;
}

/** Folders of the demo account besides the special ones; `Архив` only contains another folder. */
const FOLDERS = [
  "Projects",
  "Projects/2026",
  "Projects/2026/Räume",
  "Reçus & factures",
  "日本語",
  "Ελληνικά",
  "Архив/Старое",
];

/**
 * Returns the demo accounts with mail of the year before `now` (epoch milliseconds). The same `now` and `seed` make
 * the same mail, byte for byte.
 */
export const demoMail = (now: number, seed = 1): ReadonlyArray<DemoMailbox> => {
  const posts = postsOf(now, seed).map((post) => ({ ...post, raw: composedOnce(post) }));
  const [demo, friend] = demoAccounts;
  return [
    {
      ...demo,
      folders: FOLDERS,
      messages: posts.map(({ folder, flags, message, raw }) => ({ folder, flags, raw, arrivedAt: arrivalOf(message) })),
    },
    {
      ...friend,
      folders: [],
      messages: posts.flatMap(({ friendFolder: folder, message, raw }) =>
        folder === undefined ? [] : [{ folder, flags: ["\\Seen"], raw, arrivedAt: arrivalOf(message) }],
      ),
    },
    ...demoAccountsElsewhere.map((account) => ({ ...account, folders: [], messages: [] })),
  ];
};

/** Returns the posts in order of arrival, so that UIDs grow with time. */
const postsOf = (now: number, seed: number): ReadonlyArray<Post> => {
  const chance = chanceFrom(seed);
  return [
    ...[...STUDIO, ...FOREIGN_LETTERS, ...HOME].flatMap((conversation) => conversationPosts(conversation, now, chance)),
    ...[...NEWSLETTERS, ...NOTICES].flatMap((series) => seriesPosts(series, now, chance)),
    ...singlePosts(now, chance),
  ].toSorted((one, other) => one.message.sentAt - other.message.sentAt);
};

const composedOnce = ({ message }: Post): (() => Uint8Array) => {
  let composed: Uint8Array | undefined;
  return () => (composed ??= compose(message));
};

const arrivalOf = ({ sentAt }: Post["message"]): number => sentAt + 3000;
