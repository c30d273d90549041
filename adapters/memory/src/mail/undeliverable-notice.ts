/**
 * Returns the report to an undeliverable message's sender, in Postfix's form (RFC 3464); `now` in epoch milliseconds.
 */
export const undeliverableNotice = (
  from: string,
  recipients: ReadonlyArray<string>,
  raw: Uint8Array,
  now: number,
  serial: number,
): Uint8Array => {
  const date = new Date(now).toUTCString().replace("GMT", "+0000");
  const host = from.slice(from.lastIndexOf("@") + 1);
  const boundary = `${now.toString(36).toUpperCase()}.${serial}/${host}`;
  const text = Buffer.from(raw.buffer, raw.byteOffset, raw.length).toString("latin1");
  const end = text.indexOf("\r\n\r\n");
  const header = end < 0 ? text : text.slice(0, end + 2);
  const reason = (recipient: string) => `550 5.1.1 <${recipient}>: Recipient address rejected: User unknown`;
  const lines = [
    "Return-Path: <>",
    `Date: ${date}`,
    `From: MAILER-DAEMON@${host} (Mail Delivery System)`,
    "Subject: Undelivered Mail Returned to Sender",
    `To: ${from}`,
    "Auto-Submitted: auto-replied",
    `Message-ID: <undelivered.${now}.${serial}@${host}>`,
    "MIME-Version: 1.0",
    `Content-Type: multipart/report; report-type=delivery-status; boundary="${boundary}"`,
    "",
    `--${boundary}`,
    "Content-Type: text/plain; charset=us-ascii",
    "",
    `This is the mail system at host ${host}.`,
    "",
    "I'm sorry to have to inform you that your message could not",
    "be delivered to one or more recipients. It's attached below.",
    "",
    ...recipients.map((recipient) => `<${recipient}>: ${reason(recipient)}`),
    "",
    `--${boundary}`,
    "Content-Type: message/delivery-status",
    "",
    `Reporting-MTA: dns; ${host}`,
    `Arrival-Date: ${date}`,
    ...recipients.flatMap((recipient) => [
      "",
      `Final-Recipient: rfc822; ${recipient}`,
      `Original-Recipient: rfc822;${recipient}`,
      "Action: failed",
      "Status: 5.1.1",
      `Diagnostic-Code: smtp; ${reason(recipient)}`,
    ]),
    "",
    `--${boundary}`,
    "Content-Type: text/rfc822-headers",
    "",
  ];
  return Buffer.from(`${lines.join("\r\n")}\r\n${header}\r\n--${boundary}--\r\n`, "latin1");
};
