/** The button behind which files are chosen. */

import { useRef } from "preact/hooks";
import { openFiles } from "./recordings.ts";

export function ChooseFiles({ label, primary = false }: { readonly label: string; readonly primary?: boolean }) {
  const field = useRef<HTMLInputElement>(null);
  return (
    <>
      <button type="button" class={primary ? "primary" : ""} onClick={() => field.current?.click()}>
        {label}
      </button>
      <input
        ref={field}
        type="file"
        multiple
        hidden
        onChange={(event) => {
          openFiles([...(event.currentTarget.files ?? [])]);
          // the same file may be chosen again
          event.currentTarget.value = "";
        }}
      />
    </>
  );
}
