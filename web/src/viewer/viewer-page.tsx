/** The viewer: what real tools recorded, opened in the page. */

export function ViewerPage() {
  return <h1>Open</h1>;
}
