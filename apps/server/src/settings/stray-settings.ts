import type { Environment } from "./environment.ts";

/** First words of settings that are also common in variables of other programs. */
const SHARED = new Set(["BASE", "DATA", "LOG", "OTEL"]);

/** Variables that Kubernetes sets for a service whose name is the first word of a setting. */
const OF_KUBERNETES = /_SERVICE_(HOST|PORT)|_PORT_\d+_(TCP|UDP)/;

const firstWord = (name: string): string => name.slice(0, name.indexOf("_"));

/**
 * An environment that records in `asked` the names that are read. Afterwards, `strays` lists the other variables with
 * the same first word, because they are probably misspelt settings.
 */
export const recordReads = (environment: Environment) => {
  const asked = new Set<string>();
  const env: Environment = new Proxy(environment, {
    get: (target, name) => (typeof name === "string" ? (asked.add(name), target[name]) : undefined),
  });
  const strays = (): ReadonlyArray<string> => {
    const known = (word: string) => [...asked].filter((name) => name.startsWith(`${word}_`));
    return Object.keys(environment).flatMap((name) => {
      const word = firstWord(name);
      const others = known(word);
      return asked.has(name) || SHARED.has(word) || others.length === 0 || OF_KUBERNETES.test(name)
        ? []
        : [
            `${name} is not a setting of Postern and is ignored; settings that begin with ${word}_ are ${others.join(", ")}`,
          ];
    });
  };
  return { env, asked, strays };
};
