import { storedSwitch } from "../../ui/stored-switch.ts";

/** Whether a message is shown with the others of its conversation. */
export const { turn: showConversations, useIsOn: useConversationsAreShown } = storedSwitch(
  "postern-conversations",
  true,
);

/** Whether a list shows the messages of a conversation in one row. */
export const { turn: groupLists, useIsOn: useListsAreGrouped } = storedSwitch("postern-grouped", false);

/** Whether a folder shows the message that arrived first at the top. */
export const { turn: listOldestFirst, useIsOn: useListsAreOldestFirst } = storedSwitch("postern-oldest-first", false);
