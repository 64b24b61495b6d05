import { describe, expect, it } from 'vitest'
import { measureFilm } from '../../../src/providers/files/film.ts'
import { type Measures, UNKNOWN } from '../../../src/providers/files/provider.ts'
import { endlessFilm, FILMS, film } from '../../support/film.ts'

const measured = (bytes: Uint8Array, account = 'acct_1') =>
  measureFilm({ account, size: bytes.length, read: async ({ start, end }) => bytes.slice(start, end + 1) })

describe('What a film measures', () => {
  for (const kind of Object.keys(FILMS))
    it(`is read from ${kind}`, async () => {
      const { lengthMs, width, height } = await measured(await film(kind, 141))
      expect([Math.round((lengthMs ?? 0) / 1000), width, height]).toEqual([141, 640, 360])
    })

  it('is what people see of a film that was taken upright', async () => {
    const upright = await film('mp4', 3, { width: 1920, height: 1080, turned: true })
    expect(await measured(upright)).toMatchObject({ width: 1080, height: 1920 })
  })

  it('is not known of what is no film, or of half a film', async () => {
    const whole = await film('mp4', 60)
    expect(await measured(Buffer.from('plain text'))).toEqual(UNKNOWN)
    expect(await measured(whole.slice(0, whole.length / 2))).toEqual(UNKNOWN)
    expect(await measured(new Uint8Array())).toEqual(UNKNOWN)
  })

  it('is not known when its bytes are gone, or cannot be read', async () => {
    const size = (await film('mp4', 3)).length
    expect(await measureFilm({ account: 'acct_1', size, read: async () => null })).toEqual(UNKNOWN)
    const broken = () => Promise.reject(new Error('gone'))
    expect(await measureFilm({ account: 'acct_1', size, read: broken })).toEqual(UNKNOWN)
  })

  it('is given up where the index has no end, and others do not wait for that', async () => {
    const order: string[] = []
    const note = (name: string, found: Promise<Measures>) =>
      found.then(({ lengthMs }) => order.push(`${name}: ${lengthMs !== null}`))
    const endless = note('endless', measured(await endlessFilm()))
    await note('short', measured(await film('webm', 5), 'acct_2'))
    await endless
    expect(order).toEqual(['short: true', 'endless: false'])
  })
})
