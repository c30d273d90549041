import { Effect } from "effect";
import { byText } from "../../../../by-text.ts";
import type { Cluster } from "../../../../Cluster.ts";
import type { Visit } from "../../../../Visit.ts";
import { SECOND } from "../../durations.ts";
import type { Act } from "../walk.ts";
import type { WalkedAccount } from "./walked-account.ts";

/** A time longer than a refusal needs to be reported. */
const SOON = 8 * SECOND;
/** A time longer than an arrival needs to be announced: a watch waits up to 15 s for another credential. */
const ANNOUNCED = 20 * SECOND;
/** The time after which a process notes another answer of a server. */
const NOTED = 6 * SECOND;
/** The time after which a second refusal without a reason is final. */
const FINAL = 60 * SECOND;
/** A time after which an account without an endpoint is no longer watched. */
const UNWATCHED = 20 * 60 * SECOND;
/** The longest wait before a server that floods is contacted again. */
const LONGEST = 3_600 * SECOND;

/** What happens at the mail servers of an account, and what its owner sees of it. */
export const mailActs = (visit: Visit, cluster: Cluster, account: WalkedAccount): ReadonlyArray<Act> => {
  const { random } = cluster;
  const { known, promised, places, mailAt } = account;
  const mail = () => mailAt(known.place);
  const isServed = () => known.exists && !known.isPaused && !known.isRefused;
  /** Whether the stored password opens the account. */
  const isRight = () => known.stored === known.passwords[known.place];
  const uses = (promise: string, when: string) =>
    Effect.map(account.use, (tag) => visit.same(tag, promise, `a request of ${account.email} ${when}`));

  /** An account that was watched for its last request is watched no more once its node has noticed, and found it unused again. */
  const endWatches = Effect.repeat(Effect.andThen(visit.skip(UNWATCHED), visit.wait(NOTED)), { times: 1 });

  const readMail = Effect.gen(function* () {
    if (!isRight()) return;
    const { page } = yield* account.list;
    const inbox = mail().account(account.id).mailbox("INBOX");
    const all = inbox.messages.map(({ summary }) => summary.messageId).toReversed();
    const shown = page.emails.map(({ message }) => message.messageId);
    visit.same(shown.toSorted(byText), all.slice(0, shown.length).toSorted(byText), `the messages of ${account.email}`);
    known.ids = page.emails.map(({ id }) => id);
    for (const id of known.ids.slice(0, 1))
      visit.same(yield* account.open(id), "Answered", "a message of the present servers");
    for (const id of known.endedIds)
      visit.same(yield* account.open(id), "MessageNotFound", "a message id from before a change of servers");
  });
  const arrive = Effect.gen(function* () {
    const place = random.pick(places)!;
    const messageId = account.arrive(place);
    if (place !== known.place) return void known.old.set(messageId, 0);
    const isAnnounced = account.isWatched && isServed() && isRight();
    yield* visit.wait(ANNOUNCED);
    const count = account.announced(messageId);
    if (isAnnounced) visit.same(count, 1, `the announcements of an arrival of ${account.email}`);
    else visit.expect(count <= 1, "an arrival is announced twice");
  });
  const checkOld = Effect.sync(() => {
    for (const [messageId, count] of known.old)
      visit.same(account.announced(messageId), count, `the announcements of ${messageId}, which was there before`);
  });
  const refuse = Effect.gen(function* () {
    const password = `password ${random.between(0, 1_000_000)}`;
    for (const place of [known.place, known.smtp]) account.setPassword(place, password);
    if (!known.isRefused) promised.push(["account.auth_failed", null]);
    yield* uses("MailboxCredentialsRejected", "with a password that its server refuses");
    known.isRefused = true;
    let contacts = 0;
    mail().onSignIn = ({ username }) => (contacts += username === account.email ? 1 : 0);
    yield* uses("MailboxCredentialsRejected", "whose password was refused before");
    yield* visit.wait(SOON);
    mail().onSignIn = () => {};
    visit.same(contacts, 0, `the uses of a refused password of ${account.email}`);
  });
  /** The server refuses the right password without a reason, for some time. */
  const refuseUnclearly = Effect.gen(function* () {
    yield* endWatches;
    mail().conducts.set(account.id, "unclear");
    let first: number | null = null;
    for (let n = random.between(2, 7); n > 0 && !known.isRefused; n--) {
      const isFinal = first !== null && visit.now - first >= FINAL;
      const isByVerification = random.chance(0.3);
      if (isByVerification)
        visit.same(yield* account.verify, "Answered", "a verification at a server that gives no reason");
      else
        yield* uses(
          isFinal ? "MailboxCredentialsRejected" : "MailServerError",
          `that was refused without a reason ${first === null ? "first" : `again after ${visit.now - first} ms`}`,
        );
      first ??= visit.now;
      if (isFinal) {
        known.isRefused = true;
        promised.push(["account.auth_failed", null]);
        yield* visit.wait(SOON);
      } else if (random.chance(0.2)) {
        mail().conducts.delete(account.id);
        yield* visit.wait(NOTED);
        yield* uses("Answered", "that its server accepts again");
        mail().conducts.set(account.id, "unclear");
        first = null;
      }
      yield* visit.skip(random.pick([2, 15, 25, 35, 45, 58, 62, 90]) * SECOND);
    }
    mail().conducts.delete(account.id);
    yield* visit.wait(NOTED);
    if (!known.isRefused) yield* uses("Answered", "after refusals without a reason");
  });
  const goAway = Effect.gen(function* () {
    yield* endWatches;
    mail().conducts.set(account.id, "away");
    yield* uses("MailServerError", "whose server is away");
    visit.same(yield* account.verify, "Answered", "a verification while the server is away");
    yield* visit.skip(random.between(2, 200) * SECOND);
    mail().conducts.delete(account.id);
    yield* visit.wait(NOTED);
    yield* uses("Answered", "whose server is back");
  });
  /** A server that floods is contacted after 3 s, and then after twice as long each time, up to an hour, by each process. */
  const flood = Effect.gen(function* () {
    if (cluster.nodeAt(1) !== null) cluster.crash(1);
    const contacts: Array<number> = [];
    yield* endWatches;
    mail().conducts.set(account.id, "flood");
    mail().onSignIn = ({ username }) => void (username === account.email && contacts.push(visit.now));
    for (let wait = 3 * SECOND, isLong = 0; isLong < 3; wait = Math.min(2 * wait, LONGEST)) {
      if (wait === LONGEST) isLong++;
      yield* uses("MailServerError", "whose server floods");
      yield* visit.skip(wait - SECOND);
      yield* uses("MailServerError", "before a server that flooded is contacted again");
      yield* visit.wait(2 * SECOND);
    }
    contacts.slice(1).forEach((at, n) => {
      const wait = Math.min(3 * SECOND * 2 ** n, LONGEST);
      visit.expect(
        at - contacts[n]! >= wait,
        `a server that floods is contacted after ${at - contacts[n]!} ms, not ${wait}`,
      );
    });
    visit.expect(contacts.length > 10, "a server that flooded is not contacted again");
    mail().onSignIn = () => {};
    mail().conducts.delete(account.id);
    yield* visit.skip(2 * LONGEST);
    yield* uses("Answered", "after floods");
    if (cluster.nodeAt(1) === null) cluster.boot(1);
    yield* visit.wait(3 * SECOND);
  });

  const act = (
    name: string,
    weight: number,
    run: Effect.Effect<unknown, unknown>,
    isPossible = () => known.exists,
  ) => ({
    name: `${name} ${account.email}`,
    weight,
    isPossible,
    run: Effect.andThen(run, account.compare),
  });
  /** A watch that is open at the server shows that the account works, whatever the server answers to others. */
  const isAlone = () => isServed() && isRight() && !account.isWatched;
  return [
    act("list the mail of", 3, readMail, () => isServed()),
    act("mail arrives for", 3, arrive),
    act("the server refuses", 1, refuse, () => known.exists && !known.isPaused),
    act("the server refuses without a reason", 5, refuseUnclearly, isAlone),
    act("the server is away from", 1, goAway, isAlone),
    act("the server floods", 1, flood, isAlone),
    { name: "mail is not announced again", run: checkOld },
  ];
};
