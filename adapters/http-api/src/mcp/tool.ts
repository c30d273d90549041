import type { CurrentPrincipal, Scope } from "@postern/api";
import type { AccountId } from "@postern/core/shared";
import { type Effect, Schema } from "effect";
import type { HttpServerRequest } from "effect/http";
import type { Fence } from "./Fence.ts";
import type { ResultData } from "./written-result.ts";

/** Services of the request in which a tool is called. */
export type ToolServices = HttpServerRequest.HttpServerRequest | CurrentPrincipal;

/** A tool for an assistant: its scopes, its parameters, and the use case that it runs. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  /** The scopes of the tool; the key needs one of them. */
  readonly scopes: ReadonlyArray<typeof Scope.Type>;
  /** Whether the tool only reads. */
  readonly readOnly: boolean;
  readonly parameters: Schema.Codec<{ readonly account?: string }, unknown>;
  readonly run: (account: AccountId, input: never, fence: Fence) => Effect.Effect<ResultData, object, ToolServices>;
}

/** Makes a tool whose input has the types of its parameters. */
export const tool = <const Fields extends Schema.Struct.Fields>(
  about: Pick<Tool, "name" | "description" | "scopes" | "readOnly">,
  fields: Fields,
  run: (
    account: AccountId,
    input: Schema.Struct.Type<Fields>,
    fence: Fence,
  ) => Effect.Effect<ResultData, object, ToolServices>,
): Tool => ({ ...about, parameters: Schema.Struct(fields), run: run as Tool["run"] }) as unknown as Tool;

/** The account of a call, which every tool takes. */
export const ACCOUNT = Schema.optionalKey(
  Schema.String.annotate({ description: "Address or id of the account; needed if the key reaches several." }),
);

/** Returns the JSON schema of the input of a tool. */
export const inputSchemaOf = ({ parameters }: Tool) => {
  const { schema } = Schema.toJsonSchemaDocument(parameters);
  return { ...schema, type: "object" as const };
};
