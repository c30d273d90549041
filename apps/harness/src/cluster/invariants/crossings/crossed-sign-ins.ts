import { AccountErasures, AccountSessions } from "@postern/core/auth";
import { Drafts } from "@postern/core/drafts";
import { AccountRemoval } from "@postern/core/lifecycle";
import { Inbox } from "@postern/core/messages";
import { MessageSender, OutgoingJournal } from "@postern/core/send";
import type { AccountId } from "@postern/core/shared";
import { FollowedMailboxes } from "@postern/core/watch";
import { WebhookEndpoints } from "@postern/core/webhooks";
import { Context, Effect, Option } from "effect";
import { byText } from "../../by-text.ts";
import type { Visit } from "../../Visit.ts";
import { managerOf } from "../apart/applications/manager.ts";
import type { Crossing } from "./Crossing.ts";

const NEW_PASSWORD = "the password from now on";
const HOUR = 3_600_000;
/** A time longer than a refusal needs to be told, in milliseconds. */
const TOLD = 6_000;

const list = (visit: Visit, account: AccountId) =>
  visit.tagOf("list", (services) => Context.get(services, Inbox).list(account, {}));

/** A sign-in that is concurrent with the end of the last session keeps its credential. */
export const signedOutWhileSignedIn: Crossing = {
  name: "signed-out",
  prepare: (visit, _, account) =>
    Effect.gen(function* () {
      const { items } = yield* visit.ask("sessions", (services) =>
        Context.get(services, AccountSessions).page(account, {}),
      );
      return {
        held: visit.ask("sign out", (services) => Context.get(services, AccountSessions).end(account, items[0]!.id)),
        meanwhile: visit.signIn(account),
        after: Effect.map(list(visit, account), (tag) =>
          visit.same(tag, "Answered", "a request after a sign-in beside a sign-out"),
        ),
      };
    }),
};

/** The refusal of a password does not affect a password that is stored at the same time. */
export const refusedWhileSignedIn: Crossing = {
  name: "refused",
  prepare: (visit, cluster, account) =>
    Effect.sync(() => {
      cluster.mail.addAccount(account, NEW_PASSWORD);
      return {
        held: list(visit, account),
        meanwhile: visit.signIn(account, NEW_PASSWORD),
        after: Effect.map(list(visit, account), (tag) =>
          visit.same(tag, "Answered", "a request by a password that was stored beside the refusal of the former one"),
        ),
      };
    }),
};

/** An account whose user signs in again while an application creates it recovers once, and is added once. */
export const createdWhileSignedIn: Crossing = {
  name: "created",
  prepare: (visit, cluster, account) =>
    Effect.gen(function* () {
      cluster.mail.addAccount(account, NEW_PASSWORD);
      visit.same(yield* list(visit, account), "MailboxCredentialsRejected", "a request by the former password");
      const { create, state, told } = managerOf(visit, cluster);
      yield* visit.within(TOLD, "a refused password is not told", () => told(account).includes("account.auth_failed"));
      return {
        held: create(account, { password: NEW_PASSWORD }),
        meanwhile: visit.signIn(account, NEW_PASSWORD),
        after: Effect.gen(function* () {
          const events = told(account).toSorted(byText);
          const once = ["account.added", "account.auth_failed", "account.recovered"];
          visit.same(events, once, "the events of an account that was created beside a sign-in");
          visit.same(yield* state(account), "active", "the state of an account that was created beside a sign-in");
        }),
      };
    }),
};

/** A user who signs in again during the erasure of the account keeps all data that is stored afterwards. */
export const removedWhileSignedIn: Crossing = {
  name: "removed",
  prepare: (visit, cluster, account) =>
    Effect.sync(() => {
      let isRemoved = false;
      return {
        held: visit.ask("remove", (services) => Context.get(services, AccountRemoval).remove(account)),
        meanwhile: Effect.gen(function* () {
          // A removal that has not begun yet would remove the account including the sign-in.
          isRemoved ||= cluster.ask((ports) => Context.get(ports, AccountErasures).isUnderWay(account));
          yield* visit.signIn(account);
          if (isRemoved) yield* fill(visit, account);
        }),
        after: Effect.gen(function* () {
          if (!isRemoved) return;
          visit.same(yield* list(visit, account), "Answered", "a request after a sign-in during a removal");
          visit.same(yield* missingData(visit, account), [], "what an account that was added again lost");
        }),
      };
    }),
};

const fill = (visit: Visit, account: AccountId) =>
  Effect.gen(function* () {
    yield* visit.ask("endpoint", (services) =>
      Context.get(services, WebhookEndpoints).create(
        { _tag: "Account", account },
        { url: "https://visit.sim.test/again", events: ["email.sent"] },
      ),
    );
    const request = { to: "reader@far.test", subject: "again", text: "simulated" };
    const sendAt = new Date(visit.now + HOUR).toISOString();
    yield* visit.ask("send", (services) =>
      Context.get(services, MessageSender).send(account, { ...request, sendAt }, undefined),
    );
    yield* visit.ask("draft", (services) => Context.get(services, Drafts).create(account, request));
  });

/** Returns the data that `fill` stored and that the account no longer has. */
const missingData = (visit: Visit, account: AccountId) =>
  visit.ask("find", (services) =>
    Effect.gen(function* () {
      const drafts = yield* Context.get(services, Drafts).page(account, {});
      const endpoints = yield* Context.get(services, WebhookEndpoints).page({ _tag: "Account", account }, {});
      const messages = yield* Context.get(services, OutgoingJournal).list({ account }, visit.now, 10);
      const baseline = yield* Context.get(services, FollowedMailboxes).find(account, "inbox");
      return [
        ...(drafts.items.length === 0 ? ["drafts"] : []),
        ...(endpoints.items.length === 0 ? ["endpoints"] : []),
        ...(messages.length === 0 ? ["messages"] : []),
        ...(Option.isNone(baseline) ? ["known messages"] : []),
      ];
    }),
  );
