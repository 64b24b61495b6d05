/**
 * Matches the start of a cell that a spreadsheet runs as a formula: an ASCII or full-width sign, even after blanks and invisible
 * characters.
 */
const FORMULA = String.raw`[\t\r]|[\s\p{Cc}\p{Cf}]*[=+\-@\uff1d\uff0b\uff0d\uff20\ufe62\ufe63\ufe66\ufe6b]`
const NEEDS_APOSTROPHE = new RegExp(String.raw`^'*(?:${FORMULA})|^'+\d{10,}$`, 'u')
/** Matches the apostrophe that this service puts before a formula, or Shopify before a long number. */
const APOSTROPHE = new RegExp(String.raw`^'(?='*(?:${FORMULA}|\d{10,}$))`, 'u')

/** Returns a line of CSV (RFC 4180). */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(quoted).join(',')}\r\n`
}

/** Removes the apostrophe that `csvLine` or Shopify put before a cell. */
export function withoutApostrophe(cell: string): string {
  return cell.replace(APOSTROPHE, '')
}

/** Puts an apostrophe before a cell that a spreadsheet would run as a formula (OWASP, CSV injection). */
function quoted(cell: string): string {
  const safe = NEEDS_APOSTROPHE.test(cell) && !/^-?\d+(\.\d+)?$/.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
