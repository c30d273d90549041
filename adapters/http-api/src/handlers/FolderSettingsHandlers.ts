import { PosternApi } from "@postern/api";
import { FolderManagement, type ManagedFolder } from "@postern/core/folders";
import { Effect } from "effect";
import { handlerGroup } from "../handler-group.ts";
import { answer } from "../answer.ts";
import { creationKey } from "../creation-key.ts";
import { currentAccount } from "../current-account.ts";
import { instantOf } from "../instant-of.ts";

/** Handlers of the folder settings operations (spec 4.4). */
export const FolderSettingsHandlers = handlerGroup(
  PosternApi,
  "folderSettings",
  Effect.fn(function* (handlers) {
    const management = yield* FolderManagement;
    return handlers.handleAll({
      list: () =>
        currentAccount.pipe(
          Effect.flatMap((account) => answer(management.list(account))),
          Effect.map((folders) => ({ ok: true as const, data: folders.map(wireOf) })),
        ),
      create: Effect.fnUntraced(function* ({ payload: { name, parentId = null }, headers }) {
        const [account, key] = [yield* currentAccount, yield* creationKey(headers)];
        const folder = yield* answer(management.create(account, { name, parentId }, key));
        return { ok: true as const, data: wireOf(folder) };
      }),
      change: ({ params: { id }, payload }) =>
        currentAccount.pipe(
          Effect.flatMap((account) => answer(management.change(account, id, payload))),
          Effect.map((folder) => ({ ok: true as const, data: wireOf(folder) })),
        ),
      remove: ({ params: { id }, query: { moveTo, permanent, recursive } }) =>
        currentAccount.pipe(
          Effect.flatMap((account) =>
            answer(
              management.remove(account, id, {
                moveTo,
                permanent: permanent === "true",
                recursive: recursive === "true",
              }),
            ),
          ),
          Effect.map((removed) => ({ ok: true as const, data: { ...removed, deleted: true as const } })),
        ),
    });
  }),
);

const wireOf = ({ createdAt, ...folder }: ManagedFolder) => ({ ...folder, createdAt: instantOf(createdAt) });
