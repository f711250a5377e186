/** Files that were dropped or pasted where no part of the page takes files itself: the viewer opens them. */

import { signal } from "@preact/signals";
import { navigate } from "./route.ts";

/** Set here, taken and emptied by the viewer. */
export const droppedFiles = signal<readonly File[]>([]);
/** Names of folders among what was dropped; a page cannot be sure to read them whole. */
export const droppedFolders = signal<readonly string[]>([]);
/** Whether files are held over the page now. */
export const isDragging = signal(false);

function hasFiles(event: DragEvent): boolean {
  return event.dataTransfer?.types.includes("Files") === true;
}

function take(files: readonly File[], folders: readonly string[] = []): void {
  droppedFiles.value = [...droppedFiles.value, ...files];
  droppedFolders.value = folders;
  if (files.length > 0 || folders.length > 0) navigate("open");
}

function onDrop(event: DragEvent): void {
  isDragging.value = false;
  if (event.defaultPrevented || event.dataTransfer === null || !hasFiles(event)) return;
  event.preventDefault();
  const files: File[] = [];
  const folders: string[] = [];
  for (const item of event.dataTransfer.items) {
    const file = item.getAsFile();
    if (item.webkitGetAsEntry()?.isDirectory === true) folders.push(file?.name ?? "");
    else if (file !== null) files.push(file);
  }
  take(files, folders);
}

/** Listens for the whole page; a part that takes files itself prevents the default. */
export function listenForFiles(): void {
  addEventListener("dragover", (event) => {
    if (!hasFiles(event)) return;
    // otherwise the browser would leave the page for the file
    event.preventDefault();
    isDragging.value = true;
  });
  addEventListener("dragleave", (event) => {
    if (event.relatedTarget === null) isDragging.value = false;
  });
  addEventListener("drop", onDrop);
  addEventListener("paste", (event) => {
    const files = [...(event.clipboardData?.files ?? [])];
    if (event.defaultPrevented || files.length === 0) return;
    event.preventDefault();
    take(files);
  });
}
