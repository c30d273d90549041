import { type Draft as DraftAnswer, IfMatchRequired, PosternApi } from "@postern/api";
import { type Draft, type DraftEntry, Drafts, DraftSender } from "@postern/core/drafts";
import { uploadUrl } from "@postern/core/send";
import { Effect } from "effect";
import { handlerGroup } from "../handler-group.ts";
import { answer, setHeader } from "../answer.ts";
import { currentAccount } from "../current-account.ts";
import { currentAllowance } from "../current-allowance.ts";
import { instantOf } from "../instant-of.ts";
import { RequestId } from "../RequestId.ts";

/** Handlers of the operations on drafts (spec 12.1). */
export const DraftsHandlers = handlerGroup(
  PosternApi,
  "drafts",
  Effect.fn(function* (handlers) {
    const drafts = yield* Drafts;
    const sender = yield* DraftSender;
    return handlers.handleAll({
      list: Effect.fnUntraced(function* () {
        const entries = yield* answer(drafts.list(yield* currentAccount));
        return { ok: true as const, data: entries.map(entryOf), nextCursor: null };
      }),
      create: Effect.fnUntraced(function* ({ payload }) {
        return yield* oneOf(yield* answer(drafts.create(yield* currentAccount, payload ?? {})));
      }),
      get: Effect.fnUntraced(function* ({ params: { id } }) {
        return yield* oneOf(yield* answer(drafts.get(yield* currentAccount, id)));
      }),
      save: Effect.fnUntraced(function* ({ params: { id }, headers: { "if-match": version }, payload }) {
        if (version === undefined) return yield* new IfMatchRequired({ requestId: yield* RequestId });
        return yield* oneOf(yield* answer(drafts.save(yield* currentAccount, id, untagged(version), payload)));
      }),
      remove: Effect.fnUntraced(function* ({ params: { id } }) {
        yield* answer(drafts.remove(yield* currentAccount, id));
        return { ok: true as const, data: { id, deleted: true as const } };
      }),
      send: Effect.fnUntraced(function* ({ params: { id }, headers }) {
        const [account, allowance] = [yield* currentAccount, yield* currentAllowance];
        const receipt = yield* answer(sender.send(account, id, headers["idempotency-key"], allowance));
        return { ok: true as const, ...receipt };
      }),
    });
  }),
);

/** Returns the version in an entity tag (RFC 9110, 8.8.3), or the text as it is. */
const untagged = (text: string): string => /^(?:W\/)?"(.*)"$/.exec(text.trim())?.[1] ?? text.trim();

const oneOf = (draft: Draft) =>
  Effect.as(setHeader("etag", `"${draft.version}"`), { ok: true as const, data: draftOf(draft) });

const entryOf = (entry: DraftEntry) => ({
  ...entry,
  version: String(entry.version),
  savedAt: instantOf(entry.savedAt),
});

const draftOf = ({ id, version, state, reason, savedAt, contents }: Draft): typeof DraftAnswer.Type => ({
  id,
  version: String(version),
  state: state === "draft" ? "draft" : "sending",
  reason,
  savedAt: instantOf(savedAt),
  ...contents,
  attachments: contents.attachments.map(({ uploadId, name, type, size, contentId }) => ({
    id: uploadId,
    name,
    url: uploadUrl(uploadId),
    type,
    size,
    contentId,
  })),
  headers: Object.fromEntries(contents.headers),
  sendAt: contents.sendAt === null ? null : instantOf(contents.sendAt),
});
