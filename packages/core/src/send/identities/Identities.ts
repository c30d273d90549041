import { Clock, Context, Duration, Effect, Layer, Option } from "effect";
import { AccountDirectory } from "../../accounts/index.ts";
import { recordOperation } from "../../audit/neighbours.ts";
import { CredentialVault, Fingerprints } from "../../auth/index.ts";
import { type CreationInProgress, type CreationKey, Creations } from "../../creations/index.ts";
import { type KeyClaim, type RepeatError } from "../../creations/neighbours.ts";
import { addressKey, MailboxCredentialsRejected } from "../../mail/index.ts";
import {
  type AccountId,
  Entropy,
  type InputInvalid,
  OpaqueIds,
  type Precondition,
  type StoreUnavailable,
  Transaction,
} from "../../shared/index.ts";
import { type Page, pageOf, type PageRequest } from "../../shared/neighbours.ts";
import {
  type IdentityCreationError,
  IdentityChanged,
  IdentityExists,
  IdentityNotFound,
  IdentityOwn,
  IdentityUnverified,
  SenderBlocked,
  SenderNotAllowed,
  TooManyIdentities,
} from "../errors.ts";
import type { Identity, IdentityFields, IdentityRecord, NewAlias } from "./Identity.ts";
import { changeFields, checkFields, checkIdentity, type ChangeError, newIdentity, viewOf } from "./identity-fields.ts";
import { MAX_IDENTITIES, VERIFICATION_LIFETIME } from "../limits.ts";
import { IdentityRecords } from "../ports/IdentityRecords.ts";
import { chooseSender, identitiesOf, mayBeSender, maySend } from "./choose-sender.ts";
import { OutgoingJournal } from "../ports/OutgoingJournal.ts";
import { SendQuotas } from "../ports/SendQuotas.ts";
import { spend } from "../send-quota.ts";
import type { Sender } from "./Sender.ts";
import type { NamedAddress } from "../SendRequest.ts";
import { SendSettings } from "../SendSettings.ts";
import { verificationMail } from "./verification-mail.ts";

/** Manages the senders that an account may use (spec 12.2): its own address first, then verified aliases. */
export class Identities extends Context.Service<
  Identities,
  {
    /** Returns a page of the identities: the account's own, then the others, oldest first. */
    readonly page: (
      account: AccountId,
      request: PageRequest,
    ) => Effect.Effect<Page<Identity>, InputInvalid | StoreUnavailable>;
    /** Adds an alias, once for each key. Unless the alias is trusted, Postern mails a verification link to it. */
    readonly create: (
      account: AccountId,
      alias: NewAlias,
      isTrusted: boolean,
      key?: CreationKey,
    ) => Effect.Effect<Identity, IdentityCreationError | RepeatError>;
    readonly change: (
      account: AccountId,
      id: string,
      fields: IdentityFields,
      isWanted?: Precondition<Identity>,
    ) => Effect.Effect<Identity, ChangeError>;
    /** Deletes an alias; the account's own address stays. */
    readonly remove: (
      account: AccountId,
      id: string,
      isWanted?: Precondition<Identity>,
    ) => Effect.Effect<void, Exclude<ChangeError, IdentityUnverified> | IdentityOwn>;
    /** Returns the address that a link's token verifies; none if the link is unknown or expired. */
    readonly addressOfLink: (token: string) => Effect.Effect<Option.Option<string>, StoreUnavailable>;
    /** Marks the address of a link as verified and returns it; none if the link is unknown or expired. */
    readonly verify: (token: string) => Effect.Effect<Option.Option<string>, StoreUnavailable>;
    /** Returns the sender for the id of an identity or an address in a request; by default the account's default identity. */
    readonly sender: (
      account: AccountId,
      from: string | NamedAddress | undefined,
    ) => Effect.Effect<Sender, SenderNotAllowed | InputInvalid | StoreUnavailable>;
  }
>()("@postern/core/send/identities/Identities") {
  static readonly layer = Layer.effect(
    Identities,
    Effect.gen(function* () {
      const settings = yield* SendSettings;
      const records = yield* IdentityRecords;
      const creations = yield* Creations;
      const directory = yield* AccountDirectory;
      const vault = yield* CredentialVault;
      const journal = yield* OutgoingJournal;
      const quotas = yield* SendQuotas;
      const ids = yield* OpaqueIds;
      const entropy = yield* Entropy;
      const fingerprints = yield* Fingerprints;
      const transaction = yield* Transaction;

      const all = (account: AccountId) => identitiesOf({ records, directory, ids }, account);

      /** Locks the account within a transaction, so that its limit and its one default hold for concurrent requests. */
      const oneAtATime = (account: AccountId) => directory.change(account, (known) => [undefined, known]);

      const saveOnly = Effect.fnUntraced(function* (record: IdentityRecord, isNew: boolean) {
        if (record.isDefault) {
          for (const other of yield* records.list(record.account)) {
            if (other.isDefault && other.id !== record.id) yield* records.update({ ...other, isDefault: false });
          }
        }
        if (!isNew) yield* records.update(record);
        return isNew ? yield* records.insert(record) : true;
      });

      const add = Effect.fnUntraced(function* (
        account: AccountId,
        alias: NewAlias,
        isTrusted: boolean,
        claim: KeyClaim,
      ): Effect.fn.Return<Identity, IdentityCreationError | CreationInProgress> {
        const { name, address, replyTo } = yield* checkFields(alias.name ?? "", alias.address, alias.replyTo ?? null);
        if (!maySend(settings.policy, account) || !mayBeSender(settings.policy, address)) {
          return yield* new SenderBlocked();
        }
        const now = yield* Clock.currentTimeMillis;
        const isVerified = isTrusted || settings.aliases === "any";
        const token = yield* entropy.id(256);
        const record: IdentityRecord = {
          ...newIdentity(alias, { name, address, replyTo }),
          id: `idn_${yield* entropy.id(128)}`,
          account,
          createdAt: now,
          verification: isVerified
            ? null
            : { hash: fingerprints.ofToken(token), until: now + Duration.toMillis(VERIFICATION_LIFETIME) },
        };
        if (!isVerified) yield* vault.version(account);
        if (record.isDefault && !isVerified) return yield* new IdentityUnverified();
        if (addressKey(address) === addressKey(account)) return yield* new IdentityExists();
        yield* transaction.run(
          Effect.gen(function* () {
            if (Option.isNone(yield* oneAtATime(account))) return yield* new MailboxCredentialsRejected();
            yield* claim.complete(record.id);
            const [own, ...others] = yield* all(account);
            if (others.length >= MAX_IDENTITIES) return yield* new TooManyIdentities();
            if (!(yield* saveOnly(record, true))) return yield* new IdentityExists();
            yield* recordOperation("identities.create", { account, target: record.id });
            if (isVerified) return;
            // The verification mail counts as a message of the account, because a client causes it.
            yield* quotas.modify(account, (quota) => spend(quota, settings.rates, now));
            const mail = verificationMail(own, address, { token, id: record.id, now, ...settings });
            yield* journal.insert(mail.message, mail.contents, null);
          }),
        );
        return viewOf(record);
      });

      const changeOne = Effect.fnUntraced(function* (
        account: AccountId,
        id: string,
        fields: IdentityFields,
        isWanted: Precondition<Identity> | undefined,
      ): Effect.fn.Return<IdentityRecord, ChangeError> {
        yield* checkIdentity({ id });
        yield* checkIdentity(fields);
        if (Option.isNone(yield* oneAtATime(account))) return yield* new IdentityNotFound();
        const [own, ...others] = yield* all(account);
        const before = [own, ...others].find((one) => one.id === id);
        if (before === undefined) return yield* new IdentityNotFound();
        if (isWanted?.(viewOf(before)) === false) return yield* new IdentityChanged();
        if (fields.isDefault === true && before.verification !== null) return yield* new IdentityUnverified();
        const changed = yield* changeFields(before, fields);
        if (before === own && fields.name !== undefined) {
          yield* directory.change(account, (known) => [undefined, { ...known, name: changed.name }]);
        }
        const isNew = before === own && before.createdAt === 0;
        const after = isNew ? { ...changed, createdAt: yield* Clock.currentTimeMillis } : changed;
        yield* saveOnly(after, isNew);
        yield* recordOperation("identities.change", { account, target: id });
        return (yield* all(account)).find((one) => one.id === id) ?? after;
      }, transaction.run);

      const remove = Effect.fn("Identities.remove")(function* (
        account: AccountId,
        id: string,
        isWanted?: Precondition<Identity>,
      ) {
        yield* checkIdentity({ id });
        if (id === ids.accountId(account)) return yield* new IdentityOwn();
        yield* oneAtATime(account);
        const known = (yield* records.list(account)).find((one) => one.id === id);
        if (known !== undefined && isWanted?.(viewOf(known)) === false) return yield* new IdentityChanged();
        if (!(yield* records.remove(account, id))) return yield* new IdentityNotFound();
        yield* recordOperation("identities.remove", { account, target: id });
      }, transaction.run);

      const ofLink = Effect.fnUntraced(function* (token: string) {
        const found = yield* records.ofVerification(fingerprints.ofToken(token));
        const now = yield* Clock.currentTimeMillis;
        return Option.filter(found, ({ verification }) => verification !== null && now < verification.until);
      });

      const verify = Effect.fn("Identities.verify")(function* (token: string) {
        const found = yield* ofLink(token);
        if (Option.isNone(found)) return Option.none();
        yield* oneAtATime(found.value.account);
        // Another request may have changed or deleted the identity since.
        const known = (yield* records.list(found.value.account)).find(({ id }) => id === found.value.id);
        if (known !== undefined) yield* records.update({ ...known, verification: null });
        return Option.map(Option.fromUndefinedOr(known), ({ address }) => address);
      }, transaction.run);

      const sender = (account: AccountId, from: string | NamedAddress | undefined) =>
        Effect.flatMap(all(account), (known) => Effect.fromResult(chooseSender(known, from, settings.policy)));

      return Identities.of({
        page: Effect.fn("Identities.page")(function* (account, request) {
          const some = yield* all(account);
          const placeOf = ({ createdAt, id }: IdentityRecord) => ({ at: id === some[0].id ? 0 : createdAt, id });
          const { items, nextCursor } = yield* pageOf(request, some, placeOf);
          return { items: items.map(viewOf), nextCursor };
        }),
        create: Effect.fn("Identities.create")(function* (account, alias, isTrusted, key) {
          yield* checkIdentity(alias);
          return yield* creations.once(
            key,
            { operation: "identities.create", request: alias },
            (claim) => add(account, alias, isTrusted, claim),
            (id) =>
              Effect.map(records.list(account), (some) =>
                Option.map(Option.fromUndefinedOr(some.find((one) => one.id === id)), viewOf),
              ),
          );
        }),
        change: Effect.fn("Identities.change")((account, id, fields, isWanted) =>
          Effect.map(changeOne(account, id, fields, isWanted), viewOf),
        ),
        remove,
        addressOfLink: (token) =>
          Effect.map(
            ofLink(token),
            Option.map(({ address }) => address),
          ),
        verify,
        sender,
      });
    }),
  );
}
