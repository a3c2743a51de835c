/**
 * For requests that must reach the service in the order in which they were made, as of a switch that is turned on and off again: each
 * goes when the one before has its answer, whatever that is.
 */
export function inOrder(): <T>(send: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (send) => {
    const sent = last.then(send);
    last = sent.catch(() => undefined);
    return sent;
  };
}
