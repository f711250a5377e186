/** Hands the reader a file that the page has made. */

export function download(name: string, content: Uint8Array | string): void {
  const address = URL.createObjectURL(new Blob([content as BlobPart]));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // the browser has taken it by then
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
