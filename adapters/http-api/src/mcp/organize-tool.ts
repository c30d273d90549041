import { InvalidRequest } from "@postern/api";
import { type Folder, Folders } from "@postern/core/folders";
import { FolderNotFound } from "@postern/core/mail";
import { MessageActions, Messages } from "@postern/core/messages";
import { messageFields } from "@postern/core/rules";
import type { AccountId } from "@postern/core/shared";
import { Effect, Schema } from "effect";
import { answer } from "../problems/answer.ts";
import { RequestId } from "../wire/RequestId.ts";
import { ACCOUNT, tool } from "./tool.ts";
import { type MessageBefore, undoCalls } from "./undo-calls.ts";

const MAX_IDS = 100;

const flag = (description: string) => Schema.optionalKey(Schema.Boolean.annotate({ description }));

/** The tool that changes and moves messages, for a key with `mail:organize`. It deletes no message permanently. */
export const organizeTool = Effect.gen(function* () {
  const folders = yield* Folders;
  const messages = yield* Messages;
  const actions = yield* MessageActions;

  const invalid = (field: string, message: string) =>
    Effect.flatMap(RequestId, (requestId) =>
      Effect.fail(new InvalidRequest({ requestId, errors: [{ field, message }] })),
    );

  const folderOf = (listed: ReadonlyArray<Folder>, wanted: string): Folder | undefined =>
    listed.find(({ id }) => id === wanted) ??
    listed.find(({ role, path, name }) => role === wanted.toLowerCase() || path === wanted || name === wanted);

  const beforeOf = (account: AccountId, id: string) =>
    Effect.map(answer(messages.read(account, id)), ({ summary, folder }): MessageBefore => ({
      id,
      unread: summary.unread,
      flagged: summary.flagged,
      labels: summary.labels,
      folderId: folder.id,
    }));

  return tool(
    {
      name: "organize",
      description:
        "Marks, labels or moves up to 100 messages, or moves them to Trash. It returns the calls of organize that undo it.",
      scopes: ["mail:organize"],
      readOnly: false,
    },
    {
      account: ACCOUNT,
      ids: Schema.Array(messageFields.id).annotate({ description: "Ids of the messages, at most 100." }),
      read: flag("True marks as read, false as unread."),
      flagged: flag("True sets the flag (star), false removes it."),
      addLabels: Schema.optionalKey(messageFields.labels.annotate({ description: "Labels to add." })),
      removeLabels: Schema.optionalKey(messageFields.labels.annotate({ description: "Labels to remove." })),
      moveTo: Schema.optionalKey(
        Schema.String.annotate({ description: "Id, role or name of a folder; neither Sent nor Drafts." }),
      ),
      archive: flag("True moves to the archive."),
      trash: flag("True moves to Trash."),
    },
    Effect.fnUntraced(function* (account, { ids, read, flagged, addLabels, removeLabels, moveTo, archive, trash }) {
      if (ids.length === 0 || ids.length > MAX_IDS) return yield* invalid("ids", `must have 1 to ${MAX_IDS} ids`);
      const targets = [moveTo, archive === true ? "archive" : undefined, trash === true ? "trash" : undefined];
      const named = targets.filter((one) => one !== undefined);
      if (named.length > 1) return yield* invalid("moveTo", "is given beside archive or trash: choose one");
      const flags = { unread: read === undefined ? undefined : !read, flagged, addLabels, removeLabels };
      const hasFlags = Object.values(flags).some((one) => one !== undefined);
      const [target] = named;
      if (target === undefined && !hasFlags) return yield* invalid("read", "is required, or another change");
      const listed = yield* answer(folders.list(account));
      const folder = target === undefined ? undefined : folderOf(listed, target);
      if (target !== undefined && folder === undefined && trash !== true)
        return yield* answer(Effect.fail(new FolderNotFound()));
      const before = yield* Effect.forEach([...new Set(ids)], (id) => beforeOf(account, id), { concurrency: 4 });
      const found = before.map(({ id }) => id);
      if (hasFlags || trash !== true) {
        yield* answer(
          actions.carryOut(account, found, {
            _tag: "Change",
            flags,
            folderId: trash === true ? undefined : folder?.id,
          }),
        );
      }
      const done = trash === true ? yield* answer(actions.carryOut(account, found, { _tag: "Trash" })) : undefined;
      const idsNow = new Map(done?.outcomes.map(({ id, newId }) => [id, newId ?? id]));
      const now = before.map((one) => ({ ...one, id: idsNow.get(one.id) ?? one.id }));
      return { changed: found.length, undo: undoCalls(now, flags, named.length > 0) };
    }),
  );
});
