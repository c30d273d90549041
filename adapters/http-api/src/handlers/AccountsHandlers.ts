import { CurrentPrincipal, PosternApi } from "@postern/api";
import {
  type Account,
  type AccountDetails,
  AccountProtocolLog,
  Accounts,
  Discovery,
  stateOf,
} from "@postern/core/accounts";
import { ConnectLinks } from "@postern/core/oauth";
import {
  AccountChanges,
  AccountCreation,
  AccountExport,
  accountPatchOf,
  AccountRemoval,
  DeviceConnections,
  newAccountOf,
} from "@postern/core/lifecycle";
import { accountIdOf, OpaqueIds } from "@postern/core/shared";
import { Effect, Stream } from "effect";
import { HttpServerResponse } from "effect/http";
import { handlerGroup } from "./handler-group.ts";
import { accountRecord, candidateRecord, checksRecord } from "../wire/account-record.ts";
import { answer } from "../problems/answer.ts";
import { creationKey } from "../wire/creation-key.ts";
import { instantOf } from "../wire/instant-of.ts";
import { keptRecordLine } from "../wire/kept-record.ts";
import { recordVersions } from "../wire/record-versions.ts";
import { precondition, setVersion } from "../problems/wanted-version.ts";
import { recordAccount } from "../auth/record-account.ts";

/** Returns the reach of the key that sent the request; null for the admin key. */
const reach = Effect.map(CurrentPrincipal, ({ key }) => key?.accounts ?? null);

/** Returns the sender of a request for a connection. */
const connector = Effect.map(CurrentPrincipal, ({ key }) => ({ reach: key?.accounts ?? null, key: key?.id ?? null }));

/** Handlers of the accounts of applications (spec 10.3). */
export const AccountsHandlers = handlerGroup(
  PosternApi,
  "accounts",
  Effect.fn(function* (handlers) {
    const accounts = yield* Accounts;
    const creation = yield* AccountCreation;
    const changes = yield* AccountChanges;
    const removal = yield* AccountRemoval;
    const discovery = yield* Discovery;
    const protocolLog = yield* AccountProtocolLog;
    const ids = yield* OpaqueIds;
    const links = yield* ConnectLinks;
    const devices = yield* DeviceConnections;
    const versions = yield* recordVersions;
    const exports = yield* AccountExport;
    const recordOf = (details: AccountDetails) => accountRecord(ids, details, versions.account(details.account));
    const answerAccount = Effect.fnUntraced(function* (account: Account) {
      const { following, ...details } = yield* answer(accounts.details(account));
      const data = { ...recordOf(details), following };
      return yield* Effect.as(setVersion(data.version), { ok: true as const, data });
    });

    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ query }) {
        const { accounts: page, nextCursor } = yield* answer(accounts.page(query, yield* reach));
        return { ok: true as const, data: page.map(recordOf), nextCursor };
      }),
      create: Effect.fnUntraced(function* ({ payload, headers }) {
        yield* recordAccount(accountIdOf(payload.email));
        const request = yield* answer(newAccountOf(payload));
        const account = yield* answer(creation.create(request, yield* reach, yield* creationKey(headers)));
        return yield* answerAccount(account);
      }),
      discover: Effect.fnUntraced(function* ({ payload: { email } }) {
        const candidates = yield* answer(discovery.ofAddress(email));
        return { ok: true as const, data: { candidates: candidates.map(candidateRecord) } };
      }),
      connect: Effect.fnUntraced(function* ({ payload, headers }) {
        const url = yield* answer(links.make(payload, yield* connector, yield* creationKey(headers)));
        return { ok: true as const, data: { url } };
      }),
      startDevice: Effect.fnUntraced(function* ({ payload }) {
        return { ok: true as const, data: yield* answer(devices.start(payload, yield* connector)) };
      }),
      device: Effect.fnUntraced(function* ({ params: { id } }) {
        const { state, account } = yield* answer(devices.poll(id, yield* reach));
        return { ok: true as const, data: { state, account: account === null ? null : ids.accountId(account) } };
      }),
      get: Effect.fnUntraced(function* ({ params: { id } }) {
        return yield* answerAccount(yield* answer(accounts.find(id, yield* reach)));
      }),
      change: Effect.fnUntraced(function* ({ params: { id }, payload, headers }) {
        yield* recordAccount(accounts.idOf(id));
        const patch = yield* answer(accountPatchOf(payload));
        const account = yield* answer(changes.change(id, patch, yield* reach, precondition(headers, versions.account)));
        return yield* answerAccount(account);
      }),
      remove: Effect.fnUntraced(function* ({ params: { id }, headers }) {
        yield* recordAccount(accounts.idOf(id));
        const account = yield* answer(accounts.find(id, yield* reach));
        yield* answer(removal.removeIf(account.id, precondition(headers, versions.account) ?? (() => true)));
        return {
          ok: true as const,
          data: { id: ids.accountId(account.id), email: account.id, deleted: true as const },
        };
      }),
      verify: Effect.fnUntraced(function* ({ params: { id } }) {
        yield* recordAccount(accounts.idOf(id));
        const { account, verification } = yield* answer(changes.verify(id, yield* reach));
        return { ok: true as const, data: { state: stateOf(account), checks: checksRecord(verification) } };
      }),
      export: Effect.fnUntraced(function* ({ params: { id } }) {
        const kept = exports.of(yield* answer(accounts.find(id, yield* reach)));
        const lines = Stream.map(kept, (one) => keptRecordLine(one, ids, versions));
        return HttpServerResponse.stream(Stream.encodeText(lines), { contentType: "application/x-ndjson" });
      }),
      startTrace: Effect.fnUntraced(function* ({ params: { id }, payload: { minutes } }) {
        yield* recordAccount(accounts.idOf(id));
        const until = yield* answer(protocolLog.start(id, minutes));
        return { ok: true as const, data: { until: instantOf(until) } };
      }),
      readTrace: ({ params: { id } }) =>
        Effect.map(answer(protocolLog.text(id)), (text) => new TextEncoder().encode(text)),
      endTrace: Effect.fnUntraced(function* ({ params: { id } }) {
        yield* recordAccount(accounts.idOf(id));
        const account = yield* answer(protocolLog.end(id));
        return { ok: true as const, data: { id: ids.accountId(account), deleted: true as const } };
      }),
    });
  }),
);
