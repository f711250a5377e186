/** One line of CSV as its fields, quotes and all. */

/** Fields of a line; a quoted field may hold commas, and `""` is a quote in it. */
export function csvFields(line: string): string[] {
  if (!line.includes('"')) return line.split(",").map((field) => field.trim());
  const fields: string[] = [];
  let at = 0;
  while (at <= line.length) {
    let field = "";
    while (line[at] === " ") at++;
    if (line[at] === '"') {
      at++;
      for (;;) {
        const end = line.indexOf('"', at);
        if (end === -1) {
          field += line.slice(at);
          at = line.length;
          break;
        }
        field += line.slice(at, end);
        at = end + 1;
        if (line[at] !== '"') break;
        field += '"';
        at++;
      }
      const comma = line.indexOf(",", at);
      at = comma === -1 ? line.length + 1 : comma + 1;
    } else {
      const comma = line.indexOf(",", at);
      field = line.slice(at, comma === -1 ? undefined : comma).trim();
      at = comma === -1 ? line.length + 1 : comma + 1;
    }
    fields.push(field);
  }
  return fields;
}
