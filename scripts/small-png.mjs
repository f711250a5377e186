// Makes a screenshot a third of its size: at most 256 colours, none of them close to another, and each pixel one byte.
import { crc32, deflateSync, inflateSync } from "node:zlib";

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const MOST_COLOURS = 256;
/** What covers one pixel in so many is a surface. */
const SURFACE = 2000;

function* chunksOf(png) {
  for (let at = SIGNATURE.length; at < png.length;) {
    const length = png.readUInt32BE(at);
    yield { type: png.toString("latin1", at + 4, at + 8), data: png.subarray(at + 8, at + 8 + length) };
    at += length + 12;
  }
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const whole = Buffer.alloc(body.length + 8);
  whole.writeUInt32BE(data.length, 0);
  body.copy(whole, 4);
  whole.writeUInt32BE(crc32(body), body.length + 4);
  return whole;
}

/** The nearest of three neighbours, as the PNG specification defines it. */
function paeth(left, above, corner) {
  const guess = left + above - corner;
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - above), Math.abs(guess - corner)];
  return a <= b && a <= c ? left : b <= c ? above : corner;
}

/** Undoes the filters of the rows, in place. */
function unfilter(rows, stride, pixelBytes) {
  for (let row = 0; row * (stride + 1) < rows.length; row++) {
    const start = row * (stride + 1) + 1;
    const filter = rows[start - 1];
    for (let i = 0; i < stride; i++) {
      const at = start + i;
      const left = i >= pixelBytes ? rows[at - pixelBytes] : 0;
      const above = row > 0 ? rows[at - stride - 1] : 0;
      const corner = row > 0 && i >= pixelBytes ? rows[at - stride - 1 - pixelBytes] : 0;
      rows[at] += [0, left, above, (left + above) >> 1, paeth(left, above, corner)][filter];
    }
  }
}

/** An opaque picture of 8 bits a channel, as browsers write them. */
export function smallPng(png) {
  const chunks = [...chunksOf(png)];
  const header = chunks.find(({ type }) => type === "IHDR").data;
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const pixelBytes = header[9] === 6 ? 4 : 3;
  const stride = width * pixelBytes;
  const rows = inflateSync(Buffer.concat(chunks.filter(({ type }) => type === "IDAT").map(({ data }) => data)));
  unfilter(rows, stride, pixelBytes);

  const pixels = new Int32Array(width * height);
  const counts = new Map();
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      const at = row * (stride + 1) + 1 + column * pixelBytes;
      const colour = (rows[at] << 16) | (rows[at + 1] << 8) | rows[at + 2];
      pixels[row * width + column] = colour;
      counts.set(colour, (counts.get(colour) ?? 0) + 1);
    }
  }
  // shades at the edges of letters are many and alike: of each group of like colours the most frequent one stays
  const groups = new Map();
  for (const [colour, count] of counts) {
    // surfaces keep their own colour, however near they are
    const key = count * SURFACE > pixels.length ? colour : -1 - (colour & 0xf0f0f0);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { colour, most: count, count });
    else {
      group.count += count;
      if (count > group.most) Object.assign(group, { colour, most: count });
    }
  }
  const palette = [...groups.values()]
    .sort((a, b) => b.count - a.count)
    .slice(0, MOST_COLOURS)
    .map(({ colour }) => colour);
  const places = new Map(palette.map((colour, place) => [colour, place]));
  const nearest = (colour) => {
    let best = 0;
    let least = Infinity;
    palette.forEach((other, place) => {
      const apart =
        ((colour >> 16) - (other >> 16)) ** 2 +
        (((colour >> 8) & 255) - ((other >> 8) & 255)) ** 2 +
        ((colour & 255) - (other & 255)) ** 2;
      if (apart < least) [best, least] = [place, apart];
    });
    places.set(colour, best);
    return best;
  };
  const out = Buffer.alloc((width + 1) * height);
  pixels.forEach((colour, i) => {
    out[Math.floor(i / width) * (width + 1) + 1 + (i % width)] = places.get(colour) ?? nearest(colour);
  });
  const smallHeader = Buffer.from(header);
  smallHeader[9] = 3;
  return Buffer.concat([
    SIGNATURE,
    chunk("IHDR", smallHeader),
    chunk("PLTE", Buffer.from(palette.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]))),
    chunk("IDAT", deflateSync(out, { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}
