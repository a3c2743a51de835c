interface Recognition {
  lang: string;
  continuous: boolean;
  interimResults: boolean;
  onresult: ((event: { results: ArrayLike<ArrayLike<{ transcript: string }>> }) => void) | null;
  onerror: ((event: { error: string }) => void) | null;
  onend: (() => void) | null;
  start(): void;
  stop(): void;
  abort(): void;
}

/** Whether this browser writes down speech itself. */
export function canDictate(): boolean {
  return recognitionClass() !== undefined;
}

function recognitionClass(): (new () => Recognition) | undefined {
  const page = globalThis as unknown as Record<string, (new () => Recognition) | undefined>;
  return page["SpeechRecognition"] ?? page["webkitSpeechRecognition"];
}

/** What the browser writes down until it is ended. */
export interface BrowserDictation {
  /** Ends it. Resolves to all that was said. */
  finish(): Promise<string>;
  cancel(): void;
}

/** @param onheard called with all that was heard so far */
export function startBrowserDictation(
  onheard: (text: string) => void,
  onfailed: (reason: string) => void,
): BrowserDictation {
  const Class = recognitionClass();
  if (!Class) throw new Error("No speech recognition");
  const recognition = new Class();
  let heard = "";
  recognition.lang = navigator.language;
  recognition.continuous = true;
  recognition.interimResults = true;
  recognition.onresult = ({ results }) => {
    heard = Array.from(results, (result) => result[0]?.transcript ?? "")
      .join("")
      .trim();
    onheard(heard);
  };
  // The type of the prefixed one has no other way.
  // oxlint-disable-next-line unicorn/prefer-add-event-listener
  recognition.onerror = ({ error }) => onfailed(error);
  const ended = new Promise<void>((resolve) => (recognition.onend = () => resolve()));
  recognition.start();
  return {
    async finish() {
      recognition.stop();
      await ended;
      return heard;
    },
    cancel: () => recognition.abort(),
  };
}
