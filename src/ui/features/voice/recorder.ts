/** A recording that is being made. */
export interface Recorder {
  /** Loudness now, 0 to 1. */
  level(): number;
  /** Ends it. Resolves to what was recorded. */
  finish(): Promise<Blob>;
  cancel(): void;
}

/** @throws the browser's error where the microphone is not allowed or not there */
export async function startRecorder(): Promise<Recorder> {
  const stream = await navigator.mediaDevices.getUserMedia({ audio: true });
  const media = new MediaRecorder(stream);
  const pieces: Blob[] = [];
  media.ondataavailable = ({ data }) => pieces.push(data);
  const ended = new Promise<void>((resolve) => (media.onstop = () => resolve()));
  const sound = new AudioContext();
  const analyser = sound.createAnalyser();
  analyser.fftSize = 512;
  sound.createMediaStreamSource(stream).connect(analyser);
  const samples = new Uint8Array(analyser.fftSize);
  media.start(1000);

  function release(): void {
    for (const track of stream.getTracks()) track.stop();
    void sound.close();
  }

  return {
    level() {
      analyser.getByteTimeDomainData(samples);
      const loudest = samples.reduce((most, sample) => Math.max(most, Math.abs(sample - 128)), 0);
      return loudest / 128;
    },
    async finish() {
      if (media.state !== "inactive") media.stop();
      await ended;
      release();
      return new Blob(pieces, { type: media.mimeType || "audio/webm" });
    },
    cancel() {
      if (media.state !== "inactive") media.stop();
      release();
    },
  };
}
