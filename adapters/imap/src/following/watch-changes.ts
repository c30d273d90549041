import type { MailServerError } from "@postern/core/mail";
import { Effect } from "effect";
import type { ImapFlow } from "imapflow";
import { connectionLoss, floodFailure } from "../connection/imap-failure.ts";
import { isFlooding } from "../wire/bound-responses.ts";
import { isAlive } from "../wire/imapflow-internals.ts";
import type { KnownMessages } from "./KnownMessages.ts";

export const INBOX = "INBOX";

/** Returns whether a session has this mailbox open, by default INBOX. */
export const isOpen = ({ mailbox }: ImapFlow, path = INBOX): boolean => mailbox !== false && mailbox.path === path;

/** The changes that the server of a watch reports. */
export interface WatchChanges {
  /** Whether the server reported a change of INBOX since its last poll. */
  news: boolean;
  /** The other mailboxes that the server reported as changed; null if any may have changed. */
  others: Set<string> | null;
  /** Whether the session already sees the current state of INBOX. */
  upToDate: boolean;
  /** Returns the other mailboxes that changed since the last call. */
  readonly takeOthers: () => ReadonlySet<string> | null;
  readonly hearOther: (path: string | null) => void;
  /** Waits for a change, by IDLE if the server has it. */
  readonly next: Effect.Effect<void, MailServerError>;
}

/** Collects the changes that a server announces: those of INBOX while it is open, and those of other mailboxes. */
export const watchChanges = (client: ImapFlow, known: KnownMessages): WatchChanges => {
  let wake: (() => void) | undefined;
  const changes: WatchChanges = {
    news: false,
    others: new Set(),
    upToDate: true,
    takeOthers: () => {
      const { others } = changes;
      changes.others = new Set();
      return others;
    },
    hearOther: (path) => {
      if (path === null) changes.others = null;
      else changes.others?.add(path);
      wake?.();
    },
    next: Effect.callback((resume) => {
      const lost = () => (isFlooding(client) ? floodFailure("idle") : connectionLoss("idle", client.byeReason));
      const end = () => resume(isAlive(client) ? Effect.void : Effect.fail(lost()));
      wake = end;
      if (changes.news || changes.others?.size !== 0 || !isAlive(client)) return end();
      if (!client.idling && client.capabilities.has("IDLE")) client.idle().then(ended, ended);
      return Effect.sync(() => void (wake = undefined));
    }),
  };
  // The end of an IDLE is a failure only if the connection ended too.
  const ended = () => void (isAlive(client) || wake?.());
  const hear = () => {
    if (!isOpen(client)) return;
    changes.news = true;
    wake?.();
  };
  client.on("exists", hear);
  client.on("expunge", ({ seq, earlier }) => {
    // VANISHED (EARLIER) answers a FETCH of the poll.
    if (earlier === true || !isOpen(client)) return;
    known.renumber(seq);
    hear();
  });
  client.on("flags", (event) => {
    if (isOpen(client)) known.announce(event);
    hear();
  });
  client.on("close", () => wake?.());
  return changes;
};
