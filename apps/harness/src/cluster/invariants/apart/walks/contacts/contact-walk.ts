import { Contacts, MessageSender } from "@postern/core/send";
import { Context, Effect } from "effect";
import type { Cluster } from "../../../../Cluster.ts";
import type { Invariant } from "../../../../Invariant.ts";
import type { Visit } from "../../../../Visit.ts";
import { managedAccount } from "../../../deadlines/managed-account.ts";
import { DAY, HOUR, SECOND } from "../../durations.ts";
import { type Act, walk, worldActs } from "../walk.ts";
import { type WalkedContacts, walkedContacts } from "./walked-contacts.ts";

/** The acts of a walk. */
const STEPS = 30;
/** The time until a message is stored in Sent; copies have times in seconds. */
const SENT = 3 * SECOND;
/** The numbers of earlier messages in Sent, of which 500 are read in one step. */
const EARLIER = [0, 3, 499, 501, 1_002];

/**
 * The people in Sent are listed with their newest name and time, whichever program stores mail in Sent, deletes it or recreates the
 * folder; a person who was removed returns only with later mail. [S12.5-1] [S12.5-2] [S12.5-3]
 */
export const contactWalk: Invariant = {
  name: "contact-walk",
  watch: () => ({
    apart: (visit, cluster) =>
      Effect.gen(function* () {
        const contacts = walkedContacts(visit, cluster, yield* managedAccount(visit, cluster, "walked-contacts"));
        const stranger = walkedContacts(visit, cluster, yield* managedAccount(visit, cluster, "no-contacts"));
        for (let n = visit.pickInTurn(EARLIER); n > 0; n--) store(visit, cluster, contacts, -n * HOUR);
        yield* contacts.compare;
        const acts = [...contactActs(visit, cluster, contacts, stranger), ...worldActs(visit, cluster, () => [])];
        yield* walk(visit, cluster, acts, STEPS);
      }),
  }),
};

const NAMES = ["", "", "Person 1", "Person 2", "Roe"];
const draw = ({ random }: Cluster) => {
  const address = `p${random.between(0, 8)}@${random.pick(["far.test", "far.test", "other.test", "FAR.test"])}`;
  const name = random.pick(NAMES)!;
  return name === "" ? address : `${name} <${address}>`;
};

/** Another mail program stores a message in Sent that was written at another time. */
const store = (visit: Visit, cluster: Cluster, { account, sent }: WalkedContacts, millis: number): void => {
  const [to, cc, bcc] = [draw(cluster), draw(cluster), "hidden@far.test"];
  const text = `From: ${account}\r\nTo: ${to}\r\nCc: ${cc}\r\nBcc: ${bcc}\r\nSubject: stored\r\n\r\nwalked\r\n`;
  sent().append(new TextEncoder().encode(text), visit.now + millis, ["\\Seen"]);
};

const contactActs = (
  visit: Visit,
  cluster: Cluster,
  contacts: WalkedContacts,
  stranger: WalkedContacts,
): ReadonlyArray<Act> => {
  const { random } = cluster;
  const { account, people, listed, sent } = contacts;
  const forgetOf = (by: WalkedContacts, id: string) =>
    Effect.match(
      by.ask("forget", (all) => all.forget(by.account, id)),
      { onFailure: ({ _tag }) => _tag, onSuccess: () => "Answered" },
    );
  const write = Effect.gen(function* () {
    const request = { to: [draw(cluster), draw(cluster)], cc: draw(cluster), bcc: "hidden@far.test" };
    yield* visit.ask("write", (services) =>
      Context.get(services, MessageSender).send(account, { ...request, subject: "hello", text: "walked" }, undefined),
    );
    yield* visit.wait(SENT);
  });
  const forget = Effect.gen(function* () {
    yield* contacts.compare;
    const one = random.pick([...people.values()].filter(({ id }) => id !== null));
    if (one === undefined) return;
    const promise = one.forgottenAt === null ? "Answered" : "ContactNotFound";
    visit.same(yield* forgetOf(stranger, one.id!), "ContactNotFound", "removing a person of another account");
    const at = visit.now;
    visit.same(yield* forgetOf(contacts, one.id!), promise, `removing ${one.address}`);
    if (promise === "Answered") one.forgottenAt = at;
    visit.same(yield* forgetOf(contacts, one.id!), "ContactNotFound", `removing ${one.address} again`);
    // Mail of the same second may be earlier or later.
    yield* visit.wait(SENT);
  });
  const refuse = Effect.gen(function* () {
    const wrong = random.pick([
      { limit: 0 },
      { limit: 201 },
      { limit: 1.5 },
      { cursor: "no cursor" },
      { query: "x".repeat(201) },
    ]);
    const tag = yield* visit.tagOf("search", (services) => Context.get(services, Contacts).search(account, wrong));
    visit.same(tag, "InputInvalid", `a search with ${JSON.stringify(wrong).slice(0, 60)}`);
    visit.same(
      (yield* stranger.ask("search", (all) => all.search(stranger.account, {}))).items.length,
      0,
      "the people of an account that wrote to no one",
    );
    visit.same(yield* forgetOf(contacts, "con_unknown"), "ContactNotFound", "removing an unknown person");
  });
  const deleteSome = Effect.sync(() => {
    const uids = sent().messages.map(({ uid }) => uid);
    sent().expunge(random.some(uids, random.between(1, 5)));
  });
  /** Another program deletes or recreates Sent: the people stay, and the mail is read again. */
  const lose = Effect.sync(() => {
    const mail = cluster.mail.account(account);
    if (random.chance(0.5)) mail.delete("Sent");
    else mail.recreate("Sent");
  });
  const act = (name: string, weight: number, run: Effect.Effect<unknown, unknown>, isPossible = () => true): Act => ({
    name,
    weight,
    isPossible,
    run: Effect.andThen(run, contacts.compare),
  });
  return [
    act("write", 4, write),
    act(
      "another program stores mail in Sent",
      4,
      Effect.sync(() => store(visit, cluster, contacts, random.pick([0, 0, -HOUR, -3 * DAY]))),
    ),
    act("remove a person", 3, forget, () => listed().length > 0),
    act("ask for what cannot be", 1, refuse),
    act("another program deletes mail from Sent", 1, deleteSome),
    act("another program recreates Sent", 1, lose),
  ];
};
