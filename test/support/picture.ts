import { crc32 } from 'node:zlib'

type Maker = (width: number, height: number) => Buffer

/** The beginning of an image of each format, which contains its dimensions but no pixels. */
export const PICTURES: Record<string, Maker> = {
  png,
  jpeg: (width, height) => jpeg(width, height),
  gif: (width, height) =>
    Buffer.concat([Buffer.from('GIF89a'), u16le(width), u16le(height), Buffer.from([0, 0, 0, 0x3b])]),
  'webp with losses': (width, height) =>
    webp('VP8 ', [bytes(0x10, 0, 0, 0x9d, 0x01, 0x2a), u16le(width), u16le(height)]),
  'webp without losses': (width, height) =>
    webp('VP8L', [bytes(0x2f), u32le(width - 1 + (height - 1) * 2 ** 14), bytes(0)]),
  'webp of several parts': (width, height) => webp('VP8X', [u32le(0), u24le(width - 1), u24le(height - 1)]),
}

export function png(width: number, height: number): Buffer {
  const header = Buffer.concat([u32(width), u32(height), bytes(8, 6, 0, 0, 0)])
  const signature = bytes(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', bytes()), chunk('IEND', bytes())])
}

interface JpegMore {
  /** The EXIF orientation, 1 to 8. */
  orientation?: number
  /** The byte order of the EXIF data: little-endian (`II`) or big-endian (`MM`). */
  order?: 'II' | 'MM'
  /** The number of bytes in other segments before the frame header. */
  before?: number
}

export function jpeg(width: number, height: number, { orientation, order = 'II', before = 0 }: JpegMore = {}): Buffer {
  const exif = orientation === undefined ? [] : [segment(0xe1, exifOf(orientation, order))]
  const more = Array.from({ length: Math.ceil(before / 65_000) }, () => segment(0xe2, Buffer.alloc(65_000)))
  const frame = segment(0xc2, Buffer.concat([bytes(8), u16(height), u16(width), bytes(1, 1, 0x11, 0)]))
  // Fill bytes before a marker are allowed.
  return Buffer.concat([bytes(0xff, 0xd8), ...exif, ...more, bytes(0xff, 0xff), frame, bytes(0xff, 0xd9)])
}

function exifOf(orientation: number, order: 'II' | 'MM'): Buffer {
  const [short, long] = order === 'II' ? [u16le, u32le] : [u16, u32]
  const make = [short(0x010f), short(2), long(2), bytes(0x4b, 0, 0, 0)]
  const turn = [short(0x0112), short(3), long(1), short(orientation), short(0)]
  const head = [Buffer.from(`Exif\0\0${order}`, 'latin1'), short(42), long(8), short(2)]
  return Buffer.concat([...head, ...make, ...turn, long(0)])
}

function segment(marker: number, content: Buffer): Buffer {
  return Buffer.concat([bytes(0xff, marker), u16(content.length + 2), content])
}

function chunk(name: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name), content])
  return Buffer.concat([u32(content.length), named, u32(crc32(named))])
}

function webp(kind: string, parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const part = Buffer.concat([Buffer.from(kind), u32le(content.length), content])
  return Buffer.concat([Buffer.from('RIFF'), u32le(part.length + 4), Buffer.from('WEBP'), part])
}

function bytes(...values: number[]): Buffer {
  return Buffer.from(values)
}

function u16(value: number): Buffer {
  return bytes(value >>> 8, value & 0xff)
}

function u16le(value: number): Buffer {
  return u16(value).reverse()
}

function u24le(value: number): Buffer {
  return u32le(value).subarray(0, 3)
}

function u32(value: number): Buffer {
  const buffer = Buffer.alloc(4)
  buffer.writeUInt32BE(value)
  return buffer
}

function u32le(value: number): Buffer {
  return u32(value).reverse()
}
