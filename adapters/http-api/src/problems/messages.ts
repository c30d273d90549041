import * as Problem from "@postern/api";
import { type ProblemTable, RETRY_SOON } from "./table.ts";

/** Answers to the errors of listing, searching and reading messages (spec 5). */
export const MESSAGE_PROBLEMS = {
  CursorMalformed: (_, requestId) => ({
    problem: new Problem.InvalidRequest({
      requestId,
      errors: [{ field: "cursor", message: "must be the nextCursor of a page of the same folder" }],
    }),
  }),
  CursorStale: (_, requestId) => ({
    problem: new Problem.CursorStale({
      requestId,
      errors: [{ field: "cursor", message: "is for a folder that was recreated: start again without it" }],
    }),
  }),
  LabelInvalid: ({ field }, requestId) => ({
    problem: new Problem.LabelInvalid({ requestId, errors: [{ field, message: Problem.LABEL_RULE }] }),
  }),
  LabelsNotSupported: ({ detail }, requestId) => ({
    problem: new Problem.LabelsNotSupported({
      requestId,
      ...(detail === null ? {} : { detail: `The mail server refused the labels: ${detail}` }),
    }),
  }),
  ListingNotReady: (_, requestId) => ({
    problem: new Problem.ListingNotReady({ requestId }),
    headers: RETRY_SOON,
  }),
  UnsubscribeFailed: ({ reason, url }, requestId) => ({
    problem: new Problem.UnsubscribeFailed({
      requestId,
      url,
      detail: `The list was not left: ${reason}. Open url in a browser instead.`,
    }),
  }),
  SearchCharsetRefused: ({ criteria }, requestId) => ({
    problem: new Problem.InvalidRequest({
      requestId,
      errors: criteria.map((field) => ({
        field,
        message: "has characters other than ASCII, for which this mail server does not search",
      })),
    }),
  }),
} satisfies ProblemTable<typeof import("@postern/core/messages")>;
