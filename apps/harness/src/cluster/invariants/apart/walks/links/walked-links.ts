import { Accounts } from "@postern/core/accounts";
import { ConnectLinks } from "@postern/core/oauth";
import { Context, Effect } from "effect";
import type { Visit } from "../../../../Visit.ts";
import { MINUTE } from "../../durations.ts";

/** How long a link and a consent work. */
export const LIFETIME = 10 * MINUTE;

export type Reach = ReadonlyArray<string> | null;

/** A key that makes links; null for the operator. */
export interface LinkKey {
  readonly id: string;
  readonly application: string;
  readonly reach: Reach;
  readonly expiresAt: number | null;
  isGone: boolean;
}

/** The request for a link. */
export interface Written {
  readonly redirectUrl: string;
  readonly state?: string;
  readonly email?: string;
  readonly provider?: string;
  readonly tags?: ReadonlyArray<string>;
}

/** A link as its application knows it. */
export interface WalkedLink {
  readonly secret: string;
  readonly key: LinkKey | null;
  readonly written: Written;
  readonly expiresAt: number;
  isClosed: boolean;
}

/** Returns the links of keys and of the operator, with a model of the links and of the accounts that they connected. */
export const walkedLinks = (visit: Visit) => {
  const keys: Array<LinkKey> = [];
  const all: Array<WalkedLink> = [];
  /** The connected accounts, with their tags. */
  const accounts = new Map<string, ReadonlyArray<string>>();
  const links = <A, E>(use: (links: ConnectLinks["Service"]) => Effect.Effect<A, E>) =>
    visit.ask("links", (services) => use(Context.get(services, ConnectLinks)));
  const isLive = (key: LinkKey | null) =>
    key === null || (!key.isGone && (key.expiresAt === null || visit.now < key.expiresAt));
  const includes = (reach: Reach, tags: ReadonlyArray<string>) => reach === null || tags.includes("a");
  return {
    keys,
    all,
    accounts,
    links,
    works: ({ key, expiresAt, isClosed }: WalkedLink) => !isClosed && visit.now < expiresAt && isLive(key),
    /** Whether a key may connect an account: it must be in the key's reach before and after. */
    mayConnect: (reach: Reach, email: string, tags: ReadonlyArray<string> | undefined): boolean => {
      const known = accounts.get(email);
      return (known === undefined || includes(reach, known)) && includes(reach, tags ?? known ?? []);
    },
    /** The deadlines around which a link is uncertain. */
    deadlines: () => [
      ...all.map(({ expiresAt }) => expiresAt),
      ...keys.flatMap(({ expiresAt }) => (expiresAt === null ? [] : [expiresAt])),
    ],
    /** An account was connected by a link, which ends. */
    connected: (link: WalkedLink, email: string) =>
      Effect.gen(function* () {
        link.isClosed = true;
        accounts.set(email, link.written.tags ?? accounts.get(email) ?? []);
        const found = yield* visit.ask("find", (services) => Context.get(services, Accounts).find(email, null));
        visit.same([found.managed, found.tags], [true, accounts.get(email)], "an account that a link connected");
      }),
  };
};
export type WalkedLinks = ReturnType<typeof walkedLinks>;
