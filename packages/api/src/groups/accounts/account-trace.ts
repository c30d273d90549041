import { accountFields } from "@postern/core/rules";
import { Schema } from "effect";
import { HttpApiEndpoint, HttpApiSchema } from "effect/http-api";
import { params } from "../../records/account-params.ts";
import { documented } from "../../document/documented.ts";
import { ACCOUNT_ID, TRACE } from "../../examples/accounts.ts";
import { AccountNotFound, TraceNotFound } from "../../problems/accounts.ts";
import { StoreUnavailable } from "../../problems/mail-server.ts";
import { InvalidRequest } from "../../problems/requests.ts";
import { Deleted, Instant, Ok } from "../../records/wire.ts";

const Minutes = accountFields.minutes.annotate({ description: "Minutes to record from now on." });

const LogText = Schema.Uint8Array.pipe(HttpApiSchema.asUint8Array({ contentType: "text/plain; charset=utf-8" }));

/** Starts the protocol log of an account (spec 10.5). */
export const startTrace = HttpApiEndpoint.post("startTrace", "/:id/trace", {
  params,
  payload: Schema.Struct({ minutes: Minutes }),
  success: Schema.Struct({
    ok: Ok,
    data: Schema.Struct({
      until: Instant.annotate({ description: "When the recording ends." }),
    }).annotate({ description: "The started recording." }),
  }),
  error: [InvalidRequest, AccountNotFound, StoreUnavailable],
}).annotateMerge(
  documented({
    scope: "admin",
    summary: "Start the protocol log of an account",
    description:
      "Records the IMAP and SMTP conversation of the account in every process, without credentials and the " +
      "contents of messages. A request during a recording changes the end of the recording; the lines stay. The log is deleted a " +
      "day after its end.",
    request: { minutes: 15 },
    answer: { ok: true, data: { until: "2026-03-02T09:45:00.000Z" } },
  }),
);

/** Returns the protocol log of an account. */
export const readTrace = HttpApiEndpoint.get("readTrace", "/:id/trace", {
  params,
  success: LogText,
  error: [AccountNotFound, TraceNotFound, StoreUnavailable],
}).annotateMerge(
  documented({
    scope: "admin",
    summary: "Read the protocol log of an account",
    description:
      "Returns the newest lines of all processes in the order of their times, at most 10,000 and 1 MiB, as UTF-8 text. Lines " +
      "of other processes are at most about two seconds late.",
    answer: TRACE,
  }),
);

/** Ends and deletes the protocol log of an account. */
export const endTrace = HttpApiEndpoint.delete("endTrace", "/:id/trace", {
  params,
  success: Schema.Struct({
    ok: Ok,
    data: Schema.Struct({
      id: Schema.String.annotate({ description: "Id of the account." }),
      deleted: Deleted,
    }).annotate({ description: "The account whose log was deleted." }),
  }),
  error: [AccountNotFound, TraceNotFound, StoreUnavailable],
}).annotateMerge(
  documented({
    scope: "admin",
    summary: "Delete the protocol log of an account",
    description: "Ends the recording in every process and deletes its lines.",
    answer: { ok: true, data: { id: ACCOUNT_ID, deleted: true } },
  }),
);
