import { storedSwitch } from "../ui/stored-switch.ts";

/** Whether a message is shown with the others of its conversation. */
export const { turn: showConversations, useIsOn: useConversationsAreShown } = storedSwitch(
  "postern-conversations",
  true,
);

/** Whether a list shows the messages of a conversation in one row. */
export const { turn: groupLists, useIsOn: useListsAreGrouped } = storedSwitch("postern-grouped", false);
