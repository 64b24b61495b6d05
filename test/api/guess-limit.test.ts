import { describe, expect, it } from 'vitest'
import { GuessLimit } from '../../src/access/guess-limit.ts'
import { networkOf } from '../../src/access/network.ts'
import { BoundedMap } from '../../src/runtime/bounded-map.ts'

describe('The limit of wrong tokens', () => {
  it('lasts for a minute from the first wrong one', () => {
    let now = 1_000_000
    const limit = new GuessLimit(() => now)
    for (let count = 0; count < 60; count++) {
      expect(limit.waitMs('a', 'hash')).toBe(0)
      limit.noteWrong('a')
    }
    now += 15_000
    expect([limit.waitMs('a', 'hash'), limit.waitMs('a', null), limit.waitMs('b', 'hash')]).toEqual([45_000, 45_000, 0])
    now += 44_999
    expect(limit.waitMs('a', 'hash')).toBe(1)
    now += 1
    expect(limit.waitMs('a', 'hash')).toBe(0)
    limit.noteWrong('a')
    expect(limit.waitMs('a', 'hash')).toBe(0)
  })

  it('is not reset by wrong tokens of other addresses, however many but the very most', () => {
    const limit = new GuessLimit(() => 1_000_000)
    for (let count = 0; count < 60; count++) limit.noteWrong('guesser')
    for (let count = 0; count < 49_999; count++) limit.noteWrong(`other ${count}`)
    expect(limit.waitMs('guesser', 'hash')).toBeGreaterThan(0)
  })

  it('knows tokens by the client for which they worked', () => {
    const limit = new GuessLimit(() => 1_000_000)
    limit.noteRight('a', 'hash')
    for (const client of ['a', 'b']) for (let count = 0; count < 60; count++) limit.noteWrong(client)
    expect(limit.waitMs('a', 'hash')).toBe(0)
    expect(limit.waitMs('a', 'other')).toBeGreaterThan(0)
    expect(limit.waitMs('b', 'hash')).toBeGreaterThan(0)
  })
})

describe('A map of the newest entries', () => {
  it('gives up those that were set longest ago', () => {
    const map = new BoundedMap<string, number>(3)
    for (const [key, value] of Object.entries({ a: 1, b: 2, c: 3 })) map.set(key, value)
    map.set('a', 4)
    map.set('d', 5)
    expect(map.size).toBe(3)
    expect(['a', 'b', 'c', 'd'].map((key) => map.get(key))).toEqual([4, undefined, 3, 5])
  })

  it('gives up a sixteenth at once', () => {
    const map = new BoundedMap<number, number>(32)
    for (let key = 0; key <= 32; key++) map.set(key, key)
    expect([map.size, map.get(1), map.get(2)]).toEqual([31, undefined, 2])
  })
})

describe('The network of an address', () => {
  it.each([
    ['10.0.0.1', '10.0.0.1'],
    ['::ffff:10.0.0.1', '10.0.0.1'],
    ['::FFFF:10.0.0.1', '10.0.0.1'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:0db8:0000:0000:ffff::', '2001:db8:0:0::/64'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['10.0.0.1:4711', '10.0.0.1'],
    ['[2001:db8::1]:4711', '2001:db8:0:0::/64'],
    ['unknown', 'unknown'],
    ['x'.repeat(1000), 'x'.repeat(64)],
    [`:${'x'.repeat(1000)}`, `:${'x'.repeat(63)}`],
  ])('of %s is %s', (address, network) => {
    expect(networkOf(address)).toBe(network)
  })
})
