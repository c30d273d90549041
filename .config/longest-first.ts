import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files of several minutes. Most are short texts that run long contracts, so Vitest, which goes by size, runs them last. */
const LONG = [
  "adapters/imap/test/folder-management.integration.test.ts",
  "adapters/imap/test/folders.integration.test.ts",
  "apps/harness/test/simulation-seeds.ci.integration.test.ts",
  "adapters/imap/test/contracts.integration.test.ts",
  "adapters/sql/test/contracts.integration.test.ts",
];

/** A worker keeps its modules for the next file of the same project only; these keep none, so they go first. */
const PROJECTS = ["isolated", "integration", "fast", "console"];

/** Runs project after project, and the longest files of each first, so that no worker has one left when the others have finished. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    const project = ({ project: { name } }: TestSpecification): number => PROJECTS.indexOf(name);
    const rank = ({ moduleId }: TestSpecification): number => {
      const at = LONG.findIndex((file) => moduleId.endsWith(file));
      return at < 0 ? LONG.length : at;
    };
    return (await super.sort(files)).toSorted((one, other) => project(one) - project(other) || rank(one) - rank(other));
  }
}
