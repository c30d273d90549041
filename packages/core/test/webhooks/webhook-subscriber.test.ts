import { it } from "@effect/vitest";
import { Effect, Layer } from "effect";
import { TestClock } from "effect/testing";
import { expect } from "vitest";
import { type Application, Applications } from "../../src/auth/index.ts";
import { AccountDirectory, newAccount } from "../../src/accounts/index.ts";
import { EventSubscribers, writeEvent } from "../../src/events/index.ts";
import { OutgoingJournal, SendSettings } from "../../src/send/index.ts";
import { AccountId, RETRY_LADDER } from "../../src/shared/index.ts";
import {
  type Delivery,
  DeliveryQueue,
  type EndpointOwner,
  Endpoints,
  EndpointNotices,
  ownedBy,
  WebhookSettings,
  WebhookSubscriber,
} from "../../src/webhooks/index.ts";
import { numberedIds } from "../doubles.ts";
import { endpointWith, T0 } from "../webhook-doubles.ts";

const ME = AccountId("me@x.test");
const eventOf = (id: string, account = ME) =>
  writeEvent(id, { id: "acc_1", email: account }, "account.added", T0, { email: account });

it.effect("an event is queued for each endpoint that subscribes to it, with one query for the endpoints", () =>
  Effect.gen(function* () {
    const queued: Array<Delivery> = [];
    const asked: Array<string> = [];
    const events = ["account.added" as const];
    const layer = WebhookSubscriber.pipe(
      Layer.provide([
        Layer.mock(Endpoints, {
          findSubscribed: (account, entries, type) =>
            Effect.sync(() => {
              asked.push(`${account} ${type} ${entries.join()}`);
              return account === ME
                ? [endpointWith({ id: "we_1", events }), endpointWith({ id: "we_2", events, generation: 3 })]
                : [];
            }),
        }),
        Layer.mock(AccountDirectory, {
          find: (account) => Effect.succeedSome({ ...newAccount(account, 0), managed: true }),
        }),
        Layer.mock(DeliveryQueue, { insert: (added) => Effect.sync(() => void queued.push(...added)) }),
        numberedIds,
      ]),
    );
    yield* TestClock.setTime(T0 + 5);
    const [subscriber] = yield* Effect.provide(EventSubscribers, layer);
    yield* subscriber!.onEvents([
      { event: eventOf("evt_1"), position: 4 },
      { event: eventOf("evt_2"), position: 5 },
      { event: eventOf("evt_3", AccountId("b@x.test")), position: 6 },
    ]);
    expect(
      queued.map(({ eventId, endpointId, generation, position, trigger, dueAt }) => [
        eventId,
        endpointId,
        generation,
        position,
        trigger,
        dueAt,
      ]),
    ).toEqual([
      ["evt_1", "we_1", 1, 4, "event", T0 + 5],
      ["evt_1", "we_2", 3, 4, "event", T0 + 5],
      ["evt_2", "we_1", 1, 5, "event", T0 + 5],
      ["evt_2", "we_2", 3, 5, "event", T0 + 5],
    ]);
    expect(new Set(queued.map(({ id }) => id)).size).toBe(4);
    expect(asked.map((one) => one.split(" ")[0])).toEqual([ME, "b@x.test"]);
  }),
);

it.effect(
  "a notice goes to the owner's address; for an application, to its own address or its key's, through the operator's server [S10.2-35]",
  () =>
    Effect.gen(function* () {
      const tell = (owner: EndpointOwner, noticesFrom: string | null, ofApplication: string | null = null) =>
        Effect.gen(function* () {
          const mailed: Array<string> = [];
          const layer = EndpointNotices.layer.pipe(
            Layer.provide([
              Layer.mock(Applications, { find: () => Effect.succeedSome({ notify: ofApplication } as Application) }),
              Layer.mock(OutgoingJournal, { insert: ({ to }) => Effect.sync(() => void mailed.push(...to)) }),
              Layer.succeed(WebhookSettings, { ladder: RETRY_LADDER, baseUrl: "https://mail.x.test" }),
              Layer.succeed(SendSettings, { noticesFrom } as never),
            ]),
          );
          const notice = { owner, endpointId: "we_1", url: "https://y.test", generation: 1, disabledAt: T0 };
          yield* Effect.provide(
            Effect.flatMap(EndpointNotices, ({ notifyDisabled: endpointDisabled }) => endpointDisabled(notice)),
            layer,
          );
          return mailed;
        });
      const application = (notify: string | null): EndpointOwner => ({
        _tag: "Application",
        application: "app",
        reach: null,
        notify,
      });
      expect(yield* tell(ownedBy(ME), null)).toEqual([ME]);
      expect(yield* tell(application("ops@x.test"), "notices@x.test")).toEqual(["ops@x.test"]);
      expect(yield* tell(application("ops@x.test"), "notices@x.test", "app@x.test")).toEqual(["app@x.test"]);
      expect(yield* tell(application(null), "notices@x.test", "app@x.test")).toEqual(["app@x.test"]);
      expect(yield* tell(application("ops@x.test"), null, "app@x.test")).toEqual([]);
      expect(yield* tell(application("ops@x.test"), null)).toEqual([]);
      expect(yield* tell(application(null), "notices@x.test")).toEqual([]);
    }),
);
