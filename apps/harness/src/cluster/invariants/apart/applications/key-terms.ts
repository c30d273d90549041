import { KeyAuthentication } from "@postern/core/auth";
import { Context, Effect, Option } from "effect";
import type { Invariant } from "../../../Invariant.ts";
import { auditRequests } from "./audited-requests.ts";
import { changeFields } from "./changed-key.ts";
import { connectDevices } from "./connected-devices.ts";
import { HOUR, MINUTE, SECOND } from "../durations.ts";
import { endApplications, endKeys } from "./ended-keys.ts";
import { interruptSuspension } from "./interrupted-suspension.ts";
import { nameVersions, reachEndpoints } from "./named-versions.ts";
import { type Operator, operatorOf } from "./operator.ts";
import { suspendApplication } from "./suspended-application.ts";
import { readWithKey } from "./waiting-readers.ts";

/**
 * A key has the rights that it was given, until its end: a change changes the named fields alone, from the next request
 * on. Wrong keys are limited for a network, right keys never. A suspension and an end concern the keys, messages,
 * endpoints, links and device authorizations of the named key or application, and nothing else. The audit has each
 * change and each call of an agent, as long as promised. [S8.7-1] [S8.7-2] [S8.7-3] [S10.2-1] [S10.2-2] [S10.2-3] [S10.2-6] [S10.2-7] [S10.2-22]
 * [S10.2-24] [S10.2-25] [S10.2-27] [S10.2-28] [S10.2-29] [S10.2-30] [S10.2-33] [S10.3-25] [S13.2-9]
 */
export const keyTerms: Invariant = {
  name: "key-terms",
  watch: () => ({
    apart: (visit, cluster) =>
      Effect.gen(function* () {
        const operator = operatorOf(visit, cluster);
        yield* visit.pickInTurn([useKeys, suspend, endKeys, endApplications, recordKeys])(operator);
      }),
  }),
};

const useKeys = (operator: Operator) =>
  Effect.gen(function* () {
    yield* changeFields(operator);
    yield* useUntilEnd(operator);
    yield* tryWrongKeys(operator);
  });

const suspend = (operator: Operator) => Effect.andThen(suspendApplication(operator), interruptSuspension(operator));

const recordKeys = (operator: Operator) =>
  Effect.gen(function* () {
    yield* auditRequests(operator);
    yield* connectDevices(operator);
    yield* readWithKey(operator);
    yield* nameVersions(operator);
    yield* reachEndpoints(operator);
  });

/** A key is accepted until its end, from its networks and for its scopes; a later end revives it. */
const useUntilEnd = ({ visit, keys, make, present, find }: Operator) =>
  Effect.gen(function* () {
    const { key, text } = yield* make("ending", { expiresAt: visit.now + HOUR, networks: ["192.0.2.71"] });
    const isKnown = (scope: "mail:read" | "events") =>
      Effect.map(
        visit.ask("check", (services) =>
          Context.get(services, KeyAuthentication).recheck(key.id, scope, { network: "", isWithin: () => true }),
        ),
        Option.isSome,
      );
    visit.same([yield* isKnown("mail:read"), yield* isKnown("events")], [true, false], "the scopes of a key");
    visit.same(yield* present(text), "KeyNetworkRefused", "a key from another network");
    visit.same((yield* find(key.id))?.lastUsedAt, null, "the use of a key that was refused");
    for (const wait of [0, 3 * MINUTE]) {
      if (wait > 0) yield* visit.skip(wait);
      visit.same(yield* present(text, "192.0.2.71"), "accepted", "a key from its network");
      const { lastUsedAt } = (yield* find(key.id))!;
      visit.expect(lastUsedAt !== null && visit.now - lastUsedAt < MINUTE, `a key was used now, not at ${lastUsedAt}`);
    }
    yield* keys((all) => all.change(key.id, { networks: null, scopes: ["events"] }));
    visit.same(yield* present(text), "accepted", "a key that may be used from any network now");
    visit.same([yield* isKnown("mail:read"), yield* isKnown("events")], [false, true], "the scopes of a changed key");
    yield* visit.skip(56 * MINUTE);
    visit.same(yield* present(text), "accepted", "a key a minute before its end");
    yield* visit.skip(2 * MINUTE);
    visit.same([yield* present(text), yield* isKnown("events")], ["KeyRejected", false], "a key after its end");
    yield* keys((all) => all.change(key.id, { name: "ended" }));
    visit.same(yield* present(text), "KeyRejected", "an ended key that was renamed");
    yield* keys((all) => all.change(key.id, { expiresAt: visit.now + HOUR }));
    visit.same([yield* present(text), yield* isKnown("events")], ["accepted", true], "a key with a later end");
    yield* keys((all) => all.remove(key.id));
    visit.same([yield* present(text), yield* isKnown("events")], ["KeyRejected", false], "a deleted key");
  });

/** Ten wrong keys in 15 minutes from a network are refused, more are too many; right keys are accepted. */
const tryWrongKeys = ({ visit, make, present }: Operator) =>
  Effect.gen(function* () {
    const { text } = yield* make("guessed");
    const wrong = (network: string) => present(`${text.slice(0, -1)}${text.endsWith("A") ? "B" : "A"}`, network);
    for (let n = 0; n < 10; n++) {
      visit.same(yield* wrong("192.0.2.73"), "KeyRejected", "one of ten wrong keys");
      yield* visit.wait(SECOND);
    }
    visit.same(yield* wrong("192.0.2.73"), "TooManyWrongKeys", "an eleventh wrong key");
    visit.same(yield* wrong("192.0.2.74"), "KeyRejected", "a wrong key from another network");
    visit.same(yield* present(text, "192.0.2.73"), "accepted", "a right key after wrong ones");
    yield* visit.skip(14 * MINUTE + 30 * SECOND);
    visit.same(yield* wrong("192.0.2.73"), "TooManyWrongKeys", "a wrong key before 15 minutes are over");
    yield* visit.skip(31 * SECOND);
    visit.same(yield* wrong("192.0.2.73"), "KeyRejected", "a wrong key after 15 minutes");
  });
