import type { ListedMailbox } from "../../src/mail/index.ts";

/** A listed mailbox without a prefix and with `/` between levels; `status` is null if it cannot hold messages. */
export const listedAt = (
  path: string,
  {
    status,
    ...fields
  }: Partial<Omit<ListedMailbox, "status">> & {
    readonly status?: Partial<NonNullable<ListedMailbox["status"]>> | null;
  } = {},
): ListedMailbox => ({
  path,
  prefix: "",
  delimiter: "/",
  role: null,
  ...fields,
  status: status === null ? null : { total: 0, unread: 0, uidValidity: 1, uidNext: 1, mailboxId: null, ...status },
});
