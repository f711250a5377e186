/** The weights alone: what the files' own headers tell, or what each format would need. All that can be told of an unknown model. */

import { weightsIn } from "../../../src/serving/engines.ts";
import { GGUF_MIXES } from "../../../src/serving/gguf-mix.ts";
import { WEIGHT_FORMATS } from "../../../src/models/weight-formats.ts";
import { ModelFileError } from "../../../src/formats/model-file-error.ts";
import { byDtype } from "../../../src/formats/model-tensor.ts";
import { message } from "../../../src/i18n/index.ts";
import { locale } from "../state/settings.ts";
import { Figure } from "./figure.tsx";
import { servingInput, type PageModel } from "./page-model.ts";
import { model } from "./page-state.ts";
import { estimateWords as t, grouped } from "./words.ts";

interface Row {
  readonly name: string;
  readonly values: number | null;
  readonly bytes: number;
}

function formatRows(about: PageModel): readonly Row[] {
  const { config } = about;
  if (config === null) return [];
  const rows: Row[] = [];
  for (const name of [...WEIGHT_FORMATS.map((format) => format.name), ...GGUF_MIXES.map((mix) => mix.name)]) {
    try {
      const found = weightsIn({ ...servingInput(about), config }, name);
      if (found.ok) rows.push({ name, values: null, bytes: found.value.bytes });
    } catch (error) {
      // a configuration whose sizes cannot be: what is wrong with it is said above
      if (!(error instanceof ModelFileError)) throw error;
      return [];
    }
  }
  return rows.toSorted((a, b) => b.bytes - a.bytes);
}

export function WeightsCard() {
  const about = model.value;
  if (about === null) return null;
  const { files } = about;
  const own: readonly Row[] =
    files === null
      ? []
      : byDtype(files.tensors).map(({ dtype, elements, bytes }) => ({ name: dtype, values: elements, bytes }));
  const formats = formatRows(about);
  if (own.length === 0 && formats.length === 0 && files?.weightBytes == null) return null;
  return (
    <section class="card" aria-labelledby="est-weights">
      <h2 id="est-weights">{t("weights_title")}</h2>
      {files?.weightBytes != null && (
        <p>
          {files.tensors.length > 0
            ? t("weights_files", { weightsBytes: files.weightBytes, tensors: grouped(files.tensors.length) })
            : t("weights_index", {
                weightsBytes: files.weightBytes,
                tensors: grouped(files.index?.tensorNames.length ?? 0),
              })}
          {files.dataIsCut && ` ${message(locale.value, "weights_data_cut")}`}
        </p>
      )}
      {own.length > 0 && <Rows rows={own} />}
      {formats.length > 0 && (
        <details open={own.length === 0 && about.refusal !== null}>
          <summary>{t("weights_formats", { count: formats.length })}</summary>
          <Rows rows={formats} />
        </details>
      )}
    </section>
  );
}

function Rows({ rows }: { readonly rows: readonly Row[] }) {
  const hasValues = rows.some(({ values }) => values !== null);
  return (
    <div class="scroll est-where-list" tabIndex={0} role="region" aria-label={t("weights_title")}>
      <table class="plain">
        <thead>
          <tr>
            <th scope="col">{t("column_format")}</th>
            {hasValues && (
              <th scope="col" class="n">
                {t("column_values")}
              </th>
            )}
            <th scope="col" class="n">
              {t("column_size")}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, values, bytes }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {hasValues && <td class="n">{values === null ? "" : grouped(values)}</td>}
              <td class="n">
                <Figure bytes={Math.round(bytes)} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
