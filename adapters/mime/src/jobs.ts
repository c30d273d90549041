import type { ParsedMessage } from "@postern/core/mail";
import type { EncodedBody, ReadableMessage, UnparsedMessage } from "@postern/core/messages";

/** The kinds of jobs for workers, each with its input and answer. */
export interface Jobs {
  readonly read: { readonly input: UnparsedMessage; readonly answer: ReadableMessage };
  readonly previews: { readonly input: ReadonlyArray<EncodedBody>; readonly answer: ReadonlyArray<string> };
  readonly report: { readonly input: Uint8Array; readonly answer: ParsedMessage };
}

export type JobKind = keyof Jobs;

/** A job as it is posted to a worker. */
export type JobRequest = { [K in JobKind]: { readonly kind: K; readonly input: Jobs[K]["input"] } }[JobKind];

/** The reply to a job; null if no parser can read the message. */
export type JobReply = { readonly answer: Jobs[JobKind]["answer"] | null };

/** A message from a worker: `ready` once it has loaded, then one reply for each job. */
export type WorkerMessage = "ready" | JobReply;
