import { CurrentPrincipal, InvalidRequest, PosternApi } from "@postern/api";
import {
  type Account,
  type AccountDetails,
  AccountProtocolLog,
  Accounts,
  Discovery,
  stateOf,
} from "@postern/core/accounts";
import { AddressMalformed, type KeyReach } from "@postern/core/auth";
import { Apps, ConnectLinks } from "@postern/core/oauth";
import { AccountChanges, AccountCreation, AccountRemoval, DeviceConnections } from "@postern/core/lifecycle";
import { accountIdOf, OpaqueIds } from "@postern/core/shared";
import { Duration, Effect, Option, Redacted } from "effect";
import { handlerGroup } from "./handler-group.ts";
import { accountRecord, candidateRecord, checksRecord, serverOf } from "../wire/account-record.ts";
import { answer } from "../problems/answer.ts";
import { creationKey } from "../wire/creation-key.ts";
import { addressFaults, connectFaults } from "../wire/connect-request.ts";
import { secretOf } from "../wire/account-secret.ts";
import type { FieldFault } from "../wire/field-faults.ts";
import { instantOf } from "../wire/instant-of.ts";
import { recordVersions } from "../wire/record-versions.ts";
import { RequestId } from "../wire/RequestId.ts";
import { precondition, setVersion } from "../problems/wanted-version.ts";
import { recordAccount } from "../auth/record-account.ts";

const PAGE = 50;
const LARGEST_PAGE = 200;

/** The reach of the key that sent the request; null for the admin key. */
const reach = Effect.map(CurrentPrincipal, ({ key }) => key?.accounts ?? null);

const refused = (errors: ReadonlyArray<FieldFault>) =>
  Effect.flatMap(RequestId, (requestId) => new InvalidRequest({ requestId, errors }));

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
    const apps = yield* Apps;
    const links = yield* ConnectLinks;
    const devices = yield* DeviceConnections;

    /** Returns what a user is to connect, if the key reaches it and the app exists. */
    const connectRequest = Effect.fnUntraced(function* (
      email: string | undefined,
      app: string | undefined,
      tags: ReadonlyArray<string> | undefined,
      within: KeyReach | null,
    ) {
      if (app !== undefined) yield* apps.get(app);
      const id = email === undefined ? Option.none() : accountIdOf(email);
      if (Option.isSome(id)) yield* accounts.checkReach(id.value, tags ?? null, within);
      const { key } = yield* CurrentPrincipal;
      const asked = { address: email ?? null, app: app ?? null, tags: tags ?? null, reach: within };
      return key === null ? asked : { ...asked, key: key.id };
    });

    const versions = yield* recordVersions;
    const recordOf = (details: AccountDetails) => accountRecord(ids, details, versions.account(details.account));
    const answerAccount = Effect.fnUntraced(function* (account: Account) {
      const data = recordOf(yield* answer(accounts.details(account)));
      return yield* Effect.as(setVersion(data.version), { ok: true as const, data });
    });

    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ query }) {
        const limit = Math.min(query.limit ?? PAGE, LARGEST_PAGE);
        const after = query.cursor === undefined ? null : Option.getOrNull(accounts.idOf(query.cursor));
        const filter = { reach: yield* reach, state: query.state ?? null, tag: query.tag ?? null };
        const found = yield* answer(accounts.list(filter, after, limit + 1));
        const page = found.slice(0, limit);
        const last = found.length > limit ? page.at(-1) : undefined;
        return {
          ok: true as const,
          data: page.map(recordOf),
          nextCursor: last === undefined ? null : ids.accountId(last.account.id),
        };
      }),

      create: Effect.fnUntraced(function* ({ payload: { email, name, password, grant, imap, smtp, tags }, headers }) {
        yield* recordAccount(accountIdOf(email));
        const secret = secretOf(password, grant);
        if (secret === undefined)
          return yield* refused([{ field: "password", message: "or grant is required, not both" }]);
        const account = yield* answer(
          creation.create(
            {
              email,
              name: name ?? null,
              secret,
              imap: serverOf(imap),
              smtp: serverOf(smtp),
              tags: tags ?? [],
            },
            yield* reach,
            yield* creationKey(headers),
          ),
        );
        return yield* answerAccount(account);
      }),

      discover: Effect.fnUntraced(function* ({ payload: { email } }) {
        const account = accountIdOf(email);
        if (Option.isNone(account)) return yield* answer(new AddressMalformed());
        const candidates = yield* discovery.of(account.value);
        return { ok: true as const, data: { candidates: candidates.map(candidateRecord) } };
      }),

      connect: Effect.fnUntraced(function* ({ payload: { email, provider, redirectUrl, tags, state } }) {
        const faults = connectFaults({ redirectUrl, ...(email === undefined ? {} : { email }) });
        if (faults.length > 0) return yield* refused(faults);
        const request = yield* answer(connectRequest(email, provider, tags, yield* reach));
        return { ok: true as const, data: { url: yield* answer(links.make(request, redirectUrl, state ?? null)) } };
      }),

      startDevice: Effect.fnUntraced(function* ({ payload: { email, provider, tags } }) {
        const faults = addressFaults(email);
        if (faults.length > 0) return yield* refused(faults);
        const request = yield* answer(connectRequest(email, provider, tags, yield* reach));
        return { ok: true as const, data: yield* answer(devices.start({ ...request, app: provider })) };
      }),

      device: Effect.fnUntraced(function* ({ params: { id } }) {
        const { state, account } = yield* answer(devices.look(id, yield* reach));
        return { ok: true as const, data: { state, account: account === null ? null : ids.accountId(account) } };
      }),

      get: Effect.fnUntraced(function* ({ params: { id } }) {
        return yield* answerAccount(yield* answer(accounts.find(id, yield* reach)));
      }),

      change: Effect.fnUntraced(function* ({ params: { id }, payload: { password, imap, smtp, ...rest }, headers }) {
        yield* recordAccount(accounts.idOf(id));
        const hasServers = imap !== undefined || smtp !== undefined;
        const patch = {
          ...rest,
          ...(password === undefined ? {} : { password: Redacted.make(password) }),
          ...(hasServers ? { servers: { imap: serverOf(imap), smtp: serverOf(smtp) } } : {}),
        };
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

      startTrace: Effect.fnUntraced(function* ({ params: { id }, payload: { minutes } }) {
        yield* recordAccount(accounts.idOf(id));
        const until = yield* answer(protocolLog.start(id, Duration.minutes(minutes)));
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
