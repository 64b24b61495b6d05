import type { ByteRange } from '../../outside/files/provider.ts'

/**
 * The part that a header `Range` asks for (RFC 9110, section 14): null for the whole, also where it asks for several parts or
 * cannot be read, and `none` where the file has no such part.
 */
export function rangeOf(header: string | null, size: number): ByteRange | 'none' | null {
  const [, first, last] = /^bytes=(\d*)-(\d*)$/i.exec(header ?? '') ?? []
  if (first === undefined || last === undefined || (first === '' && last === '')) return null
  if (first === '')
    return size === 0 || Number(last) === 0 ? 'none' : { start: Math.max(0, size - Number(last)), end: size - 1 }
  const [start, end] = [Number(first), last === '' ? size - 1 : Math.min(Number(last), size - 1)]
  if (last !== '' && Number(last) < start) return null
  return start >= size ? 'none' : { start, end }
}
