import { catalogue } from "../apps/console/catalogue.ts";

/** Resolves our packages to their sources, as `node --conditions=@postern/source` does, and has the texts of the console. */
export const fromSources = {
  plugins: [catalogue()],
  ssr: { resolve: { conditions: ["@postern/source", "node", "development|production"] } },
};
