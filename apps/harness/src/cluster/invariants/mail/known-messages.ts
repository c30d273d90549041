import { Inbox, type InboxPage, MessageActions, Search } from "@postern/core/messages";
import type { AccountId } from "@postern/core/shared";
import { Context, Effect } from "effect";
import type { Visit } from "../../Visit.ts";

export const FLAGS = ["unread", "flagged", "answered"] as const;

export type Flags = Parameters<MessageActions["Service"]["change"]>[2];

/** What the client knows of a message. */
export interface Known {
  readonly id: string;
  readonly messageId: string;
  folder: string;
  unread: boolean;
  flagged: boolean;
  answered: boolean;
  labels: ReadonlyArray<string>;
}

/** Changes what is known of a message. */
export const apply = (one: Known, flags: Flags, folder: string | undefined): void => {
  for (const flag of FLAGS) one[flag] = flags[flag] ?? one[flag];
  const fold = (labels: ReadonlyArray<string> = []) => labels.map((label) => label.toLowerCase());
  const removed = new Set(fold(flags.removeLabels));
  one.labels = [...new Set([...one.labels, ...fold(flags.addLabels)])].filter((label) => !removed.has(label));
  one.folder = folder ?? one.folder;
};

type State = Pick<Known, (typeof FLAGS)[number] | "labels">;
/** Returns the flags and labels of a message. */
export const stateOf = ({ unread, flagged, answered, labels }: State) => [
  unread,
  flagged,
  answered,
  labels.map((label) => label.toLowerCase()).toSorted(),
];

type Answer<Method extends (...args: never) => Effect.Effect<unknown, unknown>> = Effect.Effect<
  Effect.Success<ReturnType<Method>>,
  unknown
>;

/** The requests of an account about its messages. */
export interface Box {
  readonly list: (folder: string) => Effect.Effect<InboxPage, unknown>;
  readonly listAll: (cursor: string | undefined) => Answer<Inbox["Service"]["listAccount"]>;
  readonly search: Answer<Search["Service"]["list"]>;
  readonly change: (
    id: string,
    flags: Flags,
    folderId: string | undefined,
  ) => Answer<MessageActions["Service"]["change"]>;
  readonly carryOut: (
    ids: ReadonlyArray<string>,
    action: Parameters<MessageActions["Service"]["carryOut"]>[2],
  ) => Answer<MessageActions["Service"]["carryOut"]>;
}

/** Returns the requests of an account about its messages. */
export const boxOf = (visit: Visit, account: AccountId): Box => {
  const act = <A, E>(name: string, use: (actions: MessageActions["Service"]) => Effect.Effect<A, E>) =>
    visit.ask(name, (services) => use(Context.get(services, MessageActions)));
  return {
    list: (folder: string) =>
      Effect.map(
        visit.ask("list", (services) => Context.get(services, Inbox).list(account, { folder })),
        ({ page }) => page,
      ),
    listAll: (cursor: string | undefined) =>
      visit.ask("list all", (services) => Context.get(services, Inbox).listAccount(account, { limit: 2, cursor })),
    search: visit.ask("search", (services) => Context.get(services, Search).list(account, { from: "friend" })),
    change: (id: string, flags: Flags, folderId: string | undefined) =>
      act("change", (actions) => actions.change(account, id, flags, folderId)),
    carryOut: (ids: ReadonlyArray<string>, action: Parameters<MessageActions["Service"]["carryOut"]>[2]) =>
      act("batch", (actions) => actions.carryOut(account, ids, action)),
  };
};
