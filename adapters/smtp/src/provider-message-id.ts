/** Outlook.com and Microsoft 365: `2.0.0 OK <…@….prod.outlook.com> [Hostname=…]`; Exchange: `<…> [InternalId=…] Queued`. */
const NAMED = /^(?:OK )?(<[^<>@\s]+@[^<>@\s]+>)(?= \[|$)/i;

/** Amazon SES: `Ok 0102018…-000000`. */
const OF_SES = /^Ok ([0-9a-f]{16}-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}-\d{6})$/i;
const SES_HOST = /^email-smtp(?:-fips)?\.([a-z0-9-]+)\.amazonaws\.com$/i;

/** The Amazon region whose messages have the domain `email.amazonses.com`. */
const FIRST_REGION = "us-east-1";

/** Returns the Message-ID that a server gave a message, from the text of its reply to the dot. */
export const providerMessageId = (text: string, host: string): string | undefined => {
  const named = NAMED.exec(text)?.[1];
  if (named !== undefined) return named;
  const [region, id] = [SES_HOST.exec(host)?.[1], OF_SES.exec(text)?.[1]];
  if (region === undefined || id === undefined) return undefined;
  return `<${id}@${region === FIRST_REGION ? "email" : region}.amazonses.com>`;
};
