import { createCipheriv, createDecipheriv, createHmac, type KeyObject } from "node:crypto";
import type { IdScope, MessageRef, OpaqueIds } from "@postern/core/shared";
import { Option } from "effect";
import { remember } from "./bounded-map.ts";
import { subKey } from "./sub-keys.ts";

const SCOPES_REMEMBERED = 10_000;
const FOLDERS_REMEMBERED = 20_000;
const BLOCK = 16;
const TAG_AT = 8;

/** 128 bits as base64url: the four unused bits of the last letter are zero, so each id has one notation. */
const ID = /^[A-Za-z0-9_-]{21}[AQgw]$/;

/**
 * Returns the functions for message ids (spec 5). An id is one AES-256 block under a key of its scope, as 22 letters of
 * base64url.
 *
 *     bytes 0-3 UID | 4-7 UIDVALIDITY (both big-endian) | 8-15 first half of HMAC-SHA256(tag key, folder id)
 *
 * A single block needs no mode: AES is a keyed permutation of blocks, so equal ids mean equal messages and reveal
 * nothing else. ECB only serves to encrypt a page of such blocks in one call; no block is part of a longer text. The
 * folder tag authenticates the id. An id that was forged, altered or made for another account decrypts to random bytes,
 * which contain the tag of a given folder with probability 2^-64.
 */
export const messageIdsWith = (idKey: Uint8Array): Pick<OpaqueIds["Service"], "messageIds" | "messageRef"> => {
  const tagKey = subKey(idKey, "folder-tag");
  const scopeKeys = new Map<IdScope, KeyObject>();
  const tags = new Map<string, Buffer>();

  const keyOf = (scope: IdScope): KeyObject =>
    scopeKeys.get(scope) ?? remember(scopeKeys, scope, subKey(idKey, "message-id", scope), SCOPES_REMEMBERED);

  const tagOf = (folderId: string): Buffer =>
    tags.get(folderId) ??
    remember(
      tags,
      folderId,
      createHmac("sha256", tagKey)
        .update(folderId)
        .digest()
        .subarray(0, BLOCK - TAG_AT),
      FOLDERS_REMEMBERED,
    );

  const messageIds = (
    scope: IdScope,
    folderId: string,
    uidValidity: number,
    uids: ReadonlyArray<number>,
  ): ReadonlyArray<string> => {
    const tag = tagOf(folderId);
    const plain = Buffer.allocUnsafe(uids.length * BLOCK);
    uids.forEach((uid, n) => {
      plain.writeUInt32BE(uid, n * BLOCK);
      plain.writeUInt32BE(uidValidity, n * BLOCK + 4);
      tag.copy(plain, n * BLOCK + TAG_AT);
    });
    const sealed = createCipheriv("aes-256-ecb", keyOf(scope), null).setAutoPadding(false).update(plain);
    return uids.map((_, n) => sealed.toString("base64url", n * BLOCK, (n + 1) * BLOCK));
  };

  const messageRef = (scope: IdScope, id: string, folderIds: ReadonlyArray<string>): Option.Option<MessageRef> => {
    if (!ID.test(id)) return Option.none();
    const plain = createDecipheriv("aes-256-ecb", keyOf(scope), null)
      .setAutoPadding(false)
      .update(Buffer.from(id, "base64url"));
    const tag = plain.subarray(TAG_AT);
    const folderId = folderIds.find((candidate) => tagOf(candidate).equals(tag));
    return folderId === undefined
      ? Option.none()
      : Option.some({ folderId, uidValidity: plain.readUInt32BE(4), uid: plain.readUInt32BE(0) });
  };

  return { messageIds, messageRef };
};
