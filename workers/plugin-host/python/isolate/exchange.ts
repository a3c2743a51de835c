import { native } from "./prelude.ts";

/** One network request of a plugin and its response. */
export class Exchange {
  /** JSON of status, statusText, url and headers. */
  readonly response: Promise<string>;
  readonly #abort = new AbortController();
  #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;

  constructor(method: string, address: string, headers: string, body: Uint8Array | undefined, follows: boolean) {
    this.response = this.#send(method, address, headers, body, follows);
    this.response.catch(() => undefined);
  }

  async #send(
    method: string,
    address: string,
    headers: string,
    body: Uint8Array | undefined,
    follows: boolean,
  ): Promise<string> {
    const hasBody = body !== undefined && method !== "GET" && method !== "HEAD";
    const response = await native.fetch(address, {
      method,
      headers: JSON.parse(headers) as [string, string][],
      redirect: follows ? "follow" : "manual",
      signal: this.#abort.signal,
      ...(hasBody ? { body } : {}),
    });
    this.#reader = response.body?.getReader();
    return JSON.stringify({
      status: response.status,
      statusText: response.statusText,
      url: response.url,
      headers: [...response.headers],
    });
  }

  /** The next piece; undefined at the end. */
  async read(): Promise<Uint8Array | undefined> {
    return (await this.#reader?.read())?.value;
  }

  close(): void {
    this.#abort.abort();
  }
}
