import { WebhookEndpoints } from "@postern/core/webhooks";
import { Context, Effect } from "effect";
import { clientOf } from "../../send/outbox-client.ts";
import { HOUR, MINUTE } from "../durations.ts";
import { linksOf, useLinks } from "./key-links.ts";
import type { Operator } from "./operator.ts";

/** The maximum delay of an attempt, in milliseconds. */
const LATE = 5_000;
/** What is to become of the waiting messages; null for the default. */
const WISHES = ["keep", "hold", "cancel", null] as const;

/** The end of a key ends its links, and holds, cancels or keeps its waiting messages; other keys lose nothing. */
export const endKeys = (operator: Operator): Effect.Effect<void, unknown> =>
  Effect.gen(function* () {
    const { visit, cluster, keys, tagOf, make, present } = operator;
    const { link, opens } = linksOf(operator);
    yield* useLinks(operator);
    const client = clientOf(visit, cluster, yield* visit.signUp("ended-keys"));
    for (const mail of WISHES) {
      const [ended, sibling] = [yield* make("ended-keys"), yield* make("ended-keys")];
      const sendAt = visit.now + HOUR;
      const names = [`ended-${mail}`, `sibling-${mail}`, `person-${mail}`] as const;
      const sent = yield* Effect.forEach([ended.by, sibling.by, undefined], (by, n) =>
        client.send(names[n]!, { sendAt, ...(by && { by }) }),
      );
      const [own, others] = [yield* link(ended.key.id), yield* link(sibling.key.id)];
      visit.same([yield* opens(own), yield* opens(others)], ["Answered", "Answered"], "the links of keys");
      const counts = yield* keys((all) => all.remove(ended.key.id, mail ?? undefined));
      visit.same([counts.messages, counts.links], [mail === "keep" ? 0 : 1, 1], `what a key ended with (${mail})`);
      visit.same(yield* tagOf((all) => all.remove(ended.key.id)), "KeyNotFound", "a second end of a key");
      visit.same([yield* present(ended.text), yield* present(sibling.text)], ["KeyRejected", "accepted"], "two keys");
      visit.same([yield* opens(own), yield* opens(others)], ["LinkExpired", "Answered"], "the links after a key ended");
      const state = mail === "keep" ? "scheduled" : mail === "cancel" ? "cancelled" : "held";
      visit.same(yield* client.state(names[0]), state, `a message of a key that ended (${mail})`);
      yield* visit.skip(9 * MINUTE);
      visit.same(yield* opens(others), "Answered", "a link after nine minutes");
      yield* visit.skip(HOUR - 8 * MINUTE);
      yield* visit.wait(LATE);
      const copies = () => sent.map(({ id }, n) => client.copies(id, names[n]!));
      visit.same(copies(), [mail === "keep" ? 1 : 0, 1, 1], `the messages of a key that ended (${mail}), and others`);
      visit.same(yield* opens(others), "LinkExpired", "a link after ten minutes");
      if (state !== "held") continue;
      visit.same(yield* client.release(sent[0]!.id, null), "Answered", "the release of a held message");
      yield* visit.wait(LATE);
      visit.same(copies(), [1, 1, 1], "the messages after a release");
    }
  });

/** The end of an application ends its keys, endpoints, links and profile, and by default cancels its waiting messages. */
export const endApplications = (operator: Operator): Effect.Effect<void, unknown> =>
  Effect.gen(function* () {
    const { visit, cluster, keys, tagOf, make, present, application } = operator;
    const { link, opens } = linksOf(operator);
    const client = clientOf(visit, cluster, yield* visit.signUp("ended-applications"));
    const ownerOf = (name: string) => ({ _tag: "Application", application: name, reach: null, notify: null }) as const;
    const endpoints = <A, E>(use: (all: WebhookEndpoints["Service"]) => Effect.Effect<A, E>) =>
      visit.ask("endpoints", (services) => use(Context.get(services, WebhookEndpoints)));
    const watch = (name: string) =>
      endpoints((all) => all.create(ownerOf(name), { url: `https://${name}.sim.test/`, events: ["account.added"] }));
    const count = (name: string) =>
      Effect.map(
        endpoints((all) => all.page(ownerOf(name), {})),
        ({ items }) => items.length,
      );
    yield* make("lasting").pipe(Effect.andThen(watch("lasting")));
    for (const mail of WISHES) {
      const [one, two, other] = [yield* make("ended"), yield* make("ended"), yield* make("lasting")];
      const profile = { displayName: `Ended ${mail}`, purpose: "sends mail", colour: "#0c5c4f" };
      yield* keys((all) => all.changeApplication("ended", profile));
      yield* watch("ended");
      yield* keys((all) => all.suspend("ended"));
      const sendAt = visit.now + HOUR;
      const names = [`one-${mail}`, `two-${mail}`, `other-${mail}`] as const;
      const sent = yield* Effect.forEach([one.by, two.by, other.by], (by, n) => client.send(names[n]!, { sendAt, by }));
      const [own, others] = [yield* link(two.key.id), yield* link(other.key.id)];
      // The last key of an application may end before the application.
      yield* keys((all) => all.remove(one.key.id, "keep"));
      const shown = yield* application("ended");
      visit.same(
        [shown?.displayName, shown?.purpose, shown?.keys],
        [profile.displayName, profile.purpose, 1],
        "a profile",
      );
      const removed = yield* keys((all) => all.removeApplication("ended", mail ?? undefined));
      const { messages, endpoints: closed, links } = removed.ended;
      const ended = [removed.keys, messages, closed, links];
      visit.same(ended, [[two.key.id], mail === "keep" ? 0 : 1, 1, 1], `what an application ended with (${mail})`);
      visit.same([yield* count("ended"), yield* count("lasting")], [0, 1], "the endpoints of two applications");
      // An application with held messages may end again.
      const gone = mail === "hold" ? null : yield* tagOf((all) => all.removeApplication("ended"));
      visit.same(gone, mail === "hold" ? null : "ApplicationNotFound", "a second end of an application");
      const again = yield* make("ended");
      const accepted = [yield* present(two.text), yield* present(other.text), yield* present(again.text)];
      visit.same(accepted, ["KeyRejected", "accepted", "accepted"], "keys after the end of a suspended application");
      visit.same(
        [yield* opens(own), yield* opens(others)],
        ["LinkExpired", "Answered"],
        "the links of two applications",
      );
      const fresh = yield* application("ended");
      visit.same([fresh?.displayName, fresh?.purpose, fresh?.suspendedAt], [null, null, null], "a new application");
      yield* visit.skip(HOUR + MINUTE);
      yield* visit.wait(LATE);
      const copies = sent.map(({ id }, n) => client.copies(id, names[n]!));
      visit.same(
        copies,
        [1, mail === "keep" ? 1 : 0, 1],
        `the messages of an application that ended (${mail}), and another`,
      );
      const state = mail === "keep" ? "sent" : mail === "hold" ? "held" : "cancelled";
      visit.same(yield* client.state(names[1]), state, `a message of an application that ended (${mail})`);
      yield* keys((all) => all.removeApplication("ended"));
    }
  });
