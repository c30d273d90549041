import { HttpApiMiddleware } from "effect/http-api";
import { InvalidRequest } from "./problems/requests.ts";

/** Answers requests that violate the contract with 400 and the invalid fields (spec 2). */
export class RequestValidation extends HttpApiMiddleware.Service<RequestValidation>()(
  "@postern/api/RequestValidation",
  { error: InvalidRequest },
) {}
