/** Whether this is the address of an API. */
export const isAddress = (text: string): boolean => /^https?:$/.test(URL.parse(text.trim())?.protocol ?? "");

/** Whether models may have this before their names. */
export const isPrefix = (text: string): boolean => /^[\w.-]*$/.test(text.trim());
