import { PosternApi } from "@postern/api";
import { Apps, Consents, labelOf, type ListedApp } from "@postern/core/oauth";
import { Effect } from "effect";
import { handlerGroup } from "./handler-group.ts";
import { serverRecord } from "../wire/account-record.ts";
import { creationKey } from "../wire/creation-key.ts";
import { answer } from "../problems/answer.ts";

const AUTHENTICATION = { None: "none", ClientSecret: "client_secret", PrivateKey: "private_key" } as const;

const viewOf = ({ app: { secret, servers, ...app }, isFixed }: ListedApp) => ({
  ...app,
  label: labelOf(app),
  authentication: AUTHENTICATION[secret._tag],
  imap: servers === null ? null : serverRecord(servers.imap),
  smtp: servers === null ? null : serverRecord(servers.smtp),
  fixed: isFixed,
});

/** Handlers of the operations on OAuth2 apps (spec 11.1). */
export const OAuthAppsHandlers = handlerGroup(
  PosternApi,
  "oauthApps",
  Effect.fn(function* (handlers) {
    const apps = yield* Apps;
    const { redirectUri } = yield* Consents;

    return handlers.handleAll({
      keep: Effect.fnUntraced(function* ({ payload, headers }) {
        const app = yield* answer(apps.keep(payload, yield* creationKey(headers)));
        return { ok: true as const, data: viewOf({ app, isFixed: false }) };
      }),
      list: Effect.fnUntraced(function* ({ query }) {
        const { items, nextCursor } = yield* answer(apps.page(query));
        return { ok: true as const, data: items.map(viewOf), redirectUri, nextCursor };
      }),
      remove: Effect.fnUntraced(function* ({ params: { id } }) {
        yield* answer(apps.remove(id));
        return { ok: true as const, data: { id, deleted: true as const } };
      }),
    });
  }),
);
