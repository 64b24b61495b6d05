import { describe, expect, it } from 'vitest'
import { filmLengthMs } from '../../../src/outside/files/film-length.ts'
import { endlessFilm, FILMS, film } from '../../support/film.ts'

const lengthOf = (bytes: Uint8Array, account = 'acct_1') =>
  filmLengthMs({ account, size: bytes.length, read: async ({ start, end }) => bytes.slice(start, end + 1) })

describe('The length of a film', () => {
  for (const kind of Object.keys(FILMS))
    it(`is read from ${kind}`, async () => {
      const seconds = Math.round(((await lengthOf(await film(kind, 141))) ?? 0) / 1000)
      expect(seconds).toBe(141)
    })

  it('is not known of what is no film, or of half a film', async () => {
    const whole = await film('mp4', 60)
    expect(await lengthOf(Buffer.from('plain text'))).toBeNull()
    expect(await lengthOf(whole.slice(0, whole.length / 2))).toBeNull()
    expect(await lengthOf(new Uint8Array())).toBeNull()
  })

  it('is not known when its bytes are gone, or cannot be read', async () => {
    const size = (await film('mp4', 3)).length
    expect(await filmLengthMs({ account: 'acct_1', size, read: async () => null })).toBeNull()
    expect(await filmLengthMs({ account: 'acct_1', size, read: () => Promise.reject(new Error('gone')) })).toBeNull()
  })

  it('is given up where the index has no end, and others do not wait for that', async () => {
    const order: string[] = []
    const note = (name: string, found: Promise<number | null>) =>
      found.then((ms) => order.push(`${name}: ${ms !== null}`))
    const endless = note('endless', lengthOf(await endlessFilm()))
    await note('short', lengthOf(await film('webm', 5), 'acct_2'))
    await endless
    expect(order).toEqual(['short: true', 'endless: false'])
  })
})
