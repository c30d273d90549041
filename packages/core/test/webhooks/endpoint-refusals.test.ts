import { it } from "@effect/vitest";
import { Effect } from "effect";
import { describe, expect } from "vitest";
import { type EndpointOwner, WebhookTrial } from "../../src/webhooks/index.ts";
import { endpointsWorld, keyOf, ME, OWNER, tagOf } from "./endpoints-in-memory.ts";

declare const TextDecoder: new () => { decode(bytes: Uint8Array): string };

describe("a change of an endpoint", () => {
  it.effect("is not found before its fields are checked", () =>
    Effect.gen(function* () {
      const { run } = endpointsWorld();
      const edit = (request: object) => tagOf(run((endpoints) => endpoints.edit(OWNER, "we_none", request)));
      for (const wrong of [{ url: "https://private.test/" }, { events: ["email.eaten"] }, {}]) {
        expect(yield* edit(wrong)).toBe("EndpointNotFound");
      }
    }),
  );

  it.effect("is refused with a folder that the account does not have, as a new endpoint is", () =>
    Effect.gen(function* () {
      const { create, run, state } = endpointsWorld();
      const { id } = (yield* create()).endpoint;
      const folders = ["inbox", "f_none"];
      for (const refused of [
        yield* Effect.flip(create(OWNER, { folders })),
        yield* Effect.flip(run((endpoints) => endpoints.edit(OWNER, id, { folders }))),
      ]) {
        expect(refused).toMatchObject({ _tag: "InputInvalid", errors: [{ field: "folders.1" }] });
      }
      expect(state.endpoints.map((one) => one.folders)).toEqual([["inbox"]]);
      expect((yield* create(keyOf(), { folders })).endpoint.folders).toEqual(folders);
    }),
  );
});

describe("a test event", () => {
  it.effect("is about the account of the endpoint, or a sample account; its end is about no account", () =>
    Effect.gen(function* () {
      const all = endpointsWorld();
      const accountIn = (owner: EndpointOwner, type: string) =>
        Effect.gen(function* () {
          const { id } = (yield* all.create(owner)).endpoint;
          yield* Effect.scoped(
            Effect.provide(
              Effect.flatMap(WebhookTrial, (one) => one.send(owner, id, type)),
              all.layer,
            ),
          );
          return JSON.parse(new TextDecoder().decode(all.state.posts.at(-1)!.body)).account;
        });
      const account = { id: `acc_${ME}`, email: ME };
      expect(yield* accountIn(OWNER, "webhook.disabled")).toEqual(account);
      expect(yield* accountIn(keyOf(), "email.received")).toEqual(account);
      expect(yield* accountIn(keyOf(), "webhook.disabled")).toBeNull();
    }),
  );
});
