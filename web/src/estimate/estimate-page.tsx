/** The estimate: a model, what is done with it, and the cards that it fits on. */

export function EstimatePage() {
  return <h1>Estimate</h1>;
}
