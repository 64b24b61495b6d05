/** A line of CSV (RFC 4180). */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(quoted).join(',')}\r\n`
}

/** Spreadsheets run what looks like a formula, so such a text is given an apostrophe before it (OWASP, CSV injection). */
function quoted(cell: string): string {
  const safe = /^[=+\-@\t\r]/.test(cell) && !/^-?\d+(\.\d+)?$/.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
