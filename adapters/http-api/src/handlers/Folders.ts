import { PosternApi } from "@postern/api";
import { Folders } from "@postern/core";
import { Effect } from "effect";
import { HttpApiBuilder } from "effect/http-api";
import { answer } from "../answer.ts";
import { currentAccount } from "../current-account.ts";

/** Seed 4.4. */
export const FoldersHandlers = HttpApiBuilder.group(
  PosternApi,
  "folders",
  Effect.fn(function* (handlers) {
    const folders = yield* Folders;
    return handlers.handleAll({
      list: () =>
        currentAccount.pipe(
          Effect.flatMap((account) => answer(folders.list(account))),
          Effect.map((listed) => ({ ok: true as const, folders: listed })),
        ),
    });
  }),
);
