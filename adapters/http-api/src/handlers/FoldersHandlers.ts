import { type FolderList, PosternApi } from "@postern/api";
import { type Folder, Folders } from "@postern/core/folders";
import { Effect } from "effect";
import { HttpServerResponse } from "effect/http";
import { handlerGroup } from "./handler-group.ts";
import { answer } from "../problems/answer.ts";
import { currentAccount } from "../auth/current-principal.ts";

/** The encoded forms of folder lists. Requests that share a list share its encoded form. */
const ENCODED = new WeakMap<ReadonlyArray<Folder>, Uint8Array>();

const encode = (folders: ReadonlyArray<Folder>): Uint8Array => {
  const known = ENCODED.get(folders);
  if (known !== undefined) return known;
  const shown = folders.map(({ key: _key, ...folder }) => folder);
  const bytes = new TextEncoder().encode(JSON.stringify({ ok: true, folders: shown } satisfies typeof FolderList.Type));
  ENCODED.set(folders, bytes);
  return bytes;
};

/** Handlers of the folder operations (spec 4.1). */
export const FoldersHandlers = handlerGroup(
  PosternApi,
  "folders",
  Effect.fn(function* (handlers) {
    const folders = yield* Folders;
    return handlers.handleAll({
      list: () =>
        currentAccount.pipe(
          Effect.flatMap((account) => answer(folders.list(account))),
          Effect.map((listed) => HttpServerResponse.uint8Array(encode(listed), { contentType: "application/json" })),
        ),
    });
  }),
);
