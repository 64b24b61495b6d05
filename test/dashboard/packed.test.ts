import { beforeAll, describe, expect, it } from 'vitest'
import { type Person, signIn } from '../support/person.ts'
import { onGateEngine } from '../support/shop.ts'

const HOME = '/dashboard/my-shop'

describe('A page of the dashboard', () => {
  onGateEngine((shop) => {
    let person: Person
    beforeAll(async () => {
      person = await signIn(shop.running)
    })
    const sent = async (headers: Record<string, string>) => {
      const { html, headers: answered } = await person.get(HOME, headers)
      expect(html).toContain('</html>')
      expect(answered.get('cache-control')).toBe('no-store')
      return answered.get('content-encoding')
    }

    it('is compressed for those who open it, and for pages of the dashboard', async () => {
      for (const site of ['none', 'same-origin'])
        expect([site, await sent({ 'Sec-Fetch-Site': site, 'Accept-Encoding': 'gzip, br' })]).toEqual([site, 'gzip'])
    })

    it('is sent as it is where another site may measure it, or the browser does not say who asks', async () => {
      for (const site of ['cross-site', 'same-site', ''])
        expect([site, await sent({ 'Sec-Fetch-Site': site, 'Accept-Encoding': 'gzip, br' })]).toEqual([site, null])
      expect(await sent({ 'Sec-Fetch-Site': 'none', 'Accept-Encoding': 'identity' })).toBe(null)
    })
  })
})
