export interface Toast {
  id: number;
  text: string;
  kind: "plain" | "info" | "good" | "warn" | "danger";
  action: { label: string; run: () => void } | undefined;
  /** Stays until it is closed. */
  stays: boolean;
}

/** As many as fit above the composer of a phone. */
const maxShown = 4;

class Toasts {
  list = $state.raw<Toast[]>([]);
  #next = 1;

  /**
   * Says in passing what happened; with an action it offers to undo it. Errors stay until closed, and so does what has to be
   * closed by who showed it (`stays`). Returns the id for that.
   */
  show(text: string, options: { kind?: Toast["kind"]; action?: Toast["action"]; stays?: boolean } = {}): number {
    const kind = options.kind ?? "plain";
    const id = this.#next++;
    const toast: Toast = { id, text, kind, action: options.action, stays: options.stays ?? kind === "danger" };
    const old = this.list.length < maxShown ? undefined : (this.list.find((each) => !each.stays) ?? this.list[0]);
    this.list = [...this.list.filter((each) => each !== old), toast];
    return id;
  }

  close(id: number): void {
    this.list = this.list.filter((toast) => toast.id !== id);
  }
}

export const toasts = new Toasts();
