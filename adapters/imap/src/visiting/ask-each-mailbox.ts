import type { MailboxAccessError, MailServerError } from "@postern/core/mail";
import type { AccountId } from "@postern/core/shared";
import { Clock, Effect } from "effect";
import type { ImapFlow } from "imapflow";
import { type Selected, type Visit, visitMailboxes } from "./visit-mailboxes.ts";
import type { ImapConnections } from "../session/ImapConnections.ts";

/** A visit, and how its answer is read once it has ended; undefined if the mailbox must be asked again alone. */
export interface Question<A> extends Visit {
  readonly answer: (selected: Selected) => A | undefined;
}

export interface Questions<T, A, E> {
  /** Returns what to ask a mailbox in one write with others; undefined if it must be asked alone. */
  readonly together: (client: ImapFlow, asked: T) => Question<A> | undefined;
  readonly alone: (asked: T) => Effect.Effect<A, E>;
  /** The answer of a mailbox that is gone. */
  readonly gone: A;
}

/** Connections of an account that ask at once: with more, other requests wait for one. */
const MAX_CONNECTIONS = 2;

/** Mailboxes of the first write of a connection, and the most of a write. */
const FIRST = 8;
const MOST = 32;

/** A write that takes less is followed by a larger one, and one that takes more by a smaller one, in milliseconds. */
const QUICK = 400;
const SLOW = 1_000;

/** Asks mailboxes the same, several in one write, and passes on each answer when it is there. */
export const askEachMailbox = <T extends { readonly path: string }, A, E>(
  connections: ImapConnections["Service"],
  account: AccountId,
  asked: ReadonlyArray<T>,
  { together, alone, gone }: Questions<T, A, E>,
  timeout: number,
  answered: (asked: T, answer: A) => void,
): Effect.Effect<void, E | MailboxAccessError> => {
  const left = [...asked];
  const askTogether = (group: ReadonlyArray<T>) =>
    Effect.scoped(
      connections.hold(
        account,
        "bulk",
        group[0]!.path,
        Effect.fnUntraced(function* (client) {
          const questions = group.map((one) => together(client, one));
          const visits = questions.filter((question) => question !== undefined);
          const visited = visits.length === 0 ? [] : yield* visitMailboxes(client, visits, timeout);
          const selected = new Map(visits.map((visit, n) => [visit, visited[n]]));
          return questions.map((question) => {
            const mailbox = question && selected.get(question);
            return mailbox === null ? gone : mailbox && question?.answer(mailbox);
          });
        }),
      ),
    ).pipe(Effect.catchIf(isAboutSession, () => Effect.succeed(group.map(() => undefined))));
  const work = Effect.gen(function* () {
    for (let size = FIRST; left.length > 0;) {
      const group = left.splice(0, size);
      const begun = yield* Clock.currentTimeMillis;
      const answers = yield* askTogether(group);
      for (const [n, one] of group.entries()) {
        const answer = answers[n];
        answered(one, answer === undefined ? yield* alone(one) : answer);
      }
      const took = (yield* Clock.currentTimeMillis) - begun;
      size = took < QUICK ? Math.min(size * 2, MOST) : took > SLOW ? Math.max(size >> 1, 1) : size;
    }
  });
  const connectionsUsed = Math.min(MAX_CONNECTIONS, Math.ceil(asked.length / FIRST));
  return Effect.all(
    Array.from({ length: connectionsUsed }, () => work),
    { concurrency: "unbounded", discard: true },
  );
};

/** Whether a session ended or was left unusable, which a server may do that does not take several commands at once. */
const isAboutSession = (error: unknown): error is MailServerError => {
  const { _tag, reason } = error as MailServerError;
  return _tag === "MailServerError" && (reason === "protocol" || reason === "unreachable");
};
