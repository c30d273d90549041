import { Unsubscription } from "@postern/core/lifecycle";
import { Inbox } from "@postern/core/messages";
import { Context, Effect } from "effect";
import type { Invariant } from "../../../../Invariant.ts";
import { writeListMail } from "./list-mail.ts";

/** The messages of a walk. */
const MESSAGES = 14;

/**
 * A list is left in the way that its mail offers: by a POST only if each signature that may have passed covers both fields,
 * otherwise by one mail, or by a link that nothing follows. [S5.8-1] [S5.8-2] [S5.8-3] [S5.8-4] [S5.8-5]
 */
export const listWalk: Invariant = {
  name: "list-walk",
  watch: () => ({
    apart: (visit, cluster) =>
      Effect.gen(function* () {
        const { random } = cluster;
        const account = yield* visit.signUp("subscriber");
        for (let n = 0; n < MESSAGES; n++) {
          const messageId = `<list-${n}@lists.test>`;
          const { raw, way } = writeListMail(random, messageId, account);
          cluster.mail.account(account).mailbox("INBOX").append(raw, visit.now);
          const { page } = yield* visit.ask("list", (services) =>
            Context.get(services, Inbox).list(account, { limit: 5 }),
          );
          const id = page.emails.find(({ message }) => message.messageId === messageId)!.id;
          const isRefused = random.chance(0.2);
          if (way?.method === "one_click")
            cluster.receivers.behave(way.url, { broken: isRefused ? 1 : 0, silent: 0, cut: 0, slow: 2 });
          // A client may insist on one way.
          const only = random.pick([undefined, undefined, "one_click", "mailto", "link"] as const);
          const isOffered = way !== null && (only ?? way.method) === way.method;
          const posts = cluster.receivers.posts.length;
          const taken = cluster.smtp.taken.length;
          const left = yield* Effect.result(
            visit.ask("leave", (services) =>
              Context.get(services, Unsubscription).unsubscribe(account, id, null, only),
            ),
          );
          yield* visit.wait(200);
          const promised = !isOffered
            ? "UnsubscribeNotOffered"
            : way.method === "one_click" && isRefused
              ? "UnsubscribeFailed"
              : way;
          visit.same(
            left._tag === "Success" ? left.success : left.failure._tag,
            promised,
            `leaving the list of ${new TextDecoder().decode(raw)}`,
          );
          const sent = cluster.receivers.posts
            .slice(posts)
            .map(({ url, post }) => [url, new TextDecoder().decode(post.body)]);
          visit.same(
            sent,
            isOffered && way.method === "one_click" ? [[way.url, "List-Unsubscribe=One-Click"]] : [],
            "the POSTs to leave a list",
          );
          const mails = cluster.smtp.taken.slice(taken).map(({ recipients }) => recipients.join());
          visit.same(
            mails,
            isOffered && way.method === "mailto" ? ["leave@lists.test"] : [],
            "the mails to leave a list",
          );
        }
      }),
  }),
};
