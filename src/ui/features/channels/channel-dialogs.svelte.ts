/** Which dialog about channels is open: one at a time, wherever it was asked for. */
class ChannelDialogs {
  shown = $state<"make" | "browse" | "write" | undefined>(undefined);

  open(which: "make" | "browse" | "write"): void {
    this.shown = which;
  }

  close(): void {
    this.shown = undefined;
  }
}

export const channelDialogs = new ChannelDialogs();
