import { Drafts, DraftSender } from "@postern/core/drafts";
import { Identities, Outbox } from "@postern/core/send";
import { Context, Effect, Option } from "effect";
import { clientOf } from "../send/outbox-client.ts";
import { DAY, type Deadline, type Deadlines, HOUR, MINUTE } from "./Deadline.ts";
import { managedAccount } from "./managed-account.ts";

/**
 * An `Idempotency-Key` is kept for 24 hours and no longer, the receipt of a draft for 30 days, and the link that
 * verifies an alias for 7 days. [S6.5-1] [S12.1-22] [S12.2-8]
 */
export const requestDeadlines: Deadlines = (visit, cluster) =>
  Effect.gen(function* () {
    const client = clientOf(visit, cluster, yield* managedAccount(visit, cluster, "repeating"));
    const { account, send } = client;
    const key = "kept for a day";
    const first = yield* send("repeated", { key });
    const expectRepeat = (isKept: boolean, when: string) =>
      Effect.map(send("repeated", { key }), ({ id }) =>
        visit.same(id === first.id, isKept, `whether a repeat ${when} has the answer of the first request`),
      );
    const subject = "sent once";
    const draft = yield* visit.ask("create a draft", (services) =>
      Context.get(services, Drafts).create(account, { to: "reader@far.test", subject, text: "simulated" }),
    );
    const sendDraft = visit.ask("send a draft", (services) =>
      Context.get(services, DraftSender).send(account, draft.id, undefined, undefined),
    );
    const receipt = yield* sendDraft;
    const identities = <A, E>(use: (all: Identities["Service"]) => Effect.Effect<A, E>) =>
      visit.ask("identities", (services) => use(Context.get(services, Identities)));
    const alias = (address: string) => identities((all) => all.create(account, { address, name: "" }, false));
    const [timely, late] = [yield* alias("timely@far.test"), yield* alias("late@far.test")];
    yield* visit.wait(5_000);
    const tokenOf = (address: string) => {
      const mail = cluster.smtp.taken.findLast(({ recipients }) => recipients.includes(address));
      return /https:\S+\/([^\s/?]+)\s/.exec(new TextDecoder().decode(mail?.raw))?.[1] ?? "";
    };
    const [inTime, tooLate] = [tokenOf("timely@far.test"), tokenOf("late@far.test")];
    const verify = (token: string, promised: string | undefined, when: string) =>
      Effect.map(
        identities((all) => all.verify(token)),
        (address) => visit.same(Option.getOrUndefined(address), promised, `the address that a link verifies ${when}`),
      );
    const sendFrom = ({ id: from }: { readonly id: string }, promised: string, when: string) =>
      Effect.map(Effect.result(send("from an alias", { more: { from } })), (sent) =>
        visit.same(sent._tag === "Success" ? "sent" : sent.failure._tag, promised, `a message from an alias ${when}`),
      );
    return [
      [DAY - 10 * MINUTE, expectRepeat(true, "within 24 hours")],
      [DAY + 10 * MINUTE, expectRepeat(false, "after 24 hours")],
      [7 * DAY - HOUR, sendFrom(timely, "SenderNotAllowed", "before its link is opened")],
      [7 * DAY - HOUR, verify(inTime, "timely@far.test", "within 7 days")],
      [7 * DAY - HOUR, sendFrom(timely, "sent", "that is verified")],
      [7 * DAY - HOUR, verify(inTime, undefined, "that was used")],
      [7 * DAY + HOUR, verify(tooLate, undefined, "after 7 days")],
      [7 * DAY + HOUR, sendFrom(late, "SenderNotAllowed", "whose link has expired")],
      [29 * DAY, Effect.map(sendDraft, ({ id }) => visit.same(id, receipt.id, "the receipt of a draft after 29 days"))],
      [
        29 * DAY,
        Effect.map(
          visit.ask("outbox", (services) => Context.get(services, Outbox).page(account, { limit: 50 })),
          ({ items }) => {
            const times = items.filter(({ message }) => message.subject === subject).length;
            visit.same(times, 1, "the messages of a draft that was sent twice in 29 days");
          },
        ),
      ],
    ] satisfies ReadonlyArray<Deadline>;
  });
