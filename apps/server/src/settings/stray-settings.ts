import type { Environment } from "./environment.ts";

/** First words of settings that variables of other programs also begin with. */
const SHARED = new Set(["BASE", "DATA", "LOG", "OTEL"]);

/** Variables that Kubernetes sets for a service named like one of these first words. */
const OF_KUBERNETES = /_SERVICE_(HOST|PORT)|_PORT_\d+_(TCP|UDP)/;

const firstWord = (name: string): string => name.slice(0, name.indexOf("_"));

/**
 * An environment that records in `asked` which names are read from it. Afterwards, `strays` lists the other variables
 * with the same first word, because they are probably misspelt settings.
 */
export const noticing = (environment: Environment) => {
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
