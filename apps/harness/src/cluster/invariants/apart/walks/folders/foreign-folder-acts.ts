import { Effect } from "effect";
import type { Cluster } from "../../../../Cluster.ts";
import type { Act } from "../walk.ts";
import type { FolderModel, FolderNode } from "./FolderModel.ts";

const NAMES = ["Work", "Trips", "Other", "Third"];

/** Changes of folders by other mail programs. A folder changes once between two listings, so that one event is promised. */
export const foreignFolderActs = ({ random }: Cluster, model: FolderModel): ReadonlyArray<Act> => {
  const isListed = (node: FolderNode) =>
    model.below(node).every((one) => one.id !== null && one.listedAt === model.pathOf(one) && !one.isRenumbered);
  const all = () => model.nodes.filter(isListed);
  const isPossible = () => all().length > 0;
  const isFree = (name: string, parent: FolderNode | null) =>
    !model.nodes.some((one) => one.parent === parent && one.name.toLowerCase() === name.toLowerCase());
  /**
   * Whether the folder that was at a path took the path of a folder that is gone. If another folder came to its former path, a
   * listing could not tell that it was renamed. [S4.2-3]
   */
  const isHanded = (path: string) =>
    model.nodes.some((node) => node.listedAt === path && model.left.has(model.pathOf(node)));
  return [
    {
      name: "another program creates a folder",
      isPossible: () => model.nodes.length < 18,
      run: Effect.sync(() => {
        const [name, parent] = [random.pick(NAMES)!, random.pick([null, ...model.nodes])!];
        if (!isFree(name, parent) || (parent !== null && model.depthOf(parent) > 8)) return;
        const path = parent === null ? name : `${model.pathOf(parent)}/${name}`;
        if (!model.left.has(path) && !isHanded(path)) model.mail.create(model.pathOf(model.add(name, parent)));
      }),
    },
    {
      name: "another program renames a folder",
      weight: 2,
      isPossible,
      run: Effect.sync(() => {
        const [node, name, parent] = [random.pick(all())!, random.pick(NAMES)!, random.pick([null, ...all()])!];
        if (!isFree(name, parent) || (parent !== null && (model.isWithin(parent, node) || model.depthOf(parent) > 6)))
          return;
        if (isHanded(parent === null ? name : `${model.pathOf(parent)}/${name}`)) return;
        const from = model.pathOf(node);
        node.name = name;
        node.parent = parent;
        model.mail.rename(from, model.pathOf(node));
      }),
    },
    {
      name: "another program deletes a folder",
      isPossible: () => all().some((node) => model.below(node).length === 1),
      run: Effect.sync(() => {
        const node = random.pick(all().filter((one) => model.below(one).length === 1))!;
        model.mail.delete(model.pathOf(node));
        model.remove(node);
      }),
    },
    {
      name: "a folder gets a new UIDVALIDITY",
      isPossible: () => isPossible() && model.nodes.every(isListed),
      run: Effect.sync(() => {
        const node = random.pick(all())!;
        node.isRenumbered = true;
        model.mail.recreate(model.pathOf(node));
      }),
    },
  ];
};
