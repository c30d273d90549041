import {
  ContractBroken,
  type MailApiControl,
  mailTransportContract,
  type MailTransportUnderTest,
  uploadsContract,
  type UploadsUnderTest,
} from "@postern/testkit/promises";
import { describe, expect, it } from "vitest";

const uploads = (): UploadsUnderTest => {
  const kept = new Map<string, Buffer>();
  return {
    write: async (id, bytes) => {
      const parts: Array<Uint8Array> = [];
      for await (const part of bytes) parts.push(part);
      kept.set(id, Buffer.concat(parts));
    },
    read: async (id) => {
      const bytes = kept.get(id);
      return bytes === undefined
        ? null
        : (async function* () {
            yield bytes;
          })();
    },
    remove: async (id) => kept.delete(id),
  };
};

const mail = () => {
  const taken: Array<{ recipients: ReadonlyArray<string>; raw: Uint8Array }> = [];
  let state: "accepting" | "permanently" | "temporarily" | "unreachable" = "accepting";
  const api: MailApiControl = {
    taken: async () => taken,
    refusing: async (how) => (state = how),
    unreachable: async () => (state = "unreachable"),
    accepting: async () => (state = "accepting"),
  };
  const transport: MailTransportUnderTest = {
    send: async ({ recipients, raw }) => {
      if (state === "unreachable") return { result: "not_sent", detail: "no connection" };
      if (state !== "accepting") return { result: "refused", detail: "no", temporary: state === "temporarily" };
      taken.push({ recipients, raw });
      return { result: "accepted" };
    },
  };
  return { taken, api, transport };
};

const broken = (contract: Promise<void>) =>
  contract.then(
    () => "kept",
    (error: unknown) => (error instanceof ContractBroken ? error.rule : error),
  );

describe("the contract of a store of uploads", () => {
  it("is kept by a store in memory", async () => {
    await uploadsContract(uploads());
  });

  it.each<[string, (store: UploadsUnderTest) => Partial<UploadsUnderTest>, RegExp]>([
    [
      "keeps the first part only",
      ({ write }) => ({ write: (id, bytes) => write(id, firstOf(bytes)) }),
      /byte for byte/,
    ],
    ["keeps one upload", () => oneUpload(), /do not mix|byte for byte/],
    [
      "returns no bytes for an unknown id",
      ({ read }) => ({ read: async (id) => (await read(id)) ?? nothing() }),
      /without bytes/,
    ],
    ["does not remove", () => ({ remove: async () => {} }), /remove removes/],
    [
      "keeps an upload that broke off",
      ({ write }) => ({ write: (id, bytes) => write(id, whole(bytes)) }),
      /breaks off/,
    ],
  ])("names the rule that a store breaks which %s", async (_, change, rule) => {
    const store = uploads();
    expect(await broken(uploadsContract({ ...store, ...change(store) }))).toMatch(rule);
  });
});

async function* firstOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const part of bytes) {
    yield part;
    return;
  }
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

async function* whole(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* bytes;
  } catch {
    // The test does not tell the store that bytes are missing.
  }
}

const oneUpload = (): Partial<UploadsUnderTest> => {
  const { write, read } = uploads();
  return { write: (_, bytes) => write("one", bytes), read: () => read("one") };
};

describe("the contract of a mail transport", () => {
  it("is kept by a transport in memory", async () => {
    const { transport, api } = mail();
    await mailTransportContract(transport, api);
  });

  type Send = MailTransportUnderTest["send"];
  it.each<[string, (send: Send) => Send, RegExp]>([
    ["sends twice", (send) => async (one) => (await send(one), send(one)), /once and byte for byte/],
    [
      "leaves out a recipient",
      (send) => (one) => send({ ...one, recipients: one.recipients.slice(1) }),
      /all recipients/,
    ],
    [
      "writes text",
      (send) => (one) => send({ ...one, raw: Buffer.from(Buffer.from(one.raw).toString("latin1")) }),
      /byte for byte/,
    ],
    ["calls each refusal temporary", (send) => async (one) => ({ ...(await send(one)), temporary: true }), /for good/],
    ["calls no refusal temporary", (send) => async (one) => ({ ...(await send(one)), temporary: false }), /for a time/],
    ["rejects without a connection", (send) => (one) => send(one).then(rejectNotSent), /not_sent/],
    [
      "answers in words of its own",
      (send) => async (one) => {
        const answer = await send(one);
        return one.signal.aborted ? { result: "gone" } : answer;
      },
      /settles/,
    ],
  ])("names the rule that a transport breaks which %s", async (_, change, rule) => {
    const { transport, api } = mail();
    expect(await broken(mailTransportContract({ send: change(transport.send) }, api))).toMatch(rule);
  });
});

const rejectNotSent = <A extends { readonly result: string }>(answer: A): A => {
  if (answer.result === "not_sent") throw new Error("no connection");
  return answer;
};
