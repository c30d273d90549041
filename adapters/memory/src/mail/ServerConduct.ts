/**
 * What a server does with each sign-in of an account. `unclear`: it refuses the sign-in without a reason. `away`: the
 * connection fails. `flood`: it sends more than its budget.
 */
export type ServerConduct = "unclear" | "away" | "flood";
