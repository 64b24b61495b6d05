/** The maximum size in UTF-8 bytes. File systems allow 255, and clients may append a suffix. */
const MAX_BYTES = 200
const MAX_EXTENSION = 20
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu
const SEPARATORS = /[/\\]/g
/** Trailing dots and spaces: `.` and `..` are directories, and some systems drop dots and spaces at the end of a name. */
const TRAILING_DOTS_AND_SPACES = /[. ]+$/

/**
 * Makes a file name safe as the last segment of a URL and as a download name: one path segment, never `.` or `..`, no invisible
 * characters, at most 200 bytes. Returns null if nothing is left.
 */
export function publicName(given: string): string | null {
  const plain = given.toWellFormed().normalize('NFC').replaceAll('\ufffd', '').replace(INVISIBLE, '')
  const name = plain.replace(SEPARATORS, '_').trim().replace(TRAILING_DOTS_AND_SPACES, '')
  return name === '' ? null : shortened(name)
}

function shortened(name: string): string {
  if (Buffer.byteLength(name) <= MAX_BYTES) return name
  const dot = name.lastIndexOf('.')
  const extension = dot > 0 && name.length - dot <= MAX_EXTENSION ? name.slice(dot) : ''
  const room = MAX_BYTES - Buffer.byteLength(extension)
  let beginning = ''
  let bytes = 0
  for (const character of name.slice(0, name.length - extension.length)) {
    bytes += Buffer.byteLength(character)
    if (bytes > room) break
    beginning += character
  }
  return `${beginning.replace(TRAILING_DOTS_AND_SPACES, '')}${extension}`
}

/** Returns `Content-Disposition` (RFC 6266) with an ASCII name and, for clients that support it, the full name. */
export function disposition(how: 'inline' | 'attachment', given: string | null): string {
  const name = given === null ? null : publicName(given)
  if (name === null) return how
  const plain = name.replaceAll(/[^ -~]|["\\%]/g, '_')
  const whole = encodeURIComponent(name).replaceAll(/['()*]/g, (one) => `%${one.charCodeAt(0).toString(16)}`)
  return `${how}; filename="${plain}"; filename*=UTF-8''${whole}`
}
