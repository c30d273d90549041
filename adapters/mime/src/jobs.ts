import type { ParsedMessage } from "@postern/core/mail";
import type { ReadableMessage, UnparsedMessage } from "@postern/core/messages";

/** What workers do: each kind of job with what it is given and what it answers. */
export interface Jobs {
  readonly read: { readonly input: UnparsedMessage; readonly answer: ReadableMessage };
  readonly report: { readonly input: Uint8Array; readonly answer: ParsedMessage };
}

export type JobKind = keyof Jobs;

/** One job on its way to a worker. */
export type JobRequest = { [K in JobKind]: { readonly kind: K; readonly input: Jobs[K]["input"] } }[JobKind];

/** Null: no parser can read it. */
export type JobReply = { readonly answer: Jobs[JobKind]["answer"] | null };

/** What a worker posts: once that it has loaded, then one reply for each job. */
export type WorkerMessage = "ready" | JobReply;
