export type Encoding = 'utf-8' | 'utf-16le' | 'windows-1252'

/** The format of a file, detected before its rows are read. */
export interface Shape {
  encoding: Encoding
  delimiter: ',' | ';' | '\t'
  bytes: number
}

const DELIMITERS = [',', ';', '\t'] as const
const MOST_HEADER = 100_000

/** Detects UTF-8 by valid bytes and UTF-16 by its byte order mark. All else is Windows-1252, which older spreadsheets write. */
export async function shapeOf(chunks: AsyncIterable<Uint8Array>): Promise<Shape> {
  const utf8 = new TextDecoder('utf-8', { fatal: true })
  let [isUtf8, bytes, head] = [true, 0, new Uint8Array()]
  for await (const chunk of chunks) {
    bytes += chunk.length
    if (head.length < MOST_HEADER) head = joined(head, chunk.subarray(0, MOST_HEADER))
    if (isUtf8) isUtf8 = fits(() => utf8.decode(chunk, { stream: true }))
  }
  if (isUtf8) isUtf8 = fits(() => utf8.decode())
  const encoding = head[0] === 0xff && head[1] === 0xfe ? 'utf-16le' : isUtf8 ? 'utf-8' : 'windows-1252'
  return { encoding, delimiter: delimiterOf(new TextDecoder(encoding).decode(head)), bytes }
}

export async function* textOf(chunks: AsyncIterable<Uint8Array>, encoding: Encoding): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding)
  for await (const chunk of chunks) {
    const text = decoder.decode(chunk, { stream: true })
    if (text !== '') yield text
  }
  const rest = decoder.decode()
  if (rest !== '') yield rest
}

function fits(decode: () => void): boolean {
  try {
    decode()
    return true
  } catch {
    return false
  }
}

function delimiterOf(head: string): Shape['delimiter'] {
  const [line = ''] = head.replaceAll(/"[^"]*"/g, '').split(/[\r\n]/, 1)
  const counts = DELIMITERS.map((delimiter) => [delimiter, line.split(delimiter).length] as const)
  return counts.reduce((best, next) => (next[1] > best[1] ? next : best))[0]
}

function joined(one: Uint8Array, other: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(one.length + other.length)
  all.set(one)
  all.set(other, one.length)
  return all
}
