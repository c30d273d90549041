import type { MailAccount } from "@postern/memory";

/** A user's folder as the model knows it. */
export interface FolderNode {
  name: string;
  parent: FolderNode | null;
  /** Null until a listing showed the folder. */
  id: string | null;
  createdAt: number | null;
  /** The path in the last listing; null before the first one. */
  listedAt: string | null;
  /** Whether its UIDVALIDITY changed since the last listing. */
  isRenumbered: boolean;
}

/** The deepest level of folders, and the names that no folder at the top may have. */
const DEEPEST = 10;
const SYSTEM = new Set(["inbox", "sent", "drafts", "junk", "trash"]);

/** The user's folders, with what the specification says of names and places. */
export class FolderModel {
  readonly nodes: Array<FolderNode> = [];
  /** The ids of folders that are gone. */
  readonly gone: Array<string> = [];
  /** The paths of folders that are gone since the last listing. A folder that is there by the next one counts as the same. */
  readonly left = new Set<string>();
  /** The events that are promised: type, id and path. */
  readonly promised: Array<string> = [];
  readonly mail: MailAccount;

  constructor(mail: MailAccount) {
    this.mail = mail;
  }

  pathOf({ name, parent }: FolderNode): string {
    return parent === null ? name : `${this.pathOf(parent)}/${name}`;
  }

  depthOf({ parent }: FolderNode): number {
    return parent === null ? 1 : this.depthOf(parent) + 1;
  }

  /** A folder and all folders in it. */
  below(node: FolderNode): ReadonlyArray<FolderNode> {
    return [node, ...this.nodes.filter(({ parent }) => parent === node).flatMap((child) => this.below(child))];
  }

  isWithin(node: FolderNode, other: FolderNode): boolean {
    return this.below(other).includes(node);
  }

  add(name: string, parent: FolderNode | null): FolderNode {
    const node = { name, parent, id: null, createdAt: null, listedAt: null, isRenumbered: false };
    this.nodes.push(node);
    return node;
  }

  /** Removes a folder with all folders in it. */
  remove(node: FolderNode): void {
    for (const one of this.below(node)) {
      this.nodes.splice(this.nodes.indexOf(one), 1);
      if (one.id === null) continue;
      this.gone.push(one.id);
      this.left.add(one.listedAt ?? "");
      this.promised.push(`folder.deleted ${one.id} ${one.listedAt}`);
    }
  }

  /** The errors of which a creation or a change is refused with one; none if the name and the place are possible. */
  faultsOf(name: string, parentId: string | null, moving?: FolderNode): ReadonlyArray<string> {
    const parent = this.nodes.find(({ id }) => id !== null && id === parentId) ?? null;
    const isKnown = parentId === null || parent !== null || SYSTEM.has(parentId);
    const faults = new Set<string>();
    if (!isKnown) faults.add("FolderNotFound");
    if (!isName(name)) faults.add("FolderNameInvalid");
    if (moving !== undefined && parent !== null && this.isWithin(parent, moving)) faults.add("FolderParentInvalid");
    const height =
      moving === undefined ? 0 : Math.max(...this.below(moving).map((one) => this.depthOf(one))) - this.depthOf(moving);
    const level = parent === null ? 1 : this.depthOf(parent);
    // A folder that another program made too deep can be renamed and moved up, but not made deeper.
    const isDeeper = parentId !== null && (moving === undefined || level + 1 > this.depthOf(moving));
    if (isDeeper && level + 1 + height > DEEPEST) faults.add("FolderParentInvalid");
    const siblings = this.nodes
      .filter((one) => one !== moving && one.parent === parent)
      .map((one) => one.name.toLowerCase());
    const isTaken = siblings.includes(name.toLowerCase()) || (parentId === null && SYSTEM.has(name.toLowerCase()));
    if (parent !== null || parentId === null) if (isTaken) faults.add("FolderExists");
    return [...faults];
  }

  /** Learns from a listing, and promises the events of what changed since the one before. */
  learn(listed: ReadonlyArray<{ readonly id: string; readonly path: string; readonly createdAt: number }>): void {
    this.left.clear();
    for (const node of this.nodes) {
      const path = this.pathOf(node);
      const found = listed.find((one) => one.path === path);
      if (found === undefined) continue;
      if (node.id === null) this.promised.push(`folder.created ${found.id} ${path}`);
      else if (node.listedAt !== path) this.promised.push(`folder.renamed ${node.id} ${path}`);
      node.id ??= found.id;
      node.createdAt ??= found.createdAt;
      node.listedAt = path;
      node.isRenumbered = false;
    }
  }
}

const isName = (name: string): boolean =>
  name !== "" &&
  name === name.trim() &&
  !/[\p{Cc}/*%]/u.test(name) &&
  !name.includes("..") &&
  Buffer.byteLength(name) <= 255;
