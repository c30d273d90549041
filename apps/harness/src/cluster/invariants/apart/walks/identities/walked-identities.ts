import { Accounts } from "@postern/core/accounts";
import { Identities, type Identity } from "@postern/core/send";
import type { AccountId } from "@postern/core/shared";
import { Context, Effect } from "effect";
import type { Cluster } from "../../../../Cluster.ts";
import { SEND_RATE } from "../../../../nodes/process-fakes.ts";
import type { Visit } from "../../../../Visit.ts";
import { DAY, MINUTE, SECOND } from "../../durations.ts";
import { auditOf } from "../audited.ts";
import { QuotaModel } from "../sending/QuotaModel.ts";
import { mailedLinks } from "./mailed-links.ts";

/** An identity as its owner knows it. */
export type WalkedIdentity = { -readonly [Field in keyof Identity]: Identity[Field] } & {
  /** The link that verifies the address, if one was mailed. */
  link: { readonly token: string; readonly until: number } | null;
};

/** How long a link is valid. [S12.2-8] */
const LINK = 7 * DAY;
/** The longest time until a mail is sent. */
const SENT = 20 * SECOND;

/** Returns the identities of an account with a model of them. */
export const walkedIdentities = (visit: Visit, cluster: Cluster, account: AccountId) => {
  const { random } = cluster;
  const quotas = new QuotaModel();
  const others: Array<WalkedIdentity> = [];
  const own: WalkedIdentity = {
    id: "",
    name: "",
    address: account,
    replyTo: null,
    signatureText: "",
    signatureHtml: "",
    isDefault: true,
    verified: true,
    link: null,
  };
  /** Links of identities that were deleted. */
  const ended: Array<WalkedIdentity> = [];
  const tagOf = <A, E extends { readonly _tag: string }>(
    name: string,
    use: (all: Identities["Service"]) => Effect.Effect<A, E>,
  ) => visit.tagOf(name, (services) => audit.as(services, use(Context.get(services, Identities))));
  const audit = auditOf(visit, cluster, account);
  const ask = <A, E>(name: string, use: (all: Identities["Service"]) => Effect.Effect<A, E>) =>
    visit.ask(name, (services) => audit.as(services, use(Context.get(services, Identities))));
  const linksOf = (address: string) => mailedLinks(cluster, account, address);

  return {
    account,
    own,
    others,
    ended,
    audit,
    ask,
    tagOf,
    all: () => [own, ...others],
    find: (address: string) => [own, ...others].find((one) => one.address.toLowerCase() === address.toLowerCase()),
    /** Returns how many more mails may be sent in this minute; undefined if both answers are right. */
    left: () => quotas.left(account, MINUTE, SEND_RATE, visit.now),
    count: (at: number) => quotas.count(account, MINUTE, at),
    /** Makes an identity the default, or the account's own address if it is null. [S12.2-3] */
    prefer: (chosen: WalkedIdentity | null) => {
      for (const one of [own, ...others]) one.isDefault = one === (chosen ?? own);
    },
    /** Waits for the mail with the link of a new identity. [S12.2-7] */
    awaitLink: (one: WalkedIdentity, at: number, before: number): Effect.Effect<void, unknown> =>
      Effect.gen(function* () {
        yield* visit.within(SENT, `no link is mailed to ${one.address}`, () => linksOf(one.address).length > before);
        const links = linksOf(one.address);
        visit.same(links.length, before + 1, `the links that were mailed to ${one.address}`);
        if (links.length > before) one.link = { token: links.at(-1)!, until: at + LINK };
      }),
    remove: (one: WalkedIdentity): Effect.Effect<void, unknown> =>
      Effect.gen(function* () {
        if (random.chance(0.2)) {
          const old = yield* tagOf("remove", (all) => all.remove(account, one.id, () => false));
          visit.same(old, "IdentityChanged", "deleting another version of an identity");
        }
        yield* ask("remove", (all) => all.remove(account, one.id));
        others.splice(others.indexOf(one), 1);
        ended.push(one);
        if (one.isDefault) own.isDefault = true;
        yield* audit.promise("identities.remove", one.id);
      }),
    deadlines: () => others.flatMap(({ link, verified }) => (link === null || verified ? [] : [link.until])),
    /** Compares all identities, their order, the account's name and the audit with the model. [S12.2-1] [S12.2-2] [S12.2-3] */
    compare: Effect.gen(function* (): Effect.fn.Return<void, unknown> {
      const limit = random.pick([1, 2, 3, undefined, undefined]);
      const found: Array<Identity> = [];
      for (let cursor: string | undefined; ;) {
        const page = yield* ask("list", (all) => all.page(account, { cursor, ...(others.length < 20 && { limit }) }));
        found.push(...page.items);
        if (page.nextCursor === null) break;
        visit.expect(page.items.length > 0, "an empty page names a next page");
        cursor = page.nextCursor;
      }
      own.id ||= found[0]?.id ?? "";
      const shown = ({ id, name, address, replyTo, signatureText, signatureHtml, isDefault, verified }: Identity) =>
        [id, name, address, replyTo, signatureText, signatureHtml, isDefault, verified] as const;
      visit.same(found.map(shown), [own, ...others].map(shown), `the identities of ${account}`);
      const record = yield* visit.ask("find", (services) => Context.get(services, Accounts).find(account, null));
      visit.same(record.name ?? "", own.name, `the name of ${account}`);
      yield* audit.compare();
    }),
  };
};
export type WalkedIdentities = ReturnType<typeof walkedIdentities>;
