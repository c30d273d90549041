import { expect, it } from "vitest";
import { providerMessageId } from "../src/provider-message-id.ts";

const SES_ID = "0100018c3b5a1c1e-12345678-1234-1234-1234-123456789abc-000000";

it.each([
  ["OK <a1@AS8PR01.eurprd01.prod.outlook.com> [Hostname=AS8PR01.eurprd01.prod.outlook.com]", "smtp.office365.com"],
  ["<a1@AS8PR01.eurprd01.prod.outlook.com> [InternalId=1234, Hostname=x] 8351 bytes Queued mail for delivery", "x"],
])("finds the Message-ID in %s", (text, host) => {
  expect(providerMessageId(text, host)).toBe("<a1@AS8PR01.eurprd01.prod.outlook.com>");
});

it.each([
  ["email-smtp.us-east-1.amazonaws.com", "email.amazonses.com"],
  ["email-smtp.eu-west-1.amazonaws.com", "eu-west-1.amazonses.com"],
])("makes it of the id that %s tells", (host, domain) => {
  expect(providerMessageId(`Ok ${SES_ID}`, host)).toBe(`<${SES_ID}@${domain}>`);
});

it.each([
  ["Ok: queued as 4F2D01A0", "smtp.example.org"],
  ["OK id=1rXyzA-0001Ab-2C", "smtp.example.org"],
  ["<bob@example.org> accepted for delivery", "smtp.example.org"],
  ["OK <bob@example.org>, <eve@example.org>", "smtp.example.org"],
  [`Ok ${SES_ID}`, "smtp.example.org"],
  ["", "smtp.example.org"],
])("finds none in %s of %s", (text, host) => {
  expect(providerMessageId(text, host)).toBeUndefined();
});
