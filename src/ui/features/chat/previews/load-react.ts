import { at } from "../../../lib/base-path.ts";

let loading: Promise<string> | undefined;

/** React and what it needs, as text for a frame: the frame has no network to load it from. */
export function loadReact(): Promise<string> {
  loading ??= fetch(at("/frames/react.js"))
    .then((response) => {
      if (!response.ok) throw new Error(`React could not be loaded: ${response.status}`);
      return response.text();
    })
    .catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
  return loading;
}
