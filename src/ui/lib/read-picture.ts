/**
 * Turns a chosen picture into a small square one, so that nothing big is ever stored with an account.
 * @returns a data URL of a WebP of 192 by 192 pixels, a few KB
 * @throws when the file is not a picture the browser can read
 */
export async function readPicture(file: File): Promise<string> {
  const bitmap = await createImageBitmap(file);
  const side = Math.min(bitmap.width, bitmap.height);
  const canvas = document.createElement("canvas");
  canvas.width = 192;
  canvas.height = 192;
  const context = canvas.getContext("2d");
  if (!context || side === 0) throw new Error("The picture is empty");
  context.drawImage(bitmap, (bitmap.width - side) / 2, (bitmap.height - side) / 2, side, side, 0, 0, 192, 192);
  bitmap.close();
  return canvas.toDataURL("image/webp", 0.85);
}
