import { Drafts } from "@postern/core/drafts";
import type { AccountId } from "@postern/core/shared";
import { Context, Effect } from "effect";
import type { Cluster } from "../../../../Cluster.ts";
import type { Visit } from "../../../../Visit.ts";
import { isOpen, type ModelDraft } from "./model-draft.ts";

/** Compares the list of drafts, by pages of random sizes, and their copies in the folder. [S12.1-5] [S12.1-7] */
export const listDrafts = (
  visit: Visit,
  cluster: Cluster,
  account: AccountId,
  drafts: ReadonlyArray<ModelDraft>,
): Effect.Effect<void, unknown> =>
  Effect.gen(function* () {
    const limit = cluster.random.pick([1, 2, undefined]);
    const found: Array<string> = [];
    for (let cursor: string | undefined; ;) {
      const page = yield* visit.ask("list", (services) =>
        Context.get(services, Drafts).page(account, { limit, cursor }),
      );
      found.push(...page.items.map(({ id, version, state, subject }) => [id, version, state, subject].join(" ")));
      if (page.nextCursor === null) break;
      cursor = page.nextCursor;
    }
    const promised = drafts
      .filter(isOpen)
      .map(({ id, version, state, request }) => [id, version, state, request.subject].join(" "));
    visit.same(found.toSorted(), promised.toSorted(), "the drafts that are listed");
    const { messages } = cluster.mail.account(account).mailbox("Drafts");
    for (const { id, state, request } of drafts) {
      const copies = messages.filter(({ summary }) => summary.subject === request.subject).length;
      visit.same(
        copies,
        state === "sent" || state === "removed" ? 0 : 1,
        `the copies of ${request.subject}, which is ${state}`,
      );
      if (state === "sent" || state === "removed")
        visit.same(
          yield* visit.tagOf("get", (services) => Context.get(services, Drafts).get(account, id)),
          "DraftNotFound",
          `reading ${request.subject}, which is ${state}`,
        );
    }
  });
