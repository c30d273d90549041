import { HttpApiSecurity, OpenApi } from "effect/http-api";

/** `Authorization: Bearer` with the access token of a session or with a key. */
export const bearer = HttpApiSecurity.bearer.pipe(
  HttpApiSecurity.annotateMerge(
    OpenApi.annotations({
      description:
        "The `token` of `POST /api/auth/mobile-login`, which lives one hour; a service key (`psk_…`), which needs one of " +
        "the scopes that an operation lists; or, for `admin`, the operator's admin key.",
    }),
  ),
);
