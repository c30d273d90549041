import { globSync, readFileSync } from "node:fs";
import { EXEMPTIONS } from "./exemptions.mjs";

/** All sources, tests included. */
export const SOURCES = ["{packages,adapters,apps}/*/{src,test,scripts}/**/*.{ts,tsx}"];

/** Prints the faults that `faultsOf` finds in each file, and the number of files; exits with 1 on any fault. */
export const guard = (patterns, faultsOf) => {
  const files = patterns.flatMap((pattern) => globSync(pattern));
  report(
    files.flatMap((file) => faultsOf(readFileSync(file, "utf8"), file).map((fault) => `${file}: ${fault}`)),
    files.length,
  );
};

/**
 * Works like `guard`, for faults `{at, fault}` that `exemptions.mjs` may exempt: `at` names the exempted item. An
 * unused exemption is a fault, too.
 */
export const guardExcept = (name, patterns, faultsOf) => {
  const exempt = EXEMPTIONS[name] ?? {};
  const files = patterns.flatMap((pattern) => globSync(pattern));
  const found = files.flatMap((file) =>
    faultsOf(readFileSync(file, "utf8"), file.replaceAll("\\", "/")).map((one) => ({ ...one, file })),
  );
  const used = new Set(found.map(({ at }) => at));
  report(
    [
      ...found.filter(({ at }) => !(at in exempt)).map(({ file, fault }) => `${file}: ${fault}`),
      ...Object.keys(exempt)
        .filter((at) => !used.has(at))
        .map(
          (at) => `.config/exemptions.mjs: ${at} of ${name} is exempt, and nothing is wrong with it: delete the entry`,
        ),
    ],
    files.length,
  );
};

const report = (faults, looked) => {
  for (const fault of faults) console.log(fault);
  console.log(`looked at ${looked} files`);
  process.exit(faults.length > 0 ? 1 : 0);
};
