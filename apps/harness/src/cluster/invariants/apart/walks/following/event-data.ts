import type { MailEvent } from "@postern/core/events";
import type { FollowModel } from "./FollowModel.ts";

/** Returns what is wrong with the data of an event about a message that is there; none if all is right. */
export const faultsOf = ({ type, body }: MailEvent, model: FollowModel): ReadonlyArray<string> => {
  const { data } = JSON.parse(new TextDecoder().decode(body));
  const one = model.messages.find(
    ({ subject, folder }) => folder === data.folder && subject === (data.subject || model.subjects.get(data.id)),
  );
  if (one === undefined || type === "email.deleted" || data.removed === true) return [];
  const stored = model.mailbox(one.folder).find(model.uidOf(one))!;
  const { messageId } = one;
  const people = { from: "friend@far.test", to: [model.account, "other@far.test"], toCount: 2 };
  const promised: Record<string, unknown> =
    type === "email.received" || type === "email.moved"
      ? {
          ...people,
          messageId,
          fromName: "A Friend",
          date: new Date(stored.arrivedAt).toISOString(),
          size: stored.raw.length,
          hasAttachments: false,
          automatic: false,
        }
      : type === "email.sent"
        ? { ...people, messageId, cc: [], ccCount: 0 }
        : {};
  return Object.entries({ ...promised, uid: stored.uid }).flatMap(([name, value]) =>
    JSON.stringify(data[name]) === JSON.stringify(value) ? [] : [`${type} has ${name} ${JSON.stringify(data[name])}`],
  );
};
