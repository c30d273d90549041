import { it } from "@effect/vitest";
import { harness, HARNESS_URL } from "@postern/harness";
import { Effect } from "effect";
import { expect } from "vitest";
import { call, signIn } from "./call.ts";

it.live("a mail that verifies an alias counts against the sending rate of the account [S12.2-10]", () =>
  Effect.gen(function* () {
    const world = yield* harness;
    const { token } = (yield* signIn(world)).body;
    const add = (n: number) =>
      call(world, "POST", "/api/identities", { token, json: { address: `a${n}@postern.test` } });
    for (let n = 0; n < 60; n++) expect((yield* add(n)).status).toBe(200);
    const refused = yield* add(60);
    expect([refused.status, refused.body.code]).toEqual([429, "send_rate_exceeded"]);
    yield* world.pass("1 minute");
    expect((yield* add(60)).status).toBe(200);
  }).pipe(Effect.scoped),
);

it.effect.each<[string, string, string]>([
  ["en", "ltr", "This link is not valid"],
  ["de", "ltr", "Dieser Link ist nicht gültig"],
  ["fr", "ltr", "Ce lien n’est pas valide"],
  ["ar", "rtl", "هذا الرابط غير صالح"],
])("the page of the link in that mail is for %s, %s: %s [S15.9-5]", ([lang, dir, title]) =>
  Effect.gen(function* () {
    const world = yield* harness;
    const request = new Request(new URL("/verify/guessed", HARNESS_URL), { headers: { "accept-language": lang } });
    const response = yield* world.request(request);
    const text = yield* Effect.promise(() => response.text());
    expect(response.status).toBe(404);
    expect(text).toContain(`<html lang="${lang}" dir="${dir}">`);
    expect(text).toContain(`<h1>${title}</h1>`);
  }).pipe(Effect.scoped),
);
