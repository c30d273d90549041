import { crc32, deflateSync } from "node:zlib";

/** Returns the colour of a point, each component from 0 to 255. */
type Paint = (x: number, y: number) => readonly [red: number, green: number, blue: number];

/** Returns a function that paints a picture at its first call. */
const paintOnce = (width: number, height: number, paint: Paint): (() => Uint8Array) => {
  let file: Uint8Array | undefined;
  return () => (file ??= png(width, height, paint));
};

/** Returns a PNG file of 8-bit RGB. */
const png = (width: number, height: number, paint: Paint): Uint8Array => {
  const pixels = Buffer.alloc(height * (1 + width * 3));
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) pixels.set(paint(x, y), y * (1 + width * 3) + 1 + x * 3);
  }
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk("IHDR", head),
    chunk("IDAT", deflateSync(pixels)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
};

const chunk = (type: string, data: Uint8Array): Buffer => {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(data.length, 0);
  ends.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
};

/** A lake in the evening: sky, hills, water. */
export const lake = paintOnce(160, 100, (x, y) => {
  const hill = 48 - 10 * Math.sin(x / 19) - 5 * Math.sin(x / 7);
  if (y < hill) return [250 - y, 190 - y, 140 + y];
  return y < 58 ? [52, 74, 68] : [70 + ((x + y * 5) % 11), 110 + (y - 58), 150 + (y - 58)];
});

/** A floor plan of three rooms. */
export const plan = paintOnce(120, 90, (x, y) => {
  const isWall = x < 4 || x > 115 || y < 4 || y > 85 || (x > 58 && x < 62 && y < 60) || (y > 58 && y < 62 && x > 60);
  const isDoor = (y > 58 && y < 62 && x > 80 && x < 96) || (x < 4 && y > 60 && y < 76);
  return isWall && !isDoor ? [40, 44, 52] : [247, 245, 240];
});

/** A letterhead: a band with a light corner. */
export const band = paintOnce(240, 24, (x, y) => (x - y > 200 ? [226, 168, 74] : [38, 70, 83]));
