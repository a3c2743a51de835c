/** Addresses that one request may invite. */
export const maxInvited = 100;
