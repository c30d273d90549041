import * as Problem from "@postern/api";
import { fieldOf, MOST_FAULTS } from "./field-faults.ts";
import {
  type DeliveryNotFound,
  type EndpointDisabled,
  type EndpointNotFound,
  type EndpointUrlRefused,
  type EventTypesUnknown,
  type ReplayRangeInvalid,
  type ReplayTooOld,
  type TooManyEndpoints,
  URL_REFUSALS,
} from "@postern/core/webhooks";
import type { StoreUnavailable } from "@postern/core/shared";
import type {
  DestinationInvalid,
  FolderAmbiguous,
  FolderExists,
  FolderHasChildren,
  FolderIsSystem,
  FolderNameInvalid,
  FolderNotFound,
  FolderNotSelectable,
  FolderParentInvalid,
  MailboxCredentialsRejected,
  MailServerError,
} from "@postern/core/mail";
import type {
  AddressMalformed,
  LoginRefused,
  RefreshReused,
  SessionNotFound,
  TokenRejected,
  TooManyLoginFailures,
} from "@postern/core/auth";
import type { AttachmentNotFound, CursorMalformed, CursorStale, MessageNotFound } from "@postern/core/messages";
import type {
  DraftInvalid,
  IdempotencyKeyReused,
  MessageTooLarge,
  OutgoingNotCancellable,
  OutgoingNotFound,
  RecipientRefused,
  SendInProgress,
  SendOutcomeUnknown,
  SendRateExceeded,
  SendUnconfirmed,
  SenderBlocked,
  SenderRefused,
  SmtpAuthRefused,
  UploadMalformed,
  UploadTooLarge,
} from "@postern/core/send";
import { NAME_FAULTS, PARENT_FAULTS, DESTINATION_FAULTS } from "./folder-faults.ts";

/** Everything the use cases may fail with. */
export type DomainError =
  | AddressMalformed
  | LoginRefused
  | TooManyLoginFailures
  | TokenRejected
  | RefreshReused
  | SessionNotFound
  | MailboxCredentialsRejected
  | FolderNotFound
  | FolderAmbiguous
  | FolderNotSelectable
  | FolderExists
  | FolderIsSystem
  | FolderHasChildren
  | FolderNameInvalid
  | FolderParentInvalid
  | DestinationInvalid
  | CursorMalformed
  | CursorStale
  | MessageNotFound
  | AttachmentNotFound
  | DraftInvalid
  | MessageTooLarge
  | SenderBlocked
  | SendRateExceeded
  | IdempotencyKeyReused
  | SendInProgress
  | RecipientRefused
  | SenderRefused
  | SmtpAuthRefused
  | SendOutcomeUnknown
  | SendUnconfirmed
  | OutgoingNotFound
  | OutgoingNotCancellable
  | EndpointUrlRefused
  | EventTypesUnknown
  | EndpointNotFound
  | TooManyEndpoints
  | DeliveryNotFound
  | EndpointDisabled
  | ReplayTooOld
  | ReplayRangeInvalid
  | UploadMalformed
  | UploadTooLarge
  | MailServerError
  | StoreUnavailable;

const MAIL_SERVER = {
  unreachable: Problem.MailServerUnreachable,
  untrusted: Problem.MailServerUntrusted,
  busy: Problem.MailServerBusy,
  protocol: Problem.MailServerFault,
  timeout: Problem.MailServerTimeout,
  not_permitted: Problem.NotPermitted,
  over_quota: Problem.MailboxFull,
} as const;

const TRUST_IT =
  "If a private authority signed it, set MAIL_TLS_CA_FILE to the file with the authority's certificate; otherwise it expired or names another host, and the mail server needs a new one.";

/** What a failure of the domain looks like on the wire: the one place where the two vocabularies meet. */
const WIRE = {
  AddressMalformed: (_: AddressMalformed, requestId: string) =>
    new Problem.InvalidRequest({ requestId, errors: [{ field: "email", message: "must be an e-mail address" }] }),
  LoginRefused: (_: LoginRefused, requestId: string) => new Problem.InvalidCredentials({ requestId }),
  TokenRejected: (_: TokenRejected, requestId: string) => new Problem.Unauthorized({ requestId }),
  TooManyLoginFailures: ({ retryAfter }: TooManyLoginFailures, requestId: string) =>
    new Problem.TooManyAttempts({ requestId, detail: `Try again in ${inWords(retryAfter)}.` }),
  RefreshReused: (_: RefreshReused, requestId: string) => new Problem.RefreshTokenReused({ requestId }),
  SessionNotFound: (_: SessionNotFound, requestId: string) => new Problem.SessionMissing({ requestId }),
  MailboxCredentialsRejected: (_: MailboxCredentialsRejected, requestId: string) =>
    new Problem.MailboxLoginRejected({ requestId, detail: "Sign in again with the password now in force." }),
  FolderNotFound: (_: FolderNotFound, requestId: string) => new Problem.FolderMissing({ requestId }),
  FolderAmbiguous: ({ paths }: FolderAmbiguous, requestId: string) =>
    new Problem.AmbiguousFolder({
      requestId,
      errors: [{ field: "folder", message: `is the name of ${paths.join(", ")}: give the path or the id` }],
    }),
  FolderNotSelectable: (_: FolderNotSelectable, requestId: string) =>
    new Problem.FolderHoldsNoMessages({
      requestId,
      errors: [{ field: "folder", message: "holds folders only, no messages" }],
    }),
  FolderExists: (_: FolderExists, requestId: string) =>
    new Problem.FolderNameTaken({ requestId, detail: "Case and Unicode form make no difference: take another name." }),
  FolderIsSystem: (_: FolderIsSystem, requestId: string) =>
    new Problem.SystemFolder({
      requestId,
      errors: [{ field: "id", message: "must be a folder of your own, with no system folder in it" }],
    }),
  FolderHasChildren: (_: FolderHasChildren, requestId: string) =>
    new Problem.FolderHoldsFolders({
      requestId,
      errors: [{ field: "recursive", message: "must be true to delete the folders in it too" }],
    }),
  FolderNameInvalid: ({ reason }: FolderNameInvalid, requestId: string) =>
    new Problem.InvalidFolderName({ requestId, errors: [{ field: "name", message: NAME_FAULTS[reason] }] }),
  FolderParentInvalid: ({ reason }: FolderParentInvalid, requestId: string) =>
    new Problem.InvalidFolderName({ requestId, errors: [{ field: "parentId", message: PARENT_FAULTS[reason] }] }),
  DestinationInvalid: ({ reason }: DestinationInvalid, requestId: string) =>
    new Problem.InvalidFolderDestination({
      requestId,
      errors: [{ field: "moveTo", message: DESTINATION_FAULTS[reason] }],
    }),
  CursorMalformed: (_: CursorMalformed, requestId: string) =>
    new Problem.InvalidRequest({
      requestId,
      errors: [{ field: "cursor", message: "must be the nextCursor of a page of the same folder" }],
    }),
  CursorStale: (_: CursorStale, requestId: string) =>
    new Problem.CursorExpired({
      requestId,
      errors: [{ field: "cursor", message: "is for a folder that was made anew: start again without it" }],
    }),
  MessageNotFound: (_: MessageNotFound, requestId: string) => new Problem.MessageMissing({ requestId }),
  AttachmentNotFound: (_: AttachmentNotFound, requestId: string) => new Problem.AttachmentMissing({ requestId }),
  DraftInvalid: ({ errors }: DraftInvalid, requestId: string) =>
    new Problem.InvalidRequest({ requestId, errors: errors.slice(0, MOST_FAULTS) }),
  MessageTooLarge: ({ limit }: MessageTooLarge, requestId: string) =>
    new Problem.PayloadTooLarge({ requestId, detail: `A message may have ${limit}.` }),
  UploadMalformed: ({ field, message }: UploadMalformed, requestId: string) =>
    new Problem.InvalidRequest({ requestId, errors: [{ field: fieldOf([field]), message }] }),
  UploadTooLarge: ({ maxBytes }: UploadTooLarge, requestId: string) =>
    new Problem.PayloadTooLarge({ requestId, detail: `A file may have ${maxBytes} bytes.` }),
  SenderBlocked: (_: SenderBlocked, requestId: string) => new Problem.BlockedSender({ requestId }),
  SendRateExceeded: ({ perMinute, perDay }: SendRateExceeded, requestId: string) =>
    new Problem.SendRateLimited({ requestId, detail: `It may send ${perMinute} a minute and ${perDay} a day.` }),
  IdempotencyKeyReused: (_: IdempotencyKeyReused, requestId: string) => new Problem.KeyReused({ requestId }),
  SendInProgress: (_: SendInProgress, requestId: string) => new Problem.SendUnderWay({ requestId }),
  RecipientRefused: ({ rejected }: RecipientRefused, requestId: string) =>
    new Problem.RecipientsRefused({
      requestId,
      rejected,
      errors: rejected.map(({ recipient, detail }) => ({ field: "to", message: `${recipient}: ${detail}` })),
    }),
  SenderRefused: ({ detail }: SenderRefused, requestId: string) => new Problem.RefusedSender({ requestId, detail }),
  SmtpAuthRefused: (_: SmtpAuthRefused, requestId: string) => new Problem.SmtpLoginRefused({ requestId }),
  SendOutcomeUnknown: ({ messageId }: SendOutcomeUnknown, requestId: string) =>
    new Problem.OutcomeUnknown({ requestId, messageId }),
  SendUnconfirmed: ({ id, messageId }: SendUnconfirmed, requestId: string) =>
    new Problem.SendUnconfirmed({ requestId, id, messageId, state: "unknown" }),
  OutgoingNotFound: (_: OutgoingNotFound, requestId: string) => new Problem.OutgoingMissing({ requestId }),
  OutgoingNotCancellable: ({ state }: OutgoingNotCancellable, requestId: string) =>
    new Problem.NotCancellable({ requestId, detail: `It is ${state}.` }),
  EndpointUrlRefused: ({ reason }: EndpointUrlRefused, requestId: string) =>
    new Problem.InvalidRequest({ requestId, errors: [{ field: "url", message: URL_REFUSALS[reason] }] }),
  EventTypesUnknown: ({ fields }: EventTypesUnknown, requestId: string) =>
    new Problem.InvalidRequest({
      requestId,
      errors: fields.map((field) => ({ field, message: UNKNOWN_EVENT })),
    }),
  EndpointNotFound: (_: EndpointNotFound, requestId: string) => new Problem.EndpointMissing({ requestId }),
  TooManyEndpoints: ({ most }: TooManyEndpoints, requestId: string) =>
    new Problem.EndpointsExhausted({ requestId, detail: `It may have ${most}: delete one first.` }),
  DeliveryNotFound: (_: DeliveryNotFound, requestId: string) => new Problem.DeliveryMissing({ requestId }),
  EndpointDisabled: (_: EndpointDisabled, requestId: string) =>
    new Problem.EndpointOff({ requestId, detail: "Enable it first." }),
  ReplayTooOld: (_: ReplayTooOld, requestId: string) => new Problem.ReplayBeyondRetention({ requestId }),
  ReplayRangeInvalid: (_: ReplayRangeInvalid, requestId: string) =>
    new Problem.InvalidRequest({ requestId, errors: [{ field: "until", message: "must be later than since" }] }),
  MailServerError: ({ reason }: MailServerError, requestId: string) =>
    new MAIL_SERVER[reason](reason === "untrusted" ? { requestId, detail: TRUST_IT } : { requestId }),
  StoreUnavailable: (_: StoreUnavailable, requestId: string) => new Problem.DatabaseUnavailable({ requestId }),
};

const UNKNOWN_EVENT = "is no kind of event: GET /api/settings/webhooks/event-types lists them";

const inWords = (millis: number): string => {
  const minutes = Math.ceil(millis / 60_000);
  return minutes <= 1 ? "a minute" : minutes <= 90 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`;
};

type Wire = typeof WIRE;

/** The problems a set of domain errors becomes. */
export type ProblemOf<E extends DomainError> = ReturnType<Wire[E["_tag"]]>;

/** The problem a domain error is answered with. */
export const problemOf = <E extends DomainError>(error: E, requestId: string): ProblemOf<E> =>
  (WIRE[error._tag] as unknown as (error: E, requestId: string) => ProblemOf<E>)(error, requestId);
