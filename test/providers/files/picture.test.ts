import { describe, expect, it } from 'vitest'
import { sidesOfPicture } from '../../../src/providers/files/picture.ts'
import { type ByteRange, UNKNOWN } from '../../../src/providers/files/provider.ts'
import { measure } from '../../../src/providers/files/registry.ts'
import { jpeg, PICTURES, png } from '../../support/picture.ts'

const typeOf = (kind: string) => `image/${kind.split(' ')[0]}`

describe('The sides of a picture', () => {
  for (const [kind, make] of Object.entries(PICTURES)) {
    it(`are read from ${kind}`, () => {
      for (const [width, height] of [
        [1, 1],
        [300, 200],
        [1080, 1350],
        [16_383, 16_383],
      ] as const)
        expect(sidesOfPicture(typeOf(kind), make(width, height))).toEqual({ width, height })
    })

    it(`are not known from ${kind} that ends before them, nor from other bytes`, () => {
      const whole = make(300, 200)
      const found = whole.findLastIndex((_, end) => sidesOfPicture(typeOf(kind), whole.subarray(0, end)) === null)
      expect(found).toBeGreaterThan(8)
      for (let end = 0; end <= found; end++) expect(sidesOfPicture(typeOf(kind), whole.subarray(0, end))).toBeNull()
      expect(
        sidesOfPicture(typeOf(kind), Buffer.from('A kestrel, and then some more words about kestrels.')),
      ).toBeNull()
      expect(sidesOfPicture(typeOf(kind), Buffer.alloc(1000, 0xff))).toBeNull()
    })
  }

  it('change places where EXIF turns a JPEG by a quarter, in either order of bytes', () => {
    for (const order of ['II', 'MM'] as const)
      for (let orientation = 1; orientation <= 8; orientation++) {
        const sides = orientation < 5 ? { width: 300, height: 200 } : { width: 200, height: 300 }
        expect(sidesOfPicture('image/jpeg', jpeg(300, 200, { orientation, order }))).toEqual(sides)
      }
  })

  it('are read beyond broken EXIF, as if it said nothing', () => {
    const broken = jpeg(300, 200, { orientation: 6 })
    // The place of its first entry.
    broken.writeUInt32LE(0xfffffff0, broken.indexOf('Exif') + 10)
    expect(sidesOfPicture('image/jpeg', broken)).toEqual({ width: 300, height: 200 })
  })

  it('are not known where a picture claims none, or more than there can be', () => {
    expect(sidesOfPicture('image/png', png(0, 200))).toBeNull()
    expect(sidesOfPicture('image/png', png(300, 0xffffffff))).toBeNull()
    expect(sidesOfPicture('image/svg+xml', png(300, 200))).toBeNull()
    expect(sidesOfPicture('constructor', png(300, 200))).toBeNull()
  })

  it('are looked for in the first half megabyte of what a store keeps', async () => {
    const ranges: ByteRange[] = []
    const measured = (bytes: Buffer, type = 'image/jpeg') => {
      const read = async (range: ByteRange) => {
        ranges.push(range)
        return bytes.subarray(range.start, range.end + 1)
      }
      return measure({ account: 'acct_1', type, size: bytes.length, read })
    }
    const [near, far] = [jpeg(300, 200, { before: 400_000 }), jpeg(300, 200, { before: 600_000 })]
    expect(await measured(near)).toEqual({ lengthMs: null, width: 300, height: 200 })
    expect(await measured(far)).toEqual(UNKNOWN)
    expect(ranges).toEqual([
      { start: 0, end: near.length - 1 },
      { start: 0, end: 524_287 },
    ])
    expect(await measured(near, 'application/pdf')).toEqual(UNKNOWN)
    expect(await measured(Buffer.alloc(0))).toEqual(UNKNOWN)
    expect(ranges).toHaveLength(2)
  })

  it('are not known when the bytes are gone, or cannot be read', async () => {
    const file = { account: 'acct_1', type: 'image/png', size: 100 }
    expect(await measure({ ...file, read: async () => null })).toEqual(UNKNOWN)
    expect(await measure({ ...file, read: () => Promise.reject(new Error('gone')) })).toEqual(UNKNOWN)
  })
})
