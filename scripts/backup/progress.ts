import process from "node:process";

/** A line that changes, where a person looks. @param what such as "Backing up" */
export function progressLine(what: string): { show(part: number): void; end(): void } {
  let shown = -1;
  return {
    show(part) {
      const percent = Math.floor(part * 100);
      if (!process.stdout.isTTY || percent === shown) return;
      shown = percent;
      process.stdout.write(`\r${what} ... ${percent} %`);
    },
    end() {
      if (shown >= 0) process.stdout.write("\r\x1b[K");
    },
  };
}

/** As in "12.3 MB". */
export function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

/** As in "2.4 s". */
export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
