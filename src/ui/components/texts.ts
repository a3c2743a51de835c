/** What the shared components say. */
export const texts = {
  close: "Close",
  cancel: "Cancel",
  retry: "Try again",
  dismiss: "Dismiss",
  requestId: (id: string) => `Request ${id}`,
  openMenu: "Open the menu",
  offline: "No connection to Parley. Trying again by itself; what you typed is kept.",
  onlineAgain: "Connected again.",
  notices: "Notices",
  loading: "Loading",
  means: {
    offline: "Parley cannot be reached right now. It goes on by itself as soon as there is a connection.",
    timeout: "Parley took too long to answer. Nothing may have changed; look before you try again.",
    forbidden: "Your account does not have the right to do this. An administrator can give it to you.",
    gone: "It does not exist any more, or it is not yours.",
    conflict: "Somebody changed this at the same time. Load it again and repeat your change.",
    tooMany: (seconds: number) => `Too many tries. Wait ${seconds === 1 ? "a second" : `${seconds} seconds`} and try again.`,
    tooLarge: "That is more than Parley accepts at once.",
    server: "Something failed inside Parley. Your work on this page is kept; try again in a moment.",
  },
};
