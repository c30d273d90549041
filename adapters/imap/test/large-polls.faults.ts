import { assert, it } from "@effect/vitest";
import { CredentialVault, type PasswordCredential } from "@postern/core/auth";
import type { AccountId } from "@postern/core/shared";
import { type InboxPoll, InboxWatch } from "@postern/core/watch";
import { layer as imap } from "@postern/imap";
import {
  describeWithDovecot,
  Dovecot,
  dovecotControl,
  imapProxy,
  mailServersAt,
  MailServerControl,
  plainMessage,
  profileOf,
  quirkRewrite,
} from "@postern/testkit";
import { Effect, Layer } from "effect";
import { vaultInMemory } from "./doubles.ts";

const MESSAGES = 100_000;
/** Every message with a multiple of this number was removed, so that the UIDs have gaps. */
const GAP = 20;

const KIB = 1_024;
/** The number of changes in a day, and of the connections of a watch in a day if each lasts half an hour. */
const DAY = { flags: 400, arrivals: 100, removals: 50, connections: 48 };

/** A watch of INBOX on a server like a profile. `poll` returns the changes, and the bytes since the previous poll. */
const watchAs = Effect.fnUntraced(function* (profile: string, account: AccountId, credential: PasswordCredential) {
  const proxy = yield* imapProxy((yield* Dovecot).port, quirkRewrite(profileOf(profile).quirks));
  const ports = yield* Layer.build(
    imap().pipe(
      Layer.provide(mailServersAt({ host: "127.0.0.1", port: proxy.port })),
      Layer.provideMerge(vaultInMemory),
    ),
  );
  const opened = Effect.gen(function* () {
    yield* (yield* CredentialVault).keep(account, credential);
    return yield* (yield* InboxWatch).open(account, "watch");
  });
  const inbox = yield* Effect.provide(opened, ports);
  let [{ cursor }, bytes] = [yield* inbox.poll(null), 0];
  const poll = Effect.gen(function* () {
    const found: InboxPoll = yield* inbox.poll(cursor);
    cursor = found.cursor;
    yield* Effect.timeoutOption(inbox.changed, 1);
    const before = bytes;
    bytes = proxy.bytes;
    return { ...found, vanished: found.present === undefined ? found.vanished : undefined, cost: bytes - before };
  });
  return { first: yield* poll, poll };
});

const servers = Layer.provideMerge(dovecotControl, Dovecot.layer());

describeWithDovecot(`polls of an INBOX of ${MESSAGES} messages`, () => {
  it.live("cost little on servers without QRESYNC", () =>
    Effect.gen(function* () {
      const control = yield* MailServerControl;
      const { account, credential } = yield* control.newAccount;
      const raws = Array.from({ length: MESSAGES + MESSAGES / GAP }, (_, n) => ({
        raw: plainMessage(`m${n}`),
        arrivedAt: 1_700_000_000_000,
        flags: "S",
      }));
      yield* (yield* Dovecot).deliver(account, "INBOX", raws);
      const gaps = Array.from({ length: MESSAGES / GAP }, (_, n) => (n + 1) * GAP);
      for (let n = 0; n < gaps.length; n += 1_000) yield* control.expunge(account, "INBOX", gaps.slice(n, n + 1_000));

      const flag = (uid: number, isSet: boolean) => control.setFlags(account, "INBOX", uid, isSet ? ["\\Flagged"] : []);
      const arrive = control.append(account, "INBOX", plainMessage("new"));
      let removed = 1_001;
      const remove = Effect.suspend(() =>
        control.expunge(account, "INBOX", [(removed += 1 + Number(removed % GAP === GAP - 1))]),
      );

      for (const profile of ["gmail", "yahoo", "outlook", "163"]) {
        const { first, poll } = yield* watchAs(profile, account, credential);
        const unchanged = (yield* poll).cost;
        yield* flag(17, true);
        const flagged = yield* poll;
        yield* remove;
        const vanished = yield* poll;
        yield* arrive;
        const arrived = yield* poll;
        const costs = [first, flagged, vanished, arrived].map(({ cost }) => cost);
        yield* flag(17, false);
        yield* poll;
        const isSwept = profile === "outlook" || profile === "163";
        if (isSwept) yield* Effect.sleep("61 seconds");
        const sweep = isSwept ? (yield* poll).cost : 0;
        console.log(profile, { unchanged, sweep }, "first, flag, removal, arrival:", costs);
        assert.deepStrictEqual(vanished.vanished, [removed], profile);
        assert.lengthOf(arrived.arrived, 1, profile);
        assert.isAtMost(unchanged, KIB, profile);
        assert.isAtMost(sweep, 32 * KIB, profile);
        assert.isAtMost(vanished.cost, 8 * KIB, profile);
        if (profile === "gmail" || profile === "yahoo") {
          assert.deepStrictEqual(
            flagged.flags.map(({ uid }) => uid),
            [17],
            profile,
          );
          assert.isAtMost(flagged.cost, 8 * KIB, profile);
        }
      }

      const { first, poll } = yield* watchAs("gmail", account, credential);
      let day = DAY.connections * first.cost;
      for (const [count, change] of [
        [DAY.flags, Effect.suspend(() => flag(removed + 2, day % 2 === 0))],
        [DAY.arrivals, arrive],
        [DAY.removals, remove],
      ] as const) {
        for (let n = 0; n < count; n++) {
          yield* change;
          day += (yield* poll).cost;
        }
      }
      console.log("a day of changes as on Gmail:", day);
      assert.isAtMost(day, 50_000_000);
    }).pipe(Effect.scoped, Effect.provide(servers)),
  );
});
