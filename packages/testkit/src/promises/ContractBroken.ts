/** The error of an implementation that broke a rule of its contract. */
export class ContractBroken extends Error {
  override readonly name = "ContractBroken";
  /** The broken rule, which every implementation must follow, such as `uploads at the same time do not mix`. */
  readonly rule: string;

  constructor(rule: string, detail: string, options?: ErrorOptions) {
    super(`${rule}: ${detail}`, options);
    this.rule = rule;
  }
}

/** A rule, and a check that throws a description of the fault. */
export interface Rule {
  readonly rule: string;
  readonly check: () => Promise<void>;
}

/** The time limit of the check of one rule. */
const PATIENCE_MILLIS = 30_000;

/** Checks rules one after the other; rejects with the first that is broken. */
export const checkRules = async (rules: ReadonlyArray<Rule>): Promise<void> => {
  for (const { rule, check } of rules) {
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => late.reject(new Error(`not settled after ${PATIENCE_MILLIS} ms`)), PATIENCE_MILLIS);
    await Promise.race([check(), late.promise])
      .catch((cause: unknown) => {
        throw new ContractBroken(rule, cause instanceof Error ? cause.message : String(cause), { cause });
      })
      .finally(() => clearTimeout(timer));
  }
};

/** Throws unless a condition holds. */
export const expectThat = (holds: boolean, otherwise: string): void => {
  if (!holds) throw new Error(otherwise);
};
