export interface Toast {
  id: number;
  text: string;
  kind: "plain" | "danger";
  action: { label: string; run: () => void } | undefined;
}

class Toasts {
  list = $state.raw<Toast[]>([]);
  #next = 1;

  /** Says in passing what happened; with an action it offers to undo it. Errors stay until closed. */
  show(text: string, options: { kind?: Toast["kind"]; action?: Toast["action"] } = {}): void {
    const toast: Toast = { id: this.#next++, text, kind: options.kind ?? "plain", action: options.action };
    this.list = [...this.list.slice(-2), toast];
  }

  close(id: number): void {
    this.list = this.list.filter((toast) => toast.id !== id);
  }
}

export const toasts = new Toasts();
