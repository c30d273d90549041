import { Clock, Context, Effect, Layer, Option, Redacted } from "effect";
import { recordOperation } from "../audit/neighbours.ts";
import { type CreationKey, Creations } from "../creations/index.ts";
import { type KeyClaim, type RepeatError } from "../creations/neighbours.ts";
import { Entropy, type InputInvalid, type Precondition, type StoreUnavailable, Transaction } from "../shared/index.ts";
import {
  AllAccountData,
  checkerOf,
  checkId,
  type EndedData,
  failOn,
  type Page,
  type PageRequest,
  readPage,
  type WaitingMail,
} from "../shared/neighbours.ts";
import type { Application, ApplicationChanges } from "./Application.ts";
import { changeApplication } from "./change-application.ts";
import { CredentialRelease } from "./CredentialRelease.ts";
import { type ApplicationChanged, ApplicationNotFound, KeyChanged, KeyNotFound } from "./errors.ts";
import { keyFaults } from "./key-faults.ts";
import type { KeyChanges, KeyRequest } from "./KeyRequest.ts";
import { Fingerprints } from "./ports/Fingerprints.ts";
import { Applications } from "./ports/Applications.ts";
import { ServiceKeys } from "./ports/ServiceKeys.ts";
import { RecordId } from "../shared/rules.ts";
import { keyFields } from "./rules.ts";
import { KEY_ID_BITS, KEY_SECRET_BITS, serviceKeyText } from "./KeyAuthentication.ts";
import type { ServiceKey } from "./ServiceKey.ts";

const checkEnd = checkerOf({ id: RecordId, mail: keyFields.mail });
const checkApplication = checkerOf({ name: keyFields.application });
const checkApplicationEnd = checkerOf({ name: keyFields.application, mail: keyFields.mail });

/** A new key. */
export interface MadeKey {
  readonly key: ServiceKey;
  /** The text of the key, which is shown once; null in the answer to a repeated request. */
  readonly text: Redacted.Redacted | null;
}

/** The ids of an application's deleted keys, and the numbers of its other deleted or cancelled records. */
export interface RemovedApplication {
  readonly keys: ReadonlyArray<string>;
  readonly ended: EndedData;
}

/** Makes, lists and deletes service keys, for the operator. */
export class Keys extends Context.Service<
  Keys,
  {
    /** Makes a key; once for each idempotency key. */
    readonly make: (
      request: KeyRequest,
      repeated?: CreationKey,
    ) => Effect.Effect<MadeKey, InputInvalid | RepeatError | StoreUnavailable>;
    /** Returns a page of all keys, the newest first. */
    readonly page: (request: PageRequest) => Effect.Effect<Page<ServiceKey>, InputInvalid | StoreUnavailable>;
    /** Changes a key, even an expired one. The change applies from the next request on. */
    readonly change: (
      id: string,
      changes: KeyChanges,
      isWanted?: Precondition<ServiceKey>,
    ) => Effect.Effect<ServiceKey, InputInvalid | KeyNotFound | KeyChanged | StoreUnavailable>;
    /** Deletes a key: when this returns, no process accepts the key. Its waiting messages are held, unless `mail` says otherwise. */
    readonly remove: (
      id: string,
      mail?: WaitingMail,
      isWanted?: Precondition<ServiceKey>,
    ) => Effect.Effect<EndedData, InputInvalid | KeyNotFound | KeyChanged | StoreUnavailable>;
    /** Returns a page of the applications, ordered by name. */
    readonly applications: (request: PageRequest) => Effect.Effect<Page<Application>, InputInvalid | StoreUnavailable>;
    /** Changes the profile of an application, and its address for notices about its endpoints; null removes a field. */
    readonly changeApplication: (
      name: string,
      changes: ApplicationChanges,
      isWanted?: Precondition<Application>,
    ) => Effect.Effect<Application, InputInvalid | ApplicationNotFound | ApplicationChanged | StoreUnavailable>;
    /** Deletes the keys of an application, its endpoints and its other records; cancels its waiting messages, unless `mail` says otherwise. */
    readonly removeApplication: (
      application: string,
      mail?: WaitingMail,
    ) => Effect.Effect<RemovedApplication, InputInvalid | ApplicationNotFound | StoreUnavailable>;
    /**
     * Suspends an application. When the call returns, no process accepts the application's keys, its messages wait and
     * its events are held. A failed call may have done a part of the work, so it must be repeated. The same holds for
     * `resume`.
     */
    readonly suspend: (
      application: string,
    ) => Effect.Effect<void, InputInvalid | ApplicationNotFound | StoreUnavailable>;
    /** Ends the suspension of an application: its waiting messages and events are sent. */
    readonly resume: (
      application: string,
    ) => Effect.Effect<void, InputInvalid | ApplicationNotFound | StoreUnavailable>;
  }
>()("@postern/core/auth/Keys") {
  static readonly layer = Layer.effect(
    Keys,
    Effect.gen(function* () {
      const keys = yield* ServiceKeys;
      const applications = yield* Applications;
      const creations = yield* Creations;
      const fingerprints = yield* Fingerprints;
      const entropy = yield* Entropy;
      const transaction = yield* Transaction;
      const all = yield* AllAccountData;
      const { release } = yield* CredentialRelease;

      /** Ends the data of keys, and before them of their application; releases the credentials that only this data needed. */
      const endData = Effect.fnUntraced(function* (
        ids: ReadonlyArray<string>,
        mail: WaitingMail,
        application?: string,
      ) {
        const ends = [];
        for (const { endApplication: end } of all)
          if (application !== undefined && end !== undefined) ends.push(yield* end(application, mail));
        for (const id of ids) for (const { endKey: end } of all) if (end !== undefined) ends.push(yield* end(id, mail));
        for (const account of new Set(ends.flatMap(({ accounts = [] }) => accounts))) yield* release(account);
        return total(ends);
      });

      const makeOne = Effect.fnUntraced(function* (request: KeyRequest, claim: KeyClaim) {
        yield* failOn(keyFaults(request, yield* Clock.currentTimeMillis));
        const id = yield* entropy.id(KEY_ID_BITS);
        const text = serviceKeyText(id, yield* entropy.id(KEY_SECRET_BITS));
        const createdAt = yield* Clock.currentTimeMillis;
        const { name, scopes, accounts, networks, expiresAt, sendPerDay, sendPolicy, notify } = request;
        const key: ServiceKey = {
          id,
          name,
          application: request.application ?? id,
          scopes,
          accounts,
          networks,
          createdAt,
          expiresAt,
          lastUsedAt: null,
          sendPerDay,
          ...(sendPolicy == null ? {} : { sendPolicy }),
          notify,
        };
        yield* transaction.run(
          Effect.gen(function* () {
            yield* claim.complete(id);
            yield* keys.insert(key, fingerprints.ofToken(text));
            yield* recordOperation("keys.make", { target: id });
          }),
        );
        return { key, text: Redacted.make(text) };
      });

      const storeSuspended = Effect.fnUntraced(function* (application: string, isSuspended: boolean) {
        const now = yield* Clock.currentTimeMillis;
        const isKnown = yield* isSuspended ? keys.suspend(application, now) : keys.resume(application);
        if (!isKnown) return yield* new ApplicationNotFound();
        yield* recordOperation(isSuspended ? "keys.suspend" : "keys.resume", { target: application });
      }, transaction.run);

      /** Keys change before messages, which change in many transactions: the call that ends last applies what is stored. */
      const setSuspended = Effect.fnUntraced(function* (application: string, isSuspended: boolean) {
        yield* checkApplication({ name: application });
        yield* storeSuspended(application, isSuspended);
        for (let applied = isSuspended; ; applied = !applied) {
          for (const { setSuspended: set } of all) if (set !== undefined) yield* set(application, applied);
          const stored = yield* applications.find(application);
          if (Option.exists(stored, ({ suspendedAt }) => suspendedAt !== null) === applied) return;
        }
      });

      return Keys.of({
        suspend: Effect.fn("Keys.suspend")((application) => setSuspended(application, true)),
        resume: Effect.fn("Keys.resume")((application) => setSuspended(application, false)),
        make: Effect.fn("Keys.make")((request, repeated) =>
          creations.once<MadeKey, InputInvalid | RepeatError, StoreUnavailable>(
            repeated,
            { operation: "keys.make", request },
            (claim) => makeOne(request, claim),
            (id) =>
              Effect.map(
                keys.find(id),
                Option.map((key) => ({ key, text: null })),
              ),
          ),
        ),
        applications: Effect.fn("Keys.applications")((request) =>
          readPage(
            request,
            ({ name }: Application) => ({ at: 0, id: name }),
            (after, limit) => applications.list(after?.id ?? "", limit),
          ),
        ),
        changeApplication: Effect.fn("Keys.changeApplication")(function* (name, changes, isWanted = () => true) {
          const changed = yield* changeApplication(applications, name, changes, isWanted);
          yield* recordOperation("keys.changeApplication", { target: name });
          return changed;
        }, transaction.run),
        page: Effect.fn("Keys.page")((request) =>
          readPage(request, ({ createdAt, id }) => ({ at: createdAt, id }), keys.list),
        ),
        change: Effect.fn("Keys.change")(function* (id, changes, isWanted = () => true) {
          yield* checkId({ id });
          const now = yield* Clock.currentTimeMillis;
          const faultsOf = (key: ServiceKey) =>
            keyFaults(key, now).filter(({ field }) => field.split(".", 1)[0]! in changes);
          const decided = yield* keys.change<Effect.Effect<ServiceKey, InputInvalid | KeyChanged>>(id, (known) => {
            if (!isWanted(known)) return [Effect.fail(new KeyChanged()), known];
            const after = { ...known, ...changes };
            const faults = faultsOf(after);
            return faults.length > 0 ? [Effect.as(failOn(faults), known), known] : [Effect.succeed(after), after];
          });
          if (Option.isNone(decided)) return yield* new KeyNotFound();
          const changed = yield* decided.value;
          yield* recordOperation("keys.change", { target: id });
          return changed;
        }, transaction.run),
        remove: Effect.fn("Keys.remove")(function* (id, mail = "hold", isWanted = () => true) {
          yield* checkEnd({ id, mail });
          const isIt = yield* keys.change(id, (known) => [isWanted(known), known]);
          if (Option.contains(isIt, false)) return yield* new KeyChanged();
          if (!(yield* keys.remove(id))) return yield* new KeyNotFound();
          yield* recordOperation("keys.remove", { target: id });
          return yield* endData([id], mail);
        }, transaction.run),
        removeApplication: Effect.fn("Keys.removeApplication")(function* (application, mail = "cancel") {
          yield* checkApplicationEnd({ name: application, mail });
          const ids = yield* keys.removeApplication(application);
          yield* applications.forget(application);
          const ended = yield* endData(ids, mail, application);
          if (ids.length + ended.endpoints + ended.messages === 0) return yield* new ApplicationNotFound();
          yield* recordOperation("keys.removeApplication", { target: application });
          return { keys: ids, ended };
        }, transaction.run),
      });
    }),
  );
}

const total = (ends: ReadonlyArray<Partial<EndedData>>): EndedData =>
  ends.reduce<EndedData>(
    (sum, { messages = 0, endpoints = 0, links = 0, grants = 0 }) => ({
      messages: sum.messages + messages,
      endpoints: sum.endpoints + endpoints,
      links: sum.links + links,
      grants: sum.grants + grants,
    }),
    { messages: 0, endpoints: 0, links: 0, grants: 0 },
  );
