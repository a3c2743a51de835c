/** Maximum length of a memory, in UTF-16 units. */
export const maxMemoryLength = 2000;
