import { SignIn } from "@postern/core/lifecycle";
import { Context, Effect, Redacted } from "effect";
import { type Client, clientOf } from "../send/outbox-client.ts";
import { DAY, type Deadline, type Deadlines, HOUR, MINUTE } from "./Deadline.ts";
import { managedAccount } from "./managed-account.ts";

/** A time longer than a client waits for the first attempt, in milliseconds. */
const SLOW_SIGN_IN = 20_000;
const NEW_PASSWORD = "a password that Postern does not know";

/**
 * A message that no attempt delivers is reported as delayed 4 hours, and ends 4 days, after the request or its time. A
 * message whose account is refused waits for 24 hours, or for the next sign-in. [S6.4-4] [S6.4-9] [S6.4-16]
 */
export const mailDeadlines: Deadlines = (visit, cluster) =>
  Effect.gen(function* () {
    const client = clientOf(visit, cluster, yield* managedAccount(visit, cluster, "waiting"));
    const { send, state, events } = client;
    const now = yield* send("never taken");
    // One recipient has a reply when the ladder ends, and the other one has none.
    const mixed = yield* send("never-mixed cut-mixed");
    const then = yield* send("never-then", { sendAt: visit.now + 2 * DAY });
    const expect = (
      subject: string,
      { messageId }: { readonly messageId: string },
      promised: { readonly state: string; readonly events: ReadonlyArray<string> },
      when: string,
    ) =>
      Effect.map(state(subject), (found) => {
        const known = { state: found, events: events(messageId).toSorted() };
        visit.same(known, promised, `a message that is refused for now, ${when}`);
      });
    const delayed = (to: string) => `email.delayed ${to}@far.test`;
    const bounced = (to: string) => `email.bounced ${to}@far.test`;
    const partly = { state: "sent", events: ["email.sent"] };
    const late = { state: "sent", events: [delayed("never"), "email.sent"] };
    const over = { state: "sent", events: [bounced("never"), delayed("never"), "email.sent"] };

    const refused = clientOf(visit, cluster, yield* visit.signUp("refused-for-days"));
    const renewed = clientOf(visit, cluster, yield* visit.signUp("renewed-later"));
    const sendAt = visit.now + HOUR;
    const unsent = yield* refused.send("unsent", { sendAt });
    const resumed = yield* renewed.send("resumed", { sendAt });
    for (const { account } of [refused, renewed]) cluster.mail.addAccount(account, NEW_PASSWORD);
    const left = clientOf(visit, cluster, yield* visit.signUp("refused-afterwards"));
    const kept = yield* sendAndLeave(left);
    const expectRefused = (of: typeof client, subject: string, promised: string, when: string) =>
      Effect.map(of.state(subject), (found) => visit.same(found, promised, `a message of a refused account ${when}`));
    return [
      [2 * HOUR, expectRefused(refused, "unsent", "queued", "after the refusal")],
      [2 * HOUR, expectRefused(renewed, "resumed", "queued", "after the refusal")],
      [3 * HOUR + 50 * MINUTE, expect("never taken", now, partly, "before 4 hours")],
      [8 * HOUR, expect("never taken", now, late, "after 4 hours")],
      [2 * HOUR, expectRefused(left, "kept", "queued", "whose client had left")],
      [20 * HOUR, signInAgain(renewed)],
      [20 * HOUR, signInAgain(left)],
      [20 * HOUR + 10_000, expectRefused(renewed, "resumed", "sent", "that signs in again")],
      [20 * HOUR + 10_000, expectRefused(left, "kept", "sent", "that signs in again")],
      [DAY + 30 * MINUTE, expectRefused(refused, "unsent", "queued", "within 24 hours")],
      [DAY + 2 * HOUR, expectRefused(refused, "unsent", "failed", "after 24 hours")],
      [
        DAY + 2 * HOUR,
        Effect.sync(() => {
          visit.same(refused.events(unsent.messageId), ["email.failed"], "the events of a message that was refused");
          visit.same(renewed.events(resumed.messageId), ["email.sent"], "the events of a message that was resumed");
          visit.same(left.events(kept.messageId), ["email.sent"], "the events of a message whose client had left");
        }),
      ],
      [2 * DAY + 3 * HOUR, expect("never-then", then, { state: "queued", events: [] }, "3 hours after its time")],
      [2 * DAY + 9 * HOUR, expect("never-then", then, { state: "queued", events: [delayed("never-then")] }, "later")],
      [4 * DAY - 10 * MINUTE, expect("never taken", now, late, "before 4 days")],
      [4 * DAY + 10 * MINUTE, expect("never taken", now, over, "after 4 days")],
      [
        4 * DAY + 10 * MINUTE,
        expect(
          "never-mixed cut-mixed",
          mixed,
          {
            state: "failed",
            events: [bounced("never-mixed"), delayed("cut-mixed"), delayed("never-mixed"), "email.failed"],
          },
          "for one recipient, after 4 days",
        ),
      ],
      [6 * DAY - 10 * MINUTE, expect("never-then", then, { state: "queued", events: [delayed("never-then")] }, "till")],
      [
        6 * DAY + 10 * MINUTE,
        expect(
          "never-then",
          then,
          { state: "failed", events: [bounced("never-then"), delayed("never-then")] },
          "4 days after its time",
        ),
      ],
    ] satisfies ReadonlyArray<Deadline>;
  });

/** Sends a message whose sign-in at the server takes longer than its client waits, and is refused then. */
const sendAndLeave = ({ cluster, account, send, visit }: Client) =>
  Effect.gen(function* () {
    cluster.mail.addAccount(account, NEW_PASSWORD);
    cluster.servers.lateness = ({ port, args }) => (port === "MailTransport" && args[0] === account ? SLOW_SIGN_IN : 0);
    const receipt = yield* send("kept");
    visit.same(receipt.status, "queued", "the status of a message whose server is slow");
    yield* visit.wait(SLOW_SIGN_IN);
    cluster.servers.lateness = null;
    return receipt;
  });

const signInAgain = ({ visit, account }: Client) =>
  visit.ask("sign in", (services) =>
    Context.get(services, SignIn).withPassword(account, Redacted.make(NEW_PASSWORD), {
      network: "192.0.2.40",
      userAgent: "visit",
    }),
  );
