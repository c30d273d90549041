import { type AccountId, accountIdOf, type IdScope, type MessageRef, OpaqueIds } from "@postern/core/shared";
import { Layer, Option } from "effect";
import { scramble } from "../store/scramble.ts";

/** 128 bits as base64url: the four unused bits of the last letter are zero, so each id has one notation. */
const ID = /^[A-Za-z0-9_-]{21}[AQgw]$/;

/**
 * Ids without a key, the same in every run. A folder's id begins with its name. A message's id is a checksum of its
 * location, followed by its UIDVALIDITY and UID, which are masked with the checksum. These ids look as random as real
 * ids, but every client can read and forge them.
 */
export const layer = Layer.sync(OpaqueIds, () => ({
  accountId: accountIdFor,
  account: (id) => {
    const account = accountIdOf(Buffer.from(id.slice(PREFIX.length + CHECK_LETTERS), "base64url").toString());
    return Option.filter(account, (account) => accountIdFor(account) === id);
  },
  folderId: (account, identity) => {
    const name = identity
      .slice(identity.lastIndexOf("/") + 1)
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, "_");
    return `f_${name.slice(0, 16)}_${[...scramble(`${account}\0${identity}`)].map((word) => word.toString(36)).join("")}`;
  },
  messageIds: (scope, folderId, uidValidity, uids) =>
    uids.map((uid) => {
      const check = checksum(scope, folderId, uidValidity, uid);
      const [left, right] = maskOf(scope, check);
      const block = Buffer.alloc(16);
      [check[0]!, check[1]!, uidValidity ^ left, uid ^ right].forEach((word, n) =>
        block.writeUInt32BE(word >>> 0, n * 4),
      );
      return block.toString("base64url");
    }),
  messageRef: (scope, id, folderIds): Option.Option<MessageRef> => {
    if (!ID.test(id)) return Option.none();
    const block = Buffer.from(id, "base64url");
    const check = [block.readUInt32BE(0), block.readUInt32BE(4)];
    const [left, right] = maskOf(scope, check);
    const uidValidity = (block.readUInt32BE(8) ^ left) >>> 0;
    const uid = (block.readUInt32BE(12) ^ right) >>> 0;
    const folderId = folderIds.find((candidate) =>
      checksum(scope, candidate, uidValidity, uid).every((word, n) => word === check[n]),
    );
    return folderId === undefined ? Option.none() : Option.some({ folderId, uidValidity, uid });
  },
}));

const PREFIX = "acc_";
const CHECK_LETTERS = 7;

const accountIdFor = (account: AccountId): string => {
  const check = scramble(account)[0]!.toString(36).padStart(CHECK_LETTERS, "0");
  return PREFIX + check + Buffer.from(account).toString("base64url");
};

const checksum = (scope: IdScope, folderId: string, uidValidity: number, uid: number): ReadonlyArray<number> => [
  ...scramble(`${scope}\0${folderId}\0${uidValidity}\0${uid}`).subarray(0, 2),
];

const maskOf = (scope: IdScope, check: ReadonlyArray<number>): readonly [number, number] => {
  const [left, right] = scramble(`${scope}\0${check.join()}`);
  return [left!, right!];
};
