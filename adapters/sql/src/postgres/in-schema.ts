import { type Kysely, type KyselyPlugin, OperationNodeTransformer, type RawNode, TableNode } from "kysely";
import type { Tables } from "../tables/Tables.ts";

/** Qualifies the tables of raw statements (`sql.table`), which kysely's own `withSchema` does not change. */
class RawTables extends OperationNodeTransformer {
  readonly #schema: string;
  constructor(schema: string) {
    super();
    this.#schema = schema;
  }
  protected override transformRaw(node: RawNode): RawNode {
    const raw = super.transformRaw(node);
    return {
      ...raw,
      parameters: raw.parameters.map((parameter) =>
        TableNode.is(parameter) && parameter.table.schema === undefined
          ? TableNode.createWithSchema(this.#schema, parameter.table.identifier.name)
          : parameter,
      ),
    };
  }
}

/**
 * Returns a database whose statements name the tables and functions of this schema. A `search_path` would not work,
 * because behind a pooler the next statement may use another connection.
 */
export const inSchema = (kysely: Kysely<Tables>, schema: string | undefined): Kysely<Tables> => {
  if (schema === undefined) return kysely;
  const transformer = new RawTables(schema);
  const plugin: KyselyPlugin = {
    transformQuery: ({ node, queryId }) => transformer.transformNode(node, queryId),
    transformResult: async ({ result }) => result,
  };
  return kysely.withSchema(schema).withPlugin(plugin);
};
