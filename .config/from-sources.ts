/** Resolves our packages to their sources, as `node --conditions=@postern/source` does. */
export const fromSources = {
  ssr: { resolve: { conditions: ["@postern/source", "node", "development|production"] } },
};
