import { Identities, MessageSender, OpenTracker, Outbox, Uploads } from "@postern/core/send";
import type { AccountId } from "@postern/core/shared";
import { Context, Effect, Stream } from "effect";
import type { Cluster } from "../../Cluster.ts";
import { dataOf, eventsOf } from "../../events-of.ts";
import type { Invariant } from "../../Invariant.ts";
import { SEND_RATE } from "../../nodes/process-fakes.ts";
import type { Visit } from "../../Visit.ts";

const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
/** The maximum time until a batch of opens is reported, in milliseconds. */
const OPENINGS_MILLIS = 6_000;
/** A minute, and the difference of the clocks of two nodes, in milliseconds. */
const MINUTE_MILLIS = 64_000;
const RECIPIENT = "reader@far.test";

type SendRequest = Parameters<MessageSender["Service"]["send"]>[1];

/**
 * A message is sent from the identity that it names or from the default identity, and never from an unverified address.
 * An account can use only its own files. An open is reported once a minute for each class. Quotas hold at every node.
 * [S7.8-1]
 */
export const senders: Invariant = {
  name: "senders",
  watch: (cluster) => ({
    calm: (visit) =>
      Effect.gen(function* () {
        yield* identities(visit, cluster);
        yield* files(visit);
        yield* openings(visit, cluster);
        yield* quota(visit);
      }),
  }),
};

const senderOf = (visit: Visit, account: AccountId) => ({
  send: (request: Partial<SendRequest>) =>
    visit.ask("send", (services) =>
      Context.get(services, MessageSender).send(
        account,
        { to: "reader@far.test", subject: "of a sender", text: "simulated", ...request },
        undefined,
      ),
    ),
  ask: <A, E>(use: (identities: Identities["Service"]) => Effect.Effect<A, E>) =>
    visit.ask("identities", (services) => use(Context.get(services, Identities))),
});

const tagOf = <A, E extends { readonly _tag: string }>(effect: Effect.Effect<A, E>) =>
  Effect.match(effect, { onFailure: ({ _tag }) => _tag, onSuccess: () => "Answered" });

const identities = (visit: Visit, cluster: Cluster) =>
  Effect.gen(function* () {
    const account = yield* visit.signUp("senders");
    const { send, ask } = senderOf(visit, account);
    const [own] = (yield* ask((all) => all.page(account, {}))).items;
    visit.same([own?.address, own?.isDefault, own?.verified], [account, true, true], "an account's own identity");
    const alias = yield* ask((all) => all.create(account, { address: "alias@far.test", name: "Alias" }, false));
    visit.same(alias.verified, false, "whether a new alias is verified");
    visit.same(yield* tagOf(send({ from: alias.id })), "SenderNotAllowed", "sending by an alias that is not verified");
    visit.same(
      yield* tagOf(send({ from: "nobody@far.test" })),
      "SenderNotAllowed",
      "sending from another user's address",
    );
    const early = yield* tagOf(ask((all) => all.change(account, alias.id, { isDefault: true })));
    visit.same(early, "IdentityUnverified", "making it the default");
    const trusted = yield* ask((all) => all.create(account, { address: "trusted@far.test", name: "Trusted" }, true));
    yield* ask((all) => all.change(account, trusted.id, { isDefault: true }));
    const defaults = Effect.map(
      ask((all) => all.page(account, {})),
      ({ items }) => items.filter(({ isDefault }) => isDefault).map(({ id }) => id),
    );
    visit.same(yield* defaults, [trusted.id], "the default identities");
    const second = yield* ask((all) =>
      all.create(account, { address: "second@far.test", name: "Second", isDefault: true }, true),
    );
    visit.same(yield* defaults, [second.id], "the default identities after another was created as the default");
    yield* ask((all) => all.change(account, trusted.id, { isDefault: true }));
    yield* ask((all) => all.remove(account, second.id));
    const named = yield* ask((all) => all.change(account, trusted.id, { name: "Trusted again" }));
    visit.same([named.name, named.isDefault], ["Trusted again", true], "the default identity under a new name");
    const { id } = yield* send({});
    yield* visit.wait(200);
    const taken = cluster.smtp.taken.find(({ envelopeId }) => envelopeId === id)!;
    const from = /^From: .*?([^\s<>]+)>?\r$/m.exec(new TextDecoder().decode(taken.raw))?.[1];
    visit.same([from, taken.from], ["trusted@far.test", account], "the sender of a message that names none");
    visit.same(yield* tagOf(ask((all) => all.remove(account, own!.id))), "IdentityOwn", "deleting the own identity");
    yield* ask((all) => all.remove(account, trusted.id));
    visit.same(yield* defaults, [own!.id], "the default afterwards");
    visit.same(yield* tagOf(send({ from: "trusted@far.test" })), "SenderNotAllowed", "sending by a deleted alias");
  });

const files = (visit: Visit) =>
  Effect.gen(function* () {
    const [account, other] = [yield* visit.signUp("files"), yield* visit.signUp("others")];
    const text = new TextEncoder().encode("a file");
    const upload = yield* visit.ask("upload", (services) =>
      Context.get(services, Uploads).receive(account, { name: "a.txt", type: "text/plain", bytes: Stream.make(text) }),
    );
    visit.same([upload.name, upload.size], ["a.txt", text.length], "an upload");
    const open = (by: AccountId) =>
      visit.tagOf("open an upload", (services) => Context.get(services, Uploads).open(by, upload.id));
    visit.same([yield* open(account), yield* open(other)], ["Answered", "UploadNotFound"], "opening an upload");
    const attachments = [{ id: upload.id }];
    visit.same(yield* tagOf(senderOf(visit, other).send({ attachments })), "InputInvalid", "another's file");
    visit.same((yield* senderOf(visit, account).send({ attachments })).status, "sent", "a message with a file");
    visit.same(yield* open(account), "Answered", "an upload that was sent");
  });

/** Hits are told once a minute for each class, with the number of all hits; other hits are only counted. [S7.8-1] */
const openings = (visit: Visit, cluster: Cluster) =>
  Effect.gen(function* () {
    const account = yield* visit.signUp("openings");
    const { messageId } = yield* senderOf(visit, account).send({ html: "<p>simulated</p>", trackOpens: true });
    yield* visit.wait(200);
    const image = cluster.smtp.images.findLast(({ from }) => from === account)!.id;
    const hit = (userAgent: string, purpose = "", id = image) =>
      visit.ask("open", (services) => Context.get(services, OpenTracker).recordHit(id, userAgent, purpose));
    for (let n = 0; n < 3; n++) yield* hit(FIREFOX);
    yield* hit("GoogleImageProxy");
    yield* visit.wait(OPENINGS_MILLIS);
    const told = eventsOf(cluster, account, "email.opened").filter((event) => dataOf(event, "messageId") === messageId);
    const classes = told.map((event) => String(dataOf(event, "classification"))).toSorted();
    visit.same(classes, ["human", "proxy"], "the openings that are told within a minute");
    visit.same(told.filter((event) => dataOf(event, "first") === true).length, 1, "the first openings");
    visit.same([...new Set(told.map((event) => dataOf(event, "recipient")))], [RECIPIENT], "who opened");
    // Programs that fetch the image before it is shown, and one that scans it; a minute passes before the last two.
    const later: ReadonlyArray<ReadonlyArray<ReadonlyArray<string>>> = [
      [["Mozilla/5.0"], [FIREFOX, "preview"], ["curl/8"], ["", "", "unknown"]],
      [[FIREFOX], [FIREFOX]],
    ];
    for (const some of later) {
      if (some.length === 2) {
        // A hit that is only counted does not extend the minute.
        yield* visit.wait(MINUTE_MILLIS / 2);
        yield* hit(FIREFOX);
        yield* visit.wait(MINUTE_MILLIS / 2);
      }
      for (const [userAgent, purpose, id] of some) yield* hit(userAgent!, purpose, id);
      yield* visit.wait(OPENINGS_MILLIS);
    }
    const all = eventsOf(cluster, account, "email.opened").slice(told.length);
    visit.same(
      all.map((event) => String(dataOf(event, "classification"))).toSorted(),
      ["human", "prefetch", "scanner"],
      "the later openings",
    );
    const counts = all.flatMap((event) =>
      dataOf(event, "classification") === "human" ? [dataOf(event, "count")] : [],
    );
    visit.expect(
      counts.every((count) => count === 9 || count === 10),
      `an opening after eight others is the number ${String(counts)}`,
    );
    visit.expect(
      all.every((event) => dataOf(event, "first") === false),
      "a later opening is the first",
    );
  });

const quota = (visit: Visit) =>
  Effect.gen(function* () {
    const account = yield* visit.signUp("quota");
    const { send } = senderOf(visit, account);
    const sendAt = new Date(visit.now + 3_600_000).toISOString();
    const all = Array.from({ length: SEND_RATE + 2 }, () => Effect.result(send({ sendAt })));
    const answered = yield* Effect.all(all, { concurrency: "unbounded" });
    const refused = answered.flatMap((one) => (one._tag === "Failure" ? [one.failure._tag] : []));
    visit.same(refused, ["SendRateExceeded", "SendRateExceeded"], "the answers beyond the messages of a minute");
    for (const one of answered) {
      if (one._tag === "Failure") continue;
      yield* visit.ask("cancel", (services) => Context.get(services, Outbox).cancel(account, one.success.id));
    }
  });
