/** What a person can be told of while they do not look. */
export const notificationKinds = ["answers", "mentions", "questions"] as const;
export type NotificationKind = (typeof notificationKinds)[number];

type Choice = Readonly<Record<NotificationKind, boolean>>;
const none: Choice = { answers: false, mentions: false, questions: false };

/** The person's choice in this browser, which is where notifications are shown. Nothing is asked for until they choose. */
class BrowserNotifications {
  choice = $state.raw<Choice>(none);
  permission = $state<NotificationPermission>("default");
  #person = "";

  get supported(): boolean {
    return "Notification" in globalThis && "serviceWorker" in navigator;
  }

  /** Reads what the person has chosen here. */
  open(person: string): void {
    this.#person = person;
    if (this.supported) this.permission = Notification.permission;
    try {
      const stored = JSON.parse(localStorage.getItem(this.#key) ?? "{}") as Record<string, unknown>;
      this.choice = {
        answers: stored["answers"] === true,
        mentions: stored["mentions"] === true,
        questions: stored["questions"] === true,
      };
    } catch {
      this.choice = none;
    }
  }

  /** Takes a choice; the browser asks for its permission with the first one. To be called on a click. */
  async choose(kind: NotificationKind, on: boolean): Promise<void> {
    if (on && this.supported && Notification.permission === "default") await Notification.requestPermission();
    if (this.supported) this.permission = Notification.permission;
    this.choice = { ...this.choice, [kind]: on && this.permission === "granted" };
    try {
      localStorage.setItem(this.#key, JSON.stringify(this.choice));
    } catch {
      // Without storage the choice lasts as long as the page.
    }
  }

  /** Shows something, if the person wants that and does not look. @param path of this app, where it leads */
  tell(
    kind: NotificationKind,
    { title, body, tag, path }: { title: string; body: string; tag: string; path: string },
  ): void {
    if (!this.supported || !this.choice[kind] || Notification.permission !== "granted") return;
    if (document.visibilityState === "visible" && document.hasFocus()) return;
    void navigator.serviceWorker.ready.then(({ active }) =>
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker is no window
      active?.postMessage({ type: "notify", title, body: body.slice(0, 300), tag, path: `.${path}` }),
    );
  }

  get #key(): string {
    return `parley:notifications:${this.#person}`;
  }
}

export const browserNotifications = new BrowserNotifications();
