import type { ServiceCalls } from "@postern/client";
import { type ApiProblem, nounsOf, OPERATIONS, operationCall } from "@postern/client/operations";
import type { Operations } from "./operations.d.ts";
import { PosternError } from "./PosternError.ts";
import { problemError } from "./problem-error.ts";

/** Answers a request, relative to the service, in the name of the account with this address, or of the operator. */
export type Ask = (address: string | null, path: string, init: RequestInit) => Promise<Response>;

/** The operations on all accounts. */
export interface HostCalls extends Omit<ServiceCalls, "webhooks" | "changes" | "accounts"> {
  readonly accounts: AccountsCalls;
}

/** The operations on accounts. An account that is added here exists until it is removed here. */
export type AccountsCalls = ServiceCalls["accounts"] & {
  /** Returns a link with which a user connects a mailbox. It is the same as `connect`. */
  readonly connectLink: ServiceCalls["accounts"]["connect"];
  /** Stops watching an account and sending for it, until `resume`. */
  readonly pause: (id: string) => ReturnType<ServiceCalls["accounts"]["update"]>;
  /** Ends a pause. */
  readonly resume: (id: string) => ReturnType<ServiceCalls["accounts"]["update"]>;
};

/** Returns all operations of the contract as functions. A call is a request that never leaves the process. */
export const directCalls = (ask: Ask): Operations & HostCalls => {
  const asking =
    (address: string | null) =>
    async (path: string, init: RequestInit): Promise<Response> => {
      const response = await ask(address, path, init);
      if (!response.ok) throw await problemError(response);
      return response;
    };
  const calls = nounsOf(OPERATIONS, (operation) =>
    operation.of === "service"
      ? operationCall(asking(null), operation, refusal)
      : (address, ...given) => operationCall(asking(address as string), operation, refusal)(...given),
  ) as Operations & HostCalls;
  const { connect, update } = calls.accounts;
  const pausing = (paused: boolean) => (id: string) => update(id, { paused });
  Object.assign(calls.accounts, { connectLink: connect, pause: pausing(true), resume: pausing(false) });
  return calls;
};

/** Converts errors of the client into errors of this service. */
const refusal = ({ message, code, errors }: ApiProblem): PosternError => new PosternError(message, { code, errors });
