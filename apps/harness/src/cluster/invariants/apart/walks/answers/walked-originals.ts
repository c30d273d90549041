import { Inbox } from "@postern/core/messages";
import type { AccountId } from "@postern/core/shared";
import { Context, Effect } from "effect";
import type { Cluster } from "../../../../Cluster.ts";
import type { Visit } from "../../../../Visit.ts";

/** A message that is answered and forwarded, and what an answer or a forward takes from it. */
export interface WalkedOriginal {
  readonly id: string;
  readonly uid: number;
  readonly messageId: string;
  readonly subject: string;
  /** The recipients of an answer. [S12.4-3] */
  readonly to: string;
  readonly references: ReadonlyArray<string>;
  readonly lines: ReadonlyArray<string>;
  readonly files: ReadonlyArray<string>;
  readonly isAutomatic: boolean;
  isGone: boolean;
}

/** Header fields of messages that count as written by a program, or not. [S6.2-9] */
const FIELDS: ReadonlyArray<readonly [field: string, isAutomatic: boolean]> = [
  ["Auto-Submitted: auto-replied", true],
  ["Auto-Submitted: auto-generated", true],
  ["Auto-Submitted: no", false],
  ["Precedence: bulk", true],
  ["Precedence: Junk", true],
  ["Precedence: auto_reply", true],
  ["Precedence: list", false],
  ["X-Auto-Response-Suppress: OOF", true],
  ["X-Auto-Response-Suppress: None", false],
  ["Return-Path: <>", true],
  ["Return-Path: <asker@far.test>", false],
  ["List-Id: <all.far.test>", false],
];
const SUBJECTS = ["Question", "Re: Question", "RE: Question", "Fwd: Question", "Regarding it", "Fwding it"];

/** Returns the originals of an account, with a model of them. */
export const walkedOriginals = (visit: Visit, cluster: Cluster, account: AccountId) => {
  const { random } = cluster;
  const inbox = () => cluster.mail.account(account).mailbox("INBOX");
  const all: Array<WalkedOriginal> = [];
  let count = 0;
  return {
    account,
    all,
    present: () => all.filter(({ isGone }) => !isGone),
    isAnswered: ({ uid }: WalkedOriginal) => inbox().find(uid)?.flags.has("\\Answered") === true,
    /** Another mail program deletes a message. */
    expunge: (one: WalkedOriginal) => {
      inbox().expunge([one.uid]);
      one.isGone = true;
    },
    /** A message arrives, of any kind. */
    arrive: Effect.gen(function* () {
      const messageId = `<original-${++count}@far.test>`;
      const subject = random.pick(SUBJECTS)!;
      const isOwn = random.chance(0.2);
      const replyTo = random.pick([undefined, undefined, "Desk <desk@far.test>", "one@far.test, Two <two@far.test>"]);
      const references = random.pick([[], [], ["<root@far.test>"], ["<root@far.test>", "<later@far.test>"]] as const);
      const [field, isAutomatic] = random.chance(0.5) ? random.pick(FIELDS)! : ["X-Plain: yes", false];
      const lines = random.pick([["the question"], ["the question", "", "> quoted before", "the end"]] as const);
      const files = random.some(["a,file", "second", "third"], random.chance(0.5) ? random.between(1, 4) : 0);
      const recipients = isOwn ? "Reader <reader@far.test>, other@far.test" : account;
      const body = lines.join("\r\n");
      const header = [
        `Message-ID: ${messageId}`,
        `From: ${isOwn ? account.toUpperCase() : "Asker <asker@far.test>"}`,
        `To: ${recipients}`,
        ...(replyTo === undefined ? [] : [`Reply-To: ${replyTo}`]),
        `Subject: ${subject}`,
        ...(references.length === 0 ? [] : [`References: ${references.join(" ")}`]),
        field,
      ];
      const text =
        files.length === 0
          ? [...header, "", body, ""]
          : [
              ...header,
              "MIME-Version: 1.0",
              'Content-Type: multipart/mixed; boundary="b"',
              "",
              `--b\r\nContent-Type: text/plain\r\n\r\n${body}`,
              ...files.map(
                (file, n) =>
                  `--b\r\nContent-Type: text/csv\r\nContent-Disposition: attachment; filename=f${n}.csv\r\n\r\n${file}`,
              ),
              "--b--",
              "",
            ];
      const { uid } = inbox().append(new TextEncoder().encode(text.join("\r\n")), visit.now);
      const { page } = yield* visit.ask("list", (services) => Context.get(services, Inbox).list(account, {}));
      const { id } = page.emails.find(({ message }) => message.uid === uid)!;
      all.push({
        id,
        uid,
        messageId,
        subject,
        to: isOwn ? recipients : (replyTo ?? "Asker <asker@far.test>"),
        references,
        lines,
        files,
        isAutomatic,
        isGone: false,
      });
    }),
  };
};
export type WalkedOriginals = ReturnType<typeof walkedOriginals>;
