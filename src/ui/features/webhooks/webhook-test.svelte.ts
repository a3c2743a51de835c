import { type ApiError, toApiError } from "../../lib/api-error.ts";
import { type Delivery, sendTest, type Whose } from "./webhooks-api.ts";

/** The test that a page sends at the press of a button. */
export class WebhookTest {
  busy = $state(false);
  delivery = $state.raw<Delivery>();
  error = $state.raw<ApiError>();
  readonly #whose: Whose;

  constructor(whose: Whose) {
    this.#whose = whose;
  }

  /** Sends it and waits for what the receiver says. Never rejects: the outcome is in `delivery` and `error`. */
  async send(): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    this.error = undefined;
    this.delivery = undefined;
    try {
      this.delivery = await sendTest(this.#whose);
    } catch (cause) {
      this.error = toApiError(cause);
    } finally {
      this.busy = false;
    }
  }
}
