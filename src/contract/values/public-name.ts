/** Bytes of UTF-8: with what clients add to a name, file systems take 255. */
const MAX_BYTES = 200
const MAX_EXTENSION = 20
/** Control characters, what turns the direction of writing, and what nobody sees. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu
/** What separates folders on any system. */
const SEPARATORS = /[/\\]/g
/** `.` and `..` are places, and systems drop dots and spaces at the end. */
const AT_THE_END = /[. ]+$/

/**
 * A name as it may stand at the end of an address and be the name of a download, whatever somebody called the file: one part of
 * a path, never `.` or `..`, without what cannot be seen, 200 bytes at most. Null when nothing is left.
 */
export function publicName(given: string): string | null {
  const plain = given.toWellFormed().normalize('NFC').replaceAll('\ufffd', '').replace(UNSEEN, '')
  const name = plain.replace(SEPARATORS, '_').trim().replace(AT_THE_END, '')
  return name === '' ? null : shortened(name)
}

/** The beginning of a long name, with its extension. */
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
  return `${beginning.replace(AT_THE_END, '')}${extension}`
}

/** The value of `Content-Disposition` for a file (RFC 6266): its name in ASCII, and the whole one for those who read it. */
export function disposition(how: 'inline' | 'attachment', given: string | null): string {
  const name = given === null ? null : publicName(given)
  if (name === null) return how
  const plain = name.replaceAll(/[^ -~]|["\\%]/g, '_')
  const whole = encodeURIComponent(name).replaceAll(/['()*]/g, (one) => `%${one.charCodeAt(0).toString(16)}`)
  return `${how}; filename="${plain}"; filename*=UTF-8''${whole}`
}
