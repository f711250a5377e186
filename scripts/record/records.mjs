// A record (README.md) as a folder of run.sh or as one packed file of test/record/recorded: the machine and what each program did.
// usage: records.mjs OUT_DIR... FILE.json.br    packs folders of one machine; what a later one recorded replaces what an earlier has
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, brotliDecompressSync, constants } from "node:zlib";

const json = (file) => JSON.parse(readFileSync(file, "utf8"));

/** A record: `machine`, how each program ended (`programs`), and what was recorded of each (`records`, by id). */
export function readRecords(path) {
  if (path.endsWith(".br")) return JSON.parse(brotliDecompressSync(readFileSync(path)).toString("utf8"));
  const { machine, programs } = json(join(path, "machine.json"));
  const records = {};
  for (const id of Object.keys(programs)) {
    const file = join(path, `${id}.json`);
    if (existsSync(file)) records[id] = json(file);
  }
  return { machine, programs, records };
}

/** Environment variables of the machine's image say nothing about memory, except those that PyTorch and its libraries read. */
const READ_BY_LIBRARIES = /^(PYTORCH_|CUBLAS|CUDA_(VISIBLE|MODULE|LAUNCH|DEVICE)|TORCH_(?!CUDA_ARCH))/;

function packed(folders) {
  const read = folders.map(readRecords);
  const environment = Object.entries(read[0].machine.environment).filter(([name]) => READ_BY_LIBRARIES.test(name));
  return {
    machine: { ...read[0].machine, environment: Object.fromEntries(environment) },
    programs: Object.assign({}, ...read.map(({ programs }) => programs)),
    records: Object.assign({}, ...read.map(({ records }) => records)),
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [file, ...folders] = process.argv.slice(2).reverse();
  if (
    folders.length === 0 ||
    !file.endsWith(".br") ||
    !folders.every((folder) => existsSync(join(folder, "machine.json")))
  ) {
    console.error("records: name folders that `bash scripts/record/run.sh` wrote, and a file that ends in .br");
    process.exit(2);
  }
  const text = Buffer.from(JSON.stringify(packed(folders.reverse())));
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 11,
    [constants.BROTLI_PARAM_LGWIN]: 24,
    [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
  };
  writeFileSync(file, brotliCompressSync(text, { params }));
}
