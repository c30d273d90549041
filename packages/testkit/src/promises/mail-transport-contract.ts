import { checkRules, expectThat, type Rule } from "./ContractBroken.ts";

/** The object under test: `PosternMailTransport` of `@postern/server`. */
export interface MailTransportUnderTest {
  readonly send: (
    mail: MailToSend,
  ) => Promise<{ readonly result: string; readonly detail?: string; readonly temporary?: boolean }>;
  readonly maxMessageBytes?: number;
}

/** An attempt at a message, as the service makes it. */
export interface MailToSend {
  readonly id: string;
  readonly account: string;
  readonly from: string;
  readonly recipients: ReadonlyArray<string>;
  readonly isNotice: boolean;
  readonly raw: Uint8Array;
  readonly credential: () => { readonly username: string; readonly password: string };
  readonly signal: AbortSignal;
}

/** Controls the mail API behind the transport, or a substitute for it. */
export interface MailApiControl {
  /** Returns the messages that the API took, oldest first. */
  readonly taken: () => Promise<
    ReadonlyArray<{ readonly recipients: ReadonlyArray<string>; readonly raw: Uint8Array }>
  >;
  /** Makes the API refuse all further messages, permanently or temporarily, until `accepting` is called. */
  readonly refusing: (how: "permanently" | "temporarily") => Promise<unknown>;
  /** Makes the API accept no connections until `accepting` is called. */
  readonly unreachable: () => Promise<unknown>;
  readonly accepting: () => Promise<unknown>;
}

const RESULTS = ["accepted", "refused", "not_sent", "credential_refused"];

const mailOf = (
  subject: string,
  recipients: ReadonlyArray<string>,
  signal = new AbortController().signal,
): MailToSend => ({
  id: `out_${globalThis.crypto.randomUUID()}`,
  account: "ada@example.com",
  from: "ada@example.com",
  recipients,
  isNotice: false,
  raw: new TextEncoder().encode(
    `From: ada@example.com\r\nTo: ${recipients.join(", ")}\r\nSubject: ${subject}\r\n\r\n.dot\r\nGr\u00fc\u00dfe \u{1f48c}\r\n`,
  ),
  credential: () => ({ username: "ada@example.com", password: "secret" }),
  signal,
});

const rulesOf = ({ send }: MailTransportUnderTest, api: MailApiControl): ReadonlyArray<Rule> => {
  const takenSince = async (before: number) => (await api.taken()).slice(before);
  const count = async () => (await api.taken()).length;
  /** Sends a message while the API is in a state, then resets the API to accepting. */
  const sendWhile = async (begin: () => Promise<unknown>, subject: string) => {
    await begin();
    try {
      return await send(mailOf(subject, ["grace@example.org"]));
    } finally {
      await api.accepting();
    }
  };
  const whileRefusing = async (how: "permanently" | "temporarily") => {
    const before = await count();
    const answer = await sendWhile(() => api.refusing(how), how);
    expectThat(answer.result === "refused", `a refusal resolved as ${answer.result}`);
    expectThat(typeof answer.detail === "string" && answer.detail !== "", "a refusal has no detail for the sender");
    expectThat((await takenSince(before)).length === 0, "the API took a message that it refused");
    return answer;
  };
  return [
    {
      rule: "a message that the API takes is accepted, once and byte for byte, for all recipients of the envelope",
      check: async () => {
        const before = await count();
        const mail = mailOf("taken", ["grace@example.org", "bcc@example.net"]);
        const { result } = await send(mail);
        expectThat(result === "accepted", `it resolved as ${result}`);
        const [taken, ...more] = await takenSince(before);
        expectThat(taken !== undefined && more.length === 0, "the API did not take it exactly once");
        expectThat(Buffer.from(taken!.raw).equals(Buffer.from(mail.raw)), "the API took other bytes");
        expectThat(
          taken!.recipients.toSorted().join() === mail.recipients.toSorted().join(),
          `the API took it for ${taken!.recipients.join()}`,
        );
      },
    },
    {
      rule: "a refusal for good is refused, and not temporary",
      check: async () => expectThat((await whileRefusing("permanently")).temporary !== true, "it said temporary: true"),
    },
    {
      rule: "a refusal for a time is refused, and temporary",
      check: async () =>
        expectThat((await whileRefusing("temporarily")).temporary === true, "it said no temporary: true"),
    },
    {
      rule: "a message that cannot have reached the API is not_sent, so that it is sent again",
      check: async () => {
        const answer = await sendWhile(api.unreachable, "unreachable");
        expectThat(answer.result === "not_sent", `it resolved as ${answer.result}`);
      },
    },
    {
      rule: "an attempt that is given up settles, with a result that is known",
      check: async () => {
        const given = new AbortController();
        const answer = send(mailOf("given up", ["grace@example.org"], given.signal)).catch(() => null);
        given.abort();
        const settled = await answer;
        expectThat(settled === null || RESULTS.includes(settled.result), `it resolved as ${String(settled?.result)}`);
      },
    },
  ];
};

/** Checks that a mail transport meets the requirements of the service; rejects with `ContractBroken`. */
export const mailTransportContract = (transport: MailTransportUnderTest, api: MailApiControl): Promise<void> =>
  checkRules(rulesOf(transport, api));
