/** The displayed width and height in pixels. */
export interface Sides {
  width: number
  height: number
}

/** The number of bytes that suffice. In a JPEG, previews and colour profiles precede the dimensions; other formats need 30. */
export const PICTURE_HEAD_BYTES = 524_288
/** The maximum value of the database columns for width and height. */
const LONGEST_SIDE = 2_147_483_647

const READERS = new Map<string, (head: DataView) => Sides | null>([
  ['image/jpeg', sidesOfJpeg],
  ['image/png', sidesOfPng],
  ['image/apng', sidesOfPng],
  ['image/gif', sidesOfGif],
  ['image/webp', sidesOfWebp],
])

/** Returns whether the dimensions of this type of picture can be read from its first bytes. */
export function isPicture(type: string): boolean {
  return READERS.has(type)
}

/** Reads the dimensions from a picture's first bytes; null for other types, or if they are missing. */
export function sidesOfPicture(type: string, bytes: Uint8Array): Sides | null {
  const read = READERS.get(type)
  if (!read) return null
  const head = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return checked(withinBytes(() => read(head)))
}

/** Returns the dimensions, or null if no picture can have them. */
export function checked(sides: Sides | null): Sides | null {
  if (sides === null) return null
  const fit = [sides.width, sides.height].every((side) => Number.isInteger(side) && side > 0 && side <= LONGEST_SIDE)
  return fit ? sides : null
}

/** Returns what `find` returns, or null if it reads beyond the end of the bytes, where a DataView throws a RangeError. */
function withinBytes<Found>(find: () => Found | null): Found | null {
  try {
    return find()
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

function sidesOfPng(head: DataView): Sides | null {
  if (lettersAt(head, 12) !== 'IHDR') return null
  return { width: head.getUint32(16), height: head.getUint32(20) }
}

function sidesOfGif(head: DataView): Sides | null {
  if (lettersAt(head, 0) !== 'GIF8') return null
  return { width: head.getUint16(6, true), height: head.getUint16(8, true) }
}

/** Reads the dimensions from the first chunk, which is lossy, lossless or extended. */
function sidesOfWebp(head: DataView): Sides | null {
  if (lettersAt(head, 0) !== 'RIFF' || lettersAt(head, 8) !== 'WEBP') return null
  const kind = lettersAt(head, 12)
  if (kind === 'VP8X') {
    const [width, height] = [head.getUint32(24, true) & 0xffffff, head.getUint32(26, true) >>> 8]
    return { width: width + 1, height: height + 1 }
  }
  if (kind === 'VP8L' && head.getUint8(20) === 0x2f) {
    const bits = head.getUint32(21, true)
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
  }
  if (kind !== 'VP8 ' || head.getUint8(23) !== 0x9d || head.getUint16(24) !== 0x012a) return null
  return { width: head.getUint16(26, true) & 0x3fff, height: head.getUint16(28, true) & 0x3fff }
}

const END = 0xd9
const SCAN = 0xda
const APP1 = 0xe1

/** Scans the segments for the frame, which has the dimensions. An EXIF segment before the frame may state a rotation. */
function sidesOfJpeg(head: DataView): Sides | null {
  let turned: boolean | undefined
  for (let at = 2; ; ) {
    if (head.getUint8(at) !== 0xff) return null
    const marker = head.getUint8(at + 1)
    // Any number of 0xff bytes may precede a marker.
    if (marker === 0xff) at += 1
    else if (marker === SCAN || marker === END) return null
    else {
      if (isFrame(marker)) {
        const [height, width] = [head.getUint16(at + 5), head.getUint16(at + 7)]
        return turned ? { width: height, height: width } : { width, height }
      }
      // Only the first EXIF segment is read, because parsing many would take long.
      if (marker === APP1 && lettersAt(head, at + 4) === 'Exif')
        turned ??= withinBytes(() => isTurned(head, at + 10)) ?? false
      const length = head.getUint16(at + 2)
      if (length < 2) return null
      at += 2 + length
    }
  }
}

/** Returns whether a marker starts a frame: SOF0 to SOF15, without the three in that range that mean something else. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
}

const ORIENTATION = 0x0112
/** The EXIF orientations that rotate a picture by 90 degrees. */
const QUARTER_TURNS = [5, 6, 7, 8]
const ENTRY_BYTES = 12

/** Returns whether EXIF data states a rotation by 90 degrees. `tiff` is the offset of its TIFF header. */
function isTurned(head: DataView, tiff: number): boolean {
  const order = head.getUint16(tiff)
  const little = order === 0x4949
  if (!little && order !== 0x4d4d) return false
  const directory = tiff + head.getUint32(tiff + 4, little)
  const entries = head.getUint16(directory, little)
  for (let entry = 0; entry < entries; entry++) {
    const place = directory + 2 + entry * ENTRY_BYTES
    if (head.getUint16(place, little) === ORIENTATION) return QUARTER_TURNS.includes(head.getUint16(place + 8, little))
  }
  return false
}

function lettersAt(head: DataView, at: number): string {
  return String.fromCharCode(...[0, 1, 2, 3].map((next) => head.getUint8(at + next)))
}
