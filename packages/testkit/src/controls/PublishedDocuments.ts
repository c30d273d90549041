import { Context, type Effect } from "effect";

/** Publishes a document for the contract of `ClientDocuments`; returns its URL. */
export class PublishedDocuments extends Context.Service<
  PublishedDocuments,
  { readonly publish: (text: string) => Effect.Effect<string> }
>()("@postern/testkit/PublishedDocuments") {}
