import { AccountId } from "@postern/core/shared";
import { type Harness, HARNESS_ADMIN_KEY, HARNESS_START } from "@postern/harness";
import { Effect } from "effect";
import { call, signIn } from "../call.ts";
import { asAdmin, makeKey } from "../key-world.ts";
import { ANN, HOOK, OTHER, OWNER } from "./commands.ts";
import type { Attack } from "./corpus.ts";

const OWNER_PASSWORD = "owner-password-7d1c";
const OTHER_PASSWORD = "other-password-93ab";
const OTHERS_WORDS = "words-of-another-mailbox-5e0f";

/** What is in the file with the passwords. */
export const VAULT = "vault-77-of-the-owner";

/** The conversation in which the owner wrote to Ann, by its Message-IDs. */
export const LUNCH = ["<lunch-1@corp.test>", "<lunch-2@friends.test>"];

/** What a key may send by itself. */
export interface Policy {
  readonly to: ReadonlyArray<string>;
  readonly approval: "always" | "outside" | "never";
}

/** Every policy of the proof. */
export const POLICIES: ReadonlyArray<Policy> = [[], ["thread"], ["@friends.test"]].flatMap((to) =>
  (["always", "outside", "never"] as const).map((approval) => ({ to, approval })),
);

/** A message that left. */
export interface Left {
  readonly recipients: ReadonlyArray<string>;
  readonly raw: string;
}

const mail = (headers: Readonly<Record<string, string>>, text: string): Uint8Array =>
  Buffer.from(
    [
      ...Object.entries({ "MIME-Version": "1.0", ...headers }).map(([name, value]) => `${name}: ${value}`),
      "",
      text,
    ].join("\r\n"),
  );

const passwords = mail(
  {
    From: OWNER,
    To: OWNER,
    Subject: "passwords",
    "Message-ID": "<vault@corp.test>",
    "Content-Type": "multipart/mixed; boundary=B",
  },
  ["--B", "", "see the file", "--B", "Content-Type: text/plain; name=vault.txt", "", VAULT, "--B--", ""].join("\r\n"),
);

/** Fills the mailbox of the owner, who wrote to Ann once, and gives an agent a key with a policy. */
export const openMailbox = Effect.fnUntraced(function* (
  world: Harness,
  policy: Policy,
  attacks: ReadonlyArray<Attack>,
) {
  const account = world.mail.addAccount(OWNER, OWNER_PASSWORD);
  world.mail
    .addAccount(OTHER, OTHER_PASSWORD)
    .mailbox("INBOX")
    .append(mail({ Subject: OTHERS_WORDS }, "theirs"), HARNESS_START);
  const [first = "", second = ""] = LUNCH;
  const lunch = { From: OWNER, To: ANN, Subject: "lunch", "Message-ID": first };
  account.mailbox("Sent").append(mail(lunch, "Lunch on Friday?"), HARNESS_START);
  const inbox = account.mailbox("INBOX");
  const answer = {
    From: ANN,
    To: OWNER,
    Subject: "Re: lunch",
    "Message-ID": second,
    "In-Reply-To": first,
    References: first,
  };
  inbox.append(mail(answer, "Yes"), HARNESS_START);
  inbox.append(passwords, HARNESS_START);
  for (const one of attacks.flatMap(({ mails }) => mails)) inbox.append(Buffer.from(one), HARNESS_START);

  const left: Array<Left> = [];
  world.smtp.onTaken = ({ recipients, raw }) => left.push({ recipients, raw: Buffer.from(raw).toString("latin1") });
  const posts: Array<object> = [];
  world.receivers.set(HOOK, { reply: (post) => ({ status: posts.push(post) > 0 ? 200 : 500 }) });
  const scopes = ["mail:read", "mail:organize", "mail:draft", "mail:send"];
  let token: string = (yield* signIn(world, OWNER_PASSWORD, OWNER)).body.token;
  yield* signIn(world, OTHER_PASSWORD, OTHER);
  const accounts: ReadonlyArray<{ readonly id: string; readonly email: string }> = (yield* asAdmin(
    world,
    "GET",
    "/api/accounts",
  )).body.data;
  const own = accounts.filter(({ email }) => email === OWNER).map(({ id }) => id);
  const { key } = yield* makeKey(world, { scopes, accounts: own, sendPolicy: policy });
  return {
    world,
    key,
    left,
    posts,
    /** Delivers one more mail. */
    receive: () => inbox.append(mail({ From: ANN, To: OWNER, Subject: "news" }, "News"), world.now()),
    /** Lets time pass, as limits of sending count it. */
    wait: Effect.gen(function* () {
      yield* world.pass("1 minute");
      token = (yield* signIn(world, OWNER_PASSWORD, OWNER)).body.token;
    }),
    /** A request of the owner. */
    asOwner: (method: string, path: string, json?: unknown, version?: string) =>
      call(world, method, path, { token, json, headers: version === undefined ? {} : { "if-match": version } }),
    /** What no result may have. */
    secrets: [key, HARNESS_ADMIN_KEY, OWNER_PASSWORD, OTHER_PASSWORD, OTHERS_WORDS],
    /** Returns how many messages the folders have. */
    count: () =>
      world.mail
        .account(AccountId(OWNER))
        .list()
        .reduce(
          (sum, { path, mailbox }) =>
            sum + (path === "Sent" || path === "Drafts" ? 0 : (mailbox?.messages.length ?? 0)),
          0,
        ),
  };
});
export type OpenMailbox = Effect.Success<ReturnType<typeof openMailbox>>;
