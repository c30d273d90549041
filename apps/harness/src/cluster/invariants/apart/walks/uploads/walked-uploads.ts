import { type Upload, Uploads } from "@postern/core/send";
import type { AccountId } from "@postern/core/shared";
import { Context, Effect, type Result, Stream } from "effect";
import type { Cluster } from "../../../../Cluster.ts";
import type { Visit } from "../../../../Visit.ts";
import { DAY, MINUTE } from "../../durations.ts";

/** A file that an account uploaded. */
export interface WalkedUpload {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly text: string;
  readonly createdAt: number;
}

/** A message with files that waits until its time, and then is sent; or whose copy in Sent waits for an unknown time. */
export interface WalkedMail {
  readonly id: string;
  readonly files: ReadonlyArray<WalkedUpload>;
  dueAt: number;
  isCancelled: boolean;
}

type Opened = Result.Result<{ readonly upload: Upload; readonly text: string }, { readonly _tag: string }>;

/** The time around the end of a file or of a wait in which both answers are right. */
const NEAR = 2 * MINUTE;

/** Returns the uploads of an account with a model of how long each is kept. [S6.1-1] [S6.1-2] [S6.1-7] */
export const walkedUploads = (visit: Visit, cluster: Cluster, account: AccountId) => {
  const uploads: Array<WalkedUpload> = [];
  const mails: Array<WalkedMail> = [];
  const waits = ({ isCancelled, dueAt }: WalkedMail) => !isCancelled && visit.now < dueAt;
  const isPinned = (file: WalkedUpload) => mails.some((mail) => waits(mail) && mail.files.includes(file));
  const isKept = (file: WalkedUpload) => visit.now < file.createdAt + DAY || isPinned(file);
  const isUncertain = (file: WalkedUpload) =>
    [file.createdAt + DAY, ...mails.flatMap((mail) => (mail.files.includes(file) ? [mail.dueAt] : []))].some(
      (at) => Math.abs(at - visit.now) < NEAR,
    );
  const open = (by: AccountId, id: string): Effect.Effect<Opened> =>
    Effect.result(
      visit.ask("open", (services) =>
        Effect.gen(function* () {
          const { upload, bytes } = yield* Context.get(services, Uploads).open(by, id);
          return { upload, text: new TextDecoder().decode(Buffer.concat([...(yield* Stream.runCollect(bytes))])) };
        }),
      ),
    );
  return {
    account,
    uploads,
    mails,
    open,
    isKept,
    isUncertain,
    usable: () => uploads.filter((file) => isKept(file) && !isUncertain(file)),
    expired: () => uploads.filter((file) => !isKept(file) && !isUncertain(file)),
    deadlines: () => [
      ...uploads.map(({ createdAt }) => createdAt + DAY),
      ...mails.filter(waits).map(({ dueAt }) => dueAt),
    ],
    /** Compares some files with the model, as their owner and as another account. */
    compareWith: (stranger: AccountId) =>
      Effect.gen(function* () {
        for (const file of cluster.random.some(uploads, 4)) {
          if (isUncertain(file)) continue;
          const found = yield* open(account, file.id);
          const { name, type, text } = file;
          visit.same(
            found._tag === "Success"
              ? [found.success.upload.name, found.success.upload.type, found.success.upload.size, found.success.text]
              : found.failure._tag,
            isKept(file) ? [name, type, new TextEncoder().encode(text).length, text] : "UploadNotFound",
            `the file ${name}, ${visit.now - file.createdAt} ms old`,
          );
          const other = yield* open(stranger, file.id);
          visit.same(other._tag === "Failure" && other.failure._tag, "UploadNotFound", "the file of another account");
        }
      }),
  };
};
export type WalkedUploads = ReturnType<typeof walkedUploads>;
