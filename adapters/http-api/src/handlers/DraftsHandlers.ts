import { type Draft as DraftAnswer, IfMatchRequired, PosternApi } from "@postern/api";
import { Approvals, type Draft, type DraftEntry, Drafts } from "@postern/core/drafts";
import { uploadUrl } from "@postern/core/send";
import { Effect } from "effect";
import { handlerGroup } from "./handler-group.ts";
import { answer, setHeader } from "../problems/answer.ts";
import { creationKey } from "../wire/creation-key.ts";
import { currentAccount, currentKey } from "../auth/current-principal.ts";
import { approvalAsked } from "../wire/approval-record.ts";
import { instantOf, instantOrNull } from "../wire/instant-of.ts";
import { PublicAddress } from "../edge/PublicAddress.ts";
import { RequestId } from "../wire/RequestId.ts";
import { wantedVersion } from "../problems/wanted-version.ts";

/** Handlers of the operations on drafts (spec 12.1). */
export const DraftsHandlers = handlerGroup(
  PosternApi,
  "drafts",
  Effect.fn(function* (handlers) {
    const drafts = yield* Drafts;
    const approvals = yield* Approvals;
    const oneOf = answerBelow((yield* PublicAddress).prefix);
    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ query }) {
        const { items, nextCursor } = yield* answer(drafts.page(yield* currentAccount, query));
        return { ok: true as const, data: items.map(entryOf), nextCursor };
      }),
      create: Effect.fnUntraced(function* ({ payload, headers }) {
        const [account, key] = [yield* currentAccount, yield* creationKey(headers)];
        return yield* oneOf(yield* answer(drafts.create(account, payload ?? {}, key)));
      }),
      get: Effect.fnUntraced(function* ({ params: { id } }) {
        return yield* oneOf(yield* answer(drafts.get(yield* currentAccount, id)));
      }),
      save: Effect.fnUntraced(function* ({ params: { id }, headers: { "if-match": version }, payload }) {
        if (version === undefined) return yield* new IfMatchRequired({ requestId: yield* RequestId });
        const replaced = wantedVersion(version) ?? version;
        return yield* oneOf(yield* answer(drafts.save(yield* currentAccount, id, replaced, payload)));
      }),
      remove: Effect.fnUntraced(function* ({ params: { id }, headers }) {
        yield* answer(drafts.remove(yield* currentAccount, id, wantedVersion(headers["if-match"])));
        return { ok: true as const, data: { id, deleted: true as const } };
      }),
      send: Effect.fnUntraced(function* ({ params: { id }, headers }) {
        const [account, key] = [yield* currentAccount, yield* currentKey];
        const version = wantedVersion(headers["if-match"]);
        const sent = yield* answer(approvals.sendDraft(account, id, version, headers["idempotency-key"], key));
        return "receipt" in sent ? { ok: true as const, ...sent.receipt } : approvalAsked(sent.approval);
      }),
    });
  }),
);

const answerBelow = (prefix: string) => (draft: Draft) =>
  Effect.as(setHeader("etag", `"${draft.version}"`), { ok: true as const, data: draftOf(draft, prefix) });

const entryOf = (entry: DraftEntry) => ({
  ...entry,
  version: String(entry.version),
  savedAt: instantOf(entry.savedAt),
});

const draftOf = (
  { id, version, state, reason, savedAt, contents }: Draft,
  prefix: string,
): typeof DraftAnswer.Type => ({
  id,
  version: String(version),
  state: state === "draft" ? "draft" : "sending",
  reason,
  savedAt: instantOf(savedAt),
  ...contents,
  attachments: contents.attachments.map(({ uploadId, name, type, size, contentId }) => ({
    id: uploadId,
    name,
    url: prefix + uploadUrl(uploadId),
    type,
    size,
    contentId,
  })),
  headers: Object.fromEntries(contents.headers),
  force: contents.force === true,
  expiresAfter: contents.expiresAfter ?? null,
  sendAt: instantOrNull(contents.sendAt),
});
