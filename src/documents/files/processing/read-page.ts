import { JobFailure } from "../../../jobs/job-failure.ts";
import { pause } from "../../../lib/pause.ts";
import { type Picture, readPicture } from "../extraction/picture-reader.ts";
import type { Reading } from "./extract-handler.ts";

/** How often one picture is shown to the model, and the pauses between, seconds: all pages before it would have to be read again. */
const maxTries = 5;
const pauseSeconds = { first: 2, max: 60 };

/** What stands in a picture; patient with a model that has too much to do. @throws JobFailure */
export async function readPage({ ctx, run }: Reading, picture: Picture): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await readPicture(ctx, picture, run.signal);
    } catch (error) {
      if (!(error instanceof JobFailure) || error.final || attempt === maxTries) throw error;
      const seconds = Math.min(error.retryAfter ?? pauseSeconds.first * 2 ** (attempt - 1), pauseSeconds.max);
      await pause(seconds * 1000, run.signal);
    }
  }
}
