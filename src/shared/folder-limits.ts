/** The longest name of a folder of chats, and the longest instructions; UTF-16 units. */
export const maxFolderName = 200;
export const maxFolderInstructions = 100_000;
