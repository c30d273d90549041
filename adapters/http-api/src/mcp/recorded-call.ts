import { Audit } from "@postern/core/audit";
import { isReachPattern, type ServiceKey } from "@postern/core/auth";
import { AccountId } from "@postern/core/shared";
import { Effect, Exit, Option } from "effect";
import { answer } from "../problems/answer.ts";
import { RequestRefused } from "./RequestRefused.ts";

/** A request of `/mcp` before it runs. */
interface Call {
  readonly key: ServiceKey;
  /** The name of the tool, or `list`. */
  readonly tool: string;
  readonly given: unknown;
  readonly account: Option.Option<AccountId>;
}

/** Returns the account of a key or a grant that has exactly one account. */
export const onlyAccountOf = ({ accounts }: ServiceKey): Option.Option<AccountId> => {
  const [only, ...others] = accounts ?? [];
  return only !== undefined && others.length === 0 && !isReachPattern(only)
    ? Option.some(AccountId(only))
    : Option.none();
};

type Values = Readonly<Record<string, unknown>>;

const valuesOf = (value: unknown): Values => (typeof value === "object" && value !== null ? (value as Values) : {});
const listOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [value]);

/** Returns the values of the fields for ids in arguments or a result; some may be other texts. */
const idsIn = (value: unknown): ReadonlyArray<unknown> => {
  const { id, ids, messageId, draftId, threadId, messages, message, approval, sent } = valuesOf(value);
  const inside = [messages, message, approval, sent].flatMap(listOf).map((one) => valuesOf(one)["id"]);
  return [id, messageId, draftId, threadId, ...listOf(ids), ...inside];
};

/** Returns the outcome of a call: `done`, the code of a problem, or the kind of another failure. */
const outcomeOf = (exit: Exit.Exit<unknown, unknown>): string => {
  if (Exit.isSuccess(exit)) return "done";
  if (Exit.hasInterrupts(exit)) return "interrupted";
  const error = Option.getOrUndefined(Exit.findErrorOption(exit));
  if (error === undefined) return "failed";
  const { code } = valuesOf(error);
  return error instanceof RequestRefused || typeof code !== "string" ? "invalid_request" : code;
};

/** Returns a function that runs a request and records it, including its failure (spec 8.7). */
export const callRecorder = Effect.map(
  Audit,
  (audit) =>
    <A, R>({ key, tool, given, account }: Call, run: Effect.Effect<A, object, R>) => {
      const record = (exit: Exit.Exit<A, object>) =>
        audit.recordCall({
          key: key.id,
          application: key.application,
          tool,
          account: Option.getOrNull(Option.orElse(account, () => onlyAccountOf(key))),
          ids: [...idsIn(given), ...(Exit.isSuccess(exit) ? idsIn(valuesOf(exit.value)["structuredContent"]) : [])],
          outcome: outcomeOf(exit),
        });
      return Effect.andThen(answer(audit.checkRoom(key.id)), Effect.onExit(run, record));
    },
);
