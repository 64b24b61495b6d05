import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bytesInWords, memoryInWords } from '../../src/format/sizes.ts'

describe('A size', () => {
  it.each([
    [0, '0 bytes'],
    [1, '1 byte'],
    [999, '999 bytes'],
    [1_000, '1 KB'],
    [1_049, '1 KB'],
    [1_050, '1.1 KB'],
    [9_949, '9.9 KB'],
    [9_950, '10 KB'],
    [48_213, '48 KB'],
    [999_499, '999 KB'],
    [999_500, '1 MB'],
    [1_234_567, '1.2 MB'],
    [5_000_000_000, '5 GB'],
    [999_500_000_000, '1 TB'],
    [1_234_000_000_000_000, '1,234 TB'],
  ])('of %d bytes reads %s', (bytes, text) => expect(bytesInWords(bytes)).toBe(text))

  it.each([
    [1_023, '1,023 bytes'],
    [1_024, '1 KB'],
    [10_240, '10 KB'],
    [64 * 1024, '64 KB'],
    [256 * 1024, '256 KB'],
    [1_023.6 * 1024, '1 MB'],
    [192 * 1024 * 1024, '192 MB'],
  ])('of %d bytes in memory reads %s', (bytes, text) => expect(memoryInWords(bytes)).toBe(text))

  it('is off by a twentieth at most, and never names a thousand of a unit', () => {
    const factors: Record<string, number> = { byte: 1, bytes: 1, KB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12 }
    fc.assert(
      fc.property(fc.nat({ max: 900_000_000_000_000 }), (bytes) => {
        const [number = '', unit = ''] = bytesInWords(bytes).split(' ')
        const value = Number(number.replace(',', ''))
        expect(value).toBeLessThan(1_000)
        expect(Math.abs(value * factors[unit]! - bytes)).toBeLessThanOrEqual(bytes / 20)
      }),
    )
  })
})
