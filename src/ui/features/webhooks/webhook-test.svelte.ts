import { type ApiError, toApiError } from "../../lib/api-error.ts";
import { followDelivery } from "./follow-delivery.ts";
import { type Delivery, sendTest, type Whose } from "./webhooks-api.ts";

/** The test that a page sends at the press of a button. */
export class WebhookTest {
  busy = $state(false);
  delivery = $state.raw<Delivery>();
  error = $state.raw<ApiError>();
  readonly #whose: Whose;
  readonly #leaving = new AbortController();

  constructor(whose: Whose) {
    this.#whose = whose;
  }

  /** Sends it and waits for what the receiver says. @param onstep called when the log has something new */
  async send(onstep: () => void): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    this.error = undefined;
    this.delivery = undefined;
    try {
      const sent = await sendTest(this.#whose);
      onstep();
      this.delivery = await followDelivery(this.#whose, sent, this.#leaving.signal);
      onstep();
    } catch (cause) {
      if (!this.#leaving.signal.aborted) this.error = toApiError(cause);
    } finally {
      this.busy = false;
    }
  }

  /** The page is left: nobody waits any more. */
  stop(): void {
    this.#leaving.abort();
  }
}
