/** Sequences full of pictures: of a model that sees, nobody says how many pictures a sequence has, and those take most. */

import type { Head } from "../../models/heads.ts";
import type { Sharding } from "./sharded-job.ts";
import { pictureArguments, pictureTokens, type Looks, type PictureSize } from "../../models/pictures.ts";

export interface Seen {
  /** Pictures of a sequence. */
  readonly pictures: number;
  readonly size: PictureSize;
  /** Tokens of one. */
  readonly tokens: number;
}

/** As many of the largest pictures as `seq` tokens hold; null where not one has room. */
export function fullOfPictures(
  looks: Looks,
  seq: number,
  { mostPixels, mostPictures = Infinity }: Pick<Sharding, "mostPixels" | "mostPictures">,
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

/** The inputs of a step with pictures before the text, and the line in front that its expressions need. */
export function withPictures(head: Head, looks: Looks, seen: Seen): { head: Head; lines: readonly string[] } {
  const places = "torch.full((batch, picture_tokens), config.image_token_id, device=device)";
  const words = "torch.zeros(batch, length - picture_tokens, dtype=torch.int64, device=device)";
  const more: Readonly<Record<string, string>> =
    looks.kind === "patches"
      ? { position_ids: "torch.arange(length, device=device).expand(3, batch, -1)" }
      : looks.marked
        ? { token_type_ids: "(input_ids == config.image_token_id).long()" }
        : {};
  const training = {
    ...head.training,
    input_ids: `torch.cat([${places}, ${words}], dim=1)`,
    ...pictureArguments(looks, seen.size),
    ...more,
  };
  const lines = [
    `pictures = ${seen.pictures}  # of ${seen.size.width} x ${seen.size.height} pixels`,
    `picture_tokens = ${seen.pictures * seen.tokens}`,
  ];
  return { head: { ...head, training }, lines };
}
