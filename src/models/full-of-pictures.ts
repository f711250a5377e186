/** Sequences full of pictures: of a model that sees, nobody says how many pictures a sequence has, and those take most. */

import { pictureTokens, type Looks, type PictureSize } from "./pictures.ts";

export interface Seen {
  /** Pictures of a sequence. */
  readonly pictures: number;
  readonly size: PictureSize;
  /** Tokens of one. */
  readonly tokens: number;
}

/** What may be said of pictures; where nobody does, the processor's bounds and as many as a sequence holds. */
export interface PictureBounds {
  /** Pixels that a picture is made to fit into. */
  readonly mostPixels?: number;
  /** Pictures of a sequence. */
  readonly mostPictures?: number;
}

/** As many of the largest pictures as `seq` tokens hold; null where not one has room. */
export function fullOfPictures(
  looks: Looks,
  seq: number,
  { mostPixels, mostPictures = Infinity }: PictureBounds,
): Seen | null {
  const size = largestPicture(looks, seq, mostPixels ?? Infinity);
  const tokens = pictureTokens(looks, size);
  const pictures = Math.min(mostPictures, Math.floor(seq / tokens));
  return pictures === 0 ? null : { pictures, size, tokens };
}

/** A square one. */
function largestPicture(looks: Looks, seq: number, mostPixels: number): PictureSize {
  if (looks.kind === "square") return { width: looks.side, height: looks.side };
  const token = looks.patch * looks.merge;
  const most = Math.min(mostPixels, looks.mostPixels);
  const side = token * Math.max(1, Math.floor(Math.sqrt(Math.min(most / token ** 2, seq))));
  return { width: side, height: side };
}

/** As a person reads it among what was taken. */
export const saidOf = ({ pictures, size }: Seen): string =>
  `${pictures} of ${size.width} x ${size.height}, the most that it holds`;
