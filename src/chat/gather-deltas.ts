export interface Delta {
  content: string;
  reasoning: string;
}

export interface DeltaGatherer {
  add(content: string, reasoning: string): void;
  /** Passes on what is still buffered. */
  flush(): void;
}

/** Milliseconds: one frame of a screen. */
const intervalMs = 16;

/**
 * Joins pieces of text that arrive faster than people can see: the first is passed on immediately, those within the
 * next 16 ms together.
 */
export function gatherDeltas(send: (delta: Delta) => void): DeltaGatherer {
  let kept: Delta = { content: "", reasoning: "" };
  let timer: ReturnType<typeof setTimeout> | undefined;
  let lastSent = 0;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    if (kept.content === "" && kept.reasoning === "") return;
    const delta = kept;
    kept = { content: "", reasoning: "" };
    lastSent = Date.now();
    send(delta);
  }

  return {
    add(content, reasoning) {
      // An answer's reasoning comes before its text; where they alternate, the order stays.
      if (reasoning !== "" && kept.content !== "") flush();
      kept.content += content;
      kept.reasoning += reasoning;
      if (timer !== undefined) return;
      const wait = lastSent + intervalMs - Date.now();
      if (wait <= 0) flush();
      else timer = setTimeout(flush, wait);
    },
    flush,
  };
}
