import { Cache, Clock, Context, Duration, Effect, Exit, Layer, Option } from "effect";
import { recordOperation } from "../audit/neighbours.ts";
import { type CreationKey, Creations } from "../creations/index.ts";
import type { RepeatError } from "../creations/neighbours.ts";
import { Entropy, type InputInvalid, type StoreUnavailable, Transaction } from "../shared/index.ts";
import { checkerOf, checkId, type Page, type PageRequest, readPage } from "../shared/neighbours.ts";
import type { AssistantClient } from "./AssistantClient.ts";
import { AssistantSettings } from "./AssistantSettings.ts";
import { clientOfDocument, isDocumentUrl } from "./client-document.ts";
import { type ClientDocumentUnavailable, ClientRejected, OAuthClientNotFound, RegistrationRefused } from "./errors.ts";
import { AssistantClientRecords } from "./ports/AssistantClientRecords.ts";
import { ClientDocuments } from "./ports/ClientDocuments.ts";
import { assistantFields } from "./rules.ts";

/** The number of cached documents, and their lifetimes. A document that could not be read is read again sooner. */
const KEPT_DOCUMENTS = 256;
const KEPT_FOR = Duration.minutes(15);
const FAILURE_KEPT_FOR = Duration.seconds(30);

/**
 * Returns how long a result is cached. A document that was not requested, because too many others were being read, is
 * requested again next time.
 */
const lifetimeOf = (exit: Exit.Exit<AssistantClient, ClientDocumentUnavailable | ClientRejected>) => {
  if (Exit.isSuccess(exit)) return KEPT_FOR;
  const error = Option.getOrUndefined(Exit.findErrorOption(exit));
  return error?._tag === "ClientDocumentUnavailable" && error.isBusy === true ? Duration.zero : FAILURE_KEPT_FOR;
};

/** The maximum number of clients that registered themselves, and how long they are kept. */
const MAX_REGISTERED = 1_000;
const REGISTERED_FOR = Duration.days(30);

const CLIENT_ID_BITS = 96;

/** The fields of a client to create, from a request. */
export interface WrittenClient {
  readonly name: string;
  readonly redirectUris: ReadonlyArray<string>;
}

const checkClient = checkerOf({ name: assistantFields.clientName, redirectUris: assistantFields.redirectUris });

/** The OAuth 2.1 clients: assistants with a document, and clients that the operator made or that registered themselves (spec 13.3). */
export class AssistantClients extends Context.Service<
  AssistantClients,
  {
    /** Finds a client by its id; reads its document if the id is a URL, at most every 15 minutes. */
    readonly find: (id: string) => Effect.Effect<AssistantClient, ClientRejected | StoreUnavailable>;
    /** Makes a client for the operator; once for each idempotency key. */
    readonly make: (
      written: WrittenClient,
      repeated?: CreationKey,
    ) => Effect.Effect<AssistantClient, InputInvalid | RepeatError | StoreUnavailable>;
    /** Makes a client that registers itself (RFC 7591), if the operator allows registration. */
    readonly register: (
      written: WrittenClient,
    ) => Effect.Effect<AssistantClient, InputInvalid | RegistrationRefused | StoreUnavailable>;
    /** Returns a page of the stored clients, newest first. */
    readonly page: (request: PageRequest) => Effect.Effect<Page<AssistantClient>, InputInvalid | StoreUnavailable>;
    /** Deletes a stored client, so that it can get no new grant. Existing grants stay. */
    readonly remove: (id: string) => Effect.Effect<void, InputInvalid | OAuthClientNotFound | StoreUnavailable>;
    /** Removes clients whose own registration is too old. */
    readonly sweep: Effect.Effect<void, StoreUnavailable>;
  }
>()("@postern/core/assistants/AssistantClients") {
  static readonly layer = Layer.effect(
    AssistantClients,
    Effect.gen(function* () {
      const records = yield* AssistantClientRecords;
      const documents = yield* ClientDocuments;
      const creations = yield* Creations;
      const entropy = yield* Entropy;
      const transaction = yield* Transaction;
      const { mayRegister } = yield* AssistantSettings;

      const published = yield* Cache.makeWith(
        Effect.fnUntraced(function* (url: string) {
          const client = clientOfDocument(url, yield* documents.read(url), yield* Clock.currentTimeMillis);
          return Option.isSome(client) ? client.value : yield* new ClientRejected({ reason: "document_wrong" });
        }),
        { capacity: KEPT_DOCUMENTS, timeToLive: lifetimeOf },
      );

      const insert = Effect.fnUntraced(function* (
        { name, redirectUris }: WrittenClient,
        source: AssistantClient["source"],
      ) {
        const id = `client_${yield* entropy.id(CLIENT_ID_BITS)}`;
        const client = { id, name, redirectUris, source, createdAt: yield* Clock.currentTimeMillis };
        yield* records.insert(client);
        return client;
      });

      const old = Effect.map(Clock.currentTimeMillis, (now) => now - Duration.toMillis(REGISTERED_FOR));

      return AssistantClients.of({
        find: Effect.fn("AssistantClients.find")(function* (id) {
          if (isDocumentUrl(id)) {
            const read = Cache.get(published, id);
            return yield* Effect.catchTag(
              read,
              "ClientDocumentUnavailable",
              ({ reason: detail }) => new ClientRejected({ reason: "document_unread", detail }),
            );
          }
          const known = yield* records.find(id);
          return Option.isSome(known) ? known.value : yield* new ClientRejected({ reason: "id_unknown" });
        }),
        make: Effect.fn("AssistantClients.make")((written, repeated) =>
          creations.once(
            repeated,
            { operation: "oauthClients.make", request: written },
            (claim) =>
              Effect.gen(function* () {
                const { name, redirectUris } = written;
                yield* checkClient({ name, redirectUris });
                const client = yield* insert(written, "operator");
                yield* claim.complete(client.id);
                yield* recordOperation("oauthClients.make", { target: client.id });
                return client;
              }).pipe(transaction.run),
            records.find,
          ),
        ),
        register: Effect.fn("AssistantClients.register")(function* (written) {
          if (!mayRegister) return yield* new RegistrationRefused({ reason: "disabled" });
          const { name, redirectUris } = written;
          yield* checkClient({ name, redirectUris });
          if ((yield* records.countRegistered) >= MAX_REGISTERED)
            return yield* new RegistrationRefused({ reason: "full" });
          return yield* insert(written, "registered");
        }),
        page: Effect.fn("AssistantClients.page")((request) =>
          readPage(request, ({ createdAt, id }) => ({ at: createdAt, id }), records.list),
        ),
        remove: Effect.fn("AssistantClients.remove")(function* (id) {
          yield* checkId({ id });
          if (!(yield* records.remove(id))) return yield* new OAuthClientNotFound();
          yield* recordOperation("oauthClients.remove", { target: id });
        }, transaction.run),
        sweep: Effect.flatMap(old, records.removeRegistered).pipe(Effect.withSpan("AssistantClients.sweep")),
      });
    }),
  );
}
