/** The inputs of a training step with pictures in front of the text. */

import type { Seen } from "../../models/full-of-pictures.ts";
import type { Head } from "../../models/heads.ts";
import { pictureArguments, type Looks } from "../../models/pictures.ts";

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
