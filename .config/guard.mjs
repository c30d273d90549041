import { globSync, readFileSync } from "node:fs";

/** All sources, tests included. */
export const SOURCES = ["{packages,adapters,apps}/*/{src,test,scripts}/**/*.{ts,tsx}"];

/** Prints what `faultsOf` finds in each file, and how many files were looked at; exits with 1 on any fault. */
export const guard = (patterns, faultsOf) => {
  const files = patterns.flatMap((pattern) => globSync(pattern));
  const faults = files.flatMap((file) =>
    faultsOf(readFileSync(file, "utf8"), file).map((fault) => `${file}: ${fault}`),
  );
  for (const fault of faults) console.log(fault);
  console.log(`looked at ${files.length} files`);
  process.exit(faults.length > 0 ? 1 : 0);
};
