import { checkRules, expectThat, type Rule } from "./ContractBroken.ts";

/** The object under test: `PosternUploads` of `@postern/server`. */
export interface UploadsUnderTest {
  readonly write: (id: string, bytes: AsyncIterable<Uint8Array>) => Promise<unknown>;
  readonly read: (id: string) => Promise<AsyncIterable<Uint8Array> | null | undefined>;
  readonly remove: (id: string) => Promise<unknown>;
}

const newId = () => `up_${globalThis.crypto.randomUUID().replaceAll("-", "")}`;

/** Bytes without repetition. */
const noise = (length: number): Buffer => {
  let state = 12_345;
  return Buffer.from(
    Uint8Array.from({ length }, () => (state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0) >>> 24),
  );
};

async function* inParts(bytes: Uint8Array, part: number, breaksOff = false): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += part) yield bytes.subarray(at, at + part);
  if (breaksOff) throw new Error("the upload broke off");
}

const readAll = async (bytes: AsyncIterable<Uint8Array> | null | undefined): Promise<Buffer> => {
  expectThat(bytes !== null && bytes !== undefined, "read returned nothing");
  const parts: Array<Uint8Array> = [];
  for await (const part of bytes!) parts.push(part);
  return Buffer.concat(parts);
};

const rulesOf = ({ write, read, remove }: UploadsUnderTest): ReadonlyArray<Rule> => {
  const isAbsent = async (id: string) => {
    const found = await read(id);
    expectThat(found === null || found === undefined, `read of ${id} returned bytes`);
  };
  const reads = async (id: string, bytes: Buffer) =>
    expectThat((await readAll(await read(id))).equals(bytes), `${id} has other bytes than the ${bytes.length} written`);
  return [
    {
      rule: "an upload reads byte for byte once write resolved, again and again",
      check: async () => {
        for (const [length, part] of [
          [0, 1],
          [1, 1],
          [262_145, 65_536],
          [2_000_001, 16_384],
        ] as const) {
          const [id, bytes] = [newId(), noise(length)];
          await write(id, inParts(bytes, part));
          await reads(id, bytes);
          await reads(id, bytes);
        }
      },
    },
    {
      rule: "uploads at the same time do not mix",
      check: async () => {
        const all = [300_000, 200_000, 100_000].map((length) => ({ id: newId(), bytes: noise(length) }));
        await Promise.all(all.map(({ id, bytes }) => write(id, inParts(bytes, 10_000))));
        for (const { id, bytes } of all) await reads(id, bytes);
      },
    },
    { rule: "an id without bytes reads as null or undefined", check: () => isAbsent(newId()) },
    {
      rule: "remove removes the bytes of its id alone, and does nothing if there are none",
      check: async () => {
        const [id, other] = [newId(), newId()];
        for (const each of [id, other]) await write(each, inParts(noise(1_000), 300));
        await remove(id);
        await isAbsent(id);
        await remove(id);
        await reads(other, noise(1_000));
      },
    },
    {
      rule: "write rejects if the upload breaks off, and remove removes what there is of it",
      check: async () => {
        const id = newId();
        const wrote = await write(id, inParts(noise(200_000), 50_000, true)).then(
          () => true,
          () => false,
        );
        expectThat(!wrote, "write resolved though not all bytes came");
        await remove(id);
        await isAbsent(id);
      },
    },
  ];
};

/** Checks that a store of uploads meets the requirements of the service; rejects with `ContractBroken`. */
export const uploadsContract = (uploads: UploadsUnderTest): Promise<void> => checkRules(rulesOf(uploads));
