// Numbers from pictures; the browser itself decodes them.

// How many colours a picture (bytes of a PNG) has, of five bits a channel.
export async function colours(tab, png) {
  return tab.evaluate(async (text) => {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
    const context = canvas.getContext("2d");
    context.drawImage(bitmap, 0, 0);
    const { data } = context.getImageData(0, 0, bitmap.width, bitmap.height);
    const found = new Set();
    for (let i = 0; i < data.length; i += 4) {
      found.add(((data[i] >> 3) << 10) | ((data[i + 1] >> 3) << 5) | (data[i + 2] >> 3));
    }
    return found.size;
  }, png.toString("base64"));
}
