import type { NewConnection } from "@postern/api";
import { accountIdOf } from "@postern/core/shared";
import { Option } from "effect";
import type { FieldFault } from "./field-faults.ts";

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** Returns whether a browser may be led there: https, or http to this machine. */
const isRedirectUrl = (text: string): boolean => {
  const url = URL.parse(text);
  if (url === null || url.username !== "" || url.password !== "") return false;
  return url.protocol === "https:" || (url.protocol === "http:" && LOOPBACK.test(url.hostname));
};

/** Returns the faults of a request to connect that the contract cannot check. */
export const connectFaults = ({
  email,
  redirectUrl,
}: Pick<typeof NewConnection.Type, "email" | "redirectUrl">): ReadonlyArray<FieldFault> => [
  ...(isRedirectUrl(redirectUrl)
    ? []
    : [{ field: "redirectUrl", message: "must be an https address, or http to this machine" }]),
  ...addressFaults(email),
];

/** Returns the fault of an address that is none. */
export const addressFaults = (email: string | undefined): ReadonlyArray<FieldFault> =>
  email === undefined || Option.isSome(accountIdOf(email))
    ? []
    : [{ field: "email", message: "must be an e-mail address" }];
