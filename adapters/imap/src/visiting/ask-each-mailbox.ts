import type { MailboxAccessError, MailServerError } from "@postern/core/mail";
import type { AccountId } from "@postern/core/shared";
import { Clock, Effect } from "effect";
import type { ImapFlow } from "imapflow";
import { type Selected, type Visit, visitMailboxes } from "./visit-mailboxes.ts";
import type { ImapConnections } from "../session/ImapConnections.ts";

/**
 * A visit, and the function that returns its answer after the visit ended; the answer is undefined if the mailbox needs
 * a separate request.
 */
export interface MailboxRequest<A> extends Visit {
  readonly answer: (selected: Selected) => A | undefined;
}

export interface MailboxRequests<T, A, E> {
  /** Returns the request to one mailbox for a write with several; undefined if the mailbox needs a separate request. */
  readonly together: (client: ImapFlow, asked: T) => MailboxRequest<A> | undefined;
  readonly alone: (asked: T) => Effect.Effect<A, E>;
  /** The answer for a mailbox that no longer exists. */
  readonly gone: A;
}

/** Maximum number of connections of an account in use at once. More would leave none free for other requests. */
const MAX_CONNECTIONS = 2;

/** The number of mailboxes in the first write of a connection, and the maximum in one write. */
const FIRST_BATCH = 8;
const MAX_BATCH = 32;

/** The duration of a write below which a larger one follows. */
const QUICK_MILLIS = 400;
/** The duration of a write above which a smaller one follows. */
const SLOW_MILLIS = 1_000;

/** Sends the same request to several mailboxes in one write, and passes each answer to `answered` as soon as it arrives. */
export const askEachMailbox = <T extends { readonly path: string }, A, E>(
  connections: ImapConnections["Service"],
  account: AccountId,
  asked: ReadonlyArray<T>,
  { together, alone, gone }: MailboxRequests<T, A, E>,
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
          const requests = group.map((one) => together(client, one));
          const visits = requests.filter((request) => request !== undefined);
          const visited = visits.length === 0 ? [] : yield* visitMailboxes(client, visits, timeout);
          const selected = new Map(visits.map((visit, n) => [visit, visited[n]]));
          return requests.map((request) => {
            const mailbox = request && selected.get(request);
            return mailbox === null ? gone : mailbox && request?.answer(mailbox);
          });
        }),
      ),
    ).pipe(Effect.catchIf(isAboutSession, () => Effect.succeed(group.map(() => undefined))));
  const work = Effect.gen(function* () {
    for (let size = FIRST_BATCH; left.length > 0;) {
      const group = left.splice(0, size);
      const begun = yield* Clock.currentTimeMillis;
      const answers = yield* askTogether(group);
      for (const [n, one] of group.entries()) {
        const answer = answers[n];
        answered(one, answer === undefined ? yield* alone(one) : answer);
      }
      const took = (yield* Clock.currentTimeMillis) - begun;
      size = took < QUICK_MILLIS ? Math.min(size * 2, MAX_BATCH) : took > SLOW_MILLIS ? Math.max(size >> 1, 1) : size;
    }
  });
  const connectionsUsed = Math.min(MAX_CONNECTIONS, Math.ceil(asked.length / FIRST_BATCH));
  return Effect.all(
    Array.from({ length: connectionsUsed }, () => work),
    { concurrency: "unbounded", discard: true },
  );
};

/**
 * Returns whether the session was lost or became unusable, which pipelined commands may cause on servers without
 * support for them.
 */
const isAboutSession = (error: unknown): error is MailServerError => {
  const { _tag, reason } = error as MailServerError;
  return _tag === "MailServerError" && (reason === "protocol" || reason === "unreachable");
};
