/** Files and lines of other machines, short enough to read: what tells them apart is at the end. */

/** Folders of an absolute path that are kept. */
const KEPT = 2;

/** `/home/me/project/src/model.py:72` as `…/src/model.py:72`; names that are short or beside the reader stay. */
export function shortPlace(place: string): string {
  if (!/^(?:\/|[A-Za-z]:[\\/])/.test(place)) return place;
  const parts = place.split(/[\\/]/);
  return parts.length <= KEPT + 2 ? place : `…/${parts.slice(-KEPT).join("/")}`;
}
