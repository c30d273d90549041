import { HttpApiMiddleware } from "effect/http-api";
import { InvalidRequest } from "./problems/requests.ts";

/** Answers requests that do not fit the contract with 400 and the fields at fault (spec 2). */
export class RequestValidation extends HttpApiMiddleware.Service<RequestValidation>()(
  "@postern/api/RequestValidation",
  { error: InvalidRequest },
) {}
