import { always, everyone, systemAdmin, type Row } from "./cells.ts";

const speech: Row = { say: () => ({ json: { input: "Ahoy" } }), may: always(403) };
const transcription: Row = {
  say: () => {
    const form = new FormData();
    form.set("file", new Blob(["x"], { type: "audio/webm" }), "x.webm");
    return { form };
  },
  may: always(403),
};
const configuration: Row = { may: systemAdmin };
const change: Row = { say: () => ({ json: {} }), may: systemAdmin };

/** Voice, where no connection is set up for it; and settings in Open WebUI's form. */
export const audioTable: Readonly<Record<string, Row>> = {
  "POST /api/v1/audio/speech": speech,
  "POST /api/audio/speech": speech,
  "POST /api/v1/audio/transcriptions": transcription,
  "POST /api/audio/transcriptions": transcription,
  "GET /api/v1/audio/voices": { may: everyone },
  "GET /api/v1/audio/models": { may: everyone },
  "GET /api/v1/audio/config": configuration,
  "POST /api/v1/audio/config/update": change,
  "GET /api/v1/images/config": configuration,
  "POST /api/v1/images/config/update": change,
  "GET /api/v1/retrieval/config": configuration,
  "POST /api/v1/retrieval/config/update": change,
};
