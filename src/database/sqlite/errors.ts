/** Primary result codes, from https://www.sqlite.org/rescode.html. */
export const SQLITE_BUSY = 5
export const SQLITE_READONLY = 8
export const SQLITE_IOERR = 10
export const SQLITE_CORRUPT = 11
export const SQLITE_FULL = 13
export const SQLITE_CANTOPEN = 14
export const SQLITE_NOTADB = 26

/** The primary result code of an error that SQLite threw; undefined for any other error. */
export function primaryCode(error: unknown): number | undefined {
  const code = (error as { errcode?: unknown } | null)?.errcode
  return typeof code === 'number' ? code & 0xff : undefined
}

export function hasCode(error: unknown, code: number): boolean {
  return primaryCode(error) === code
}
