import { PosternApi } from "@postern/api";
import { FolderManagement, type ManagedFolder } from "@postern/core/folders";
import { Effect } from "effect";
import { handlerGroup } from "./handler-group.ts";
import { answer } from "../problems/answer.ts";
import { creationKey } from "../wire/creation-key.ts";
import { currentAccount } from "../auth/current-principal.ts";
import { instantOf } from "../wire/instant-of.ts";
import { recordVersions } from "../wire/record-versions.ts";
import { precondition, setVersion } from "../problems/wanted-version.ts";

/** Handlers of the folder settings operations (spec 4.4). */
export const FolderSettingsHandlers = handlerGroup(
  PosternApi,
  "folderSettings",
  Effect.fn(function* (handlers) {
    const management = yield* FolderManagement;
    const versions = yield* recordVersions;
    const recordOf = (folder: ManagedFolder) => ({
      id: folder.id,
      version: versions.folder(folder),
      name: folder.name,
      parentId: folder.parentId,
      createdAt: instantOf(folder.createdAt),
      messageCount: folder.messageCount,
    });
    const oneOf = (folder: ManagedFolder) => {
      const data = recordOf(folder);
      return Effect.as(setVersion(data.version), { ok: true as const, data });
    };
    return handlers.handleAll({
      list: () =>
        currentAccount.pipe(
          Effect.flatMap((account) => answer(management.list(account))),
          Effect.map((folders) => ({ ok: true as const, data: folders.map(recordOf) })),
        ),
      create: Effect.fnUntraced(function* ({ payload: { name, parentId = null }, headers }) {
        const [account, key] = [yield* currentAccount, yield* creationKey(headers)];
        return yield* oneOf(yield* answer(management.create(account, { name, parentId }, key)));
      }),
      change: Effect.fnUntraced(function* ({ params: { id }, payload, headers }) {
        const isWanted = precondition(headers, versions.folder);
        return yield* oneOf(yield* answer(management.change(yield* currentAccount, id, payload, isWanted)));
      }),
      remove: ({ params: { id }, query: { moveTo, permanent, recursive }, headers }) =>
        currentAccount.pipe(
          Effect.flatMap((account) =>
            answer(
              management.remove(
                account,
                id,
                { moveTo, permanent: permanent === "true", recursive: recursive === "true" },
                precondition(headers, versions.folder),
              ),
            ),
          ),
          Effect.map((removed) => ({ ok: true as const, data: { ...removed, deleted: true as const } })),
        ),
    });
  }),
);
