import { beforeAll, describe, expect, it } from 'vitest'
import { Catalogue } from '../../src/pages/dashboard/kit/catalogue.ts'
import { firstLoadOf } from '../support/first-load.ts'
import { type Person, signIn } from '../support/person.ts'
import { onGateEngine } from '../support/shop.ts'
import { connected } from '../support/social.ts'

const BASE = '/dashboard/my-shop'
/** As it is sent. */
const MOST = 110_000

describe('The first load of a page', () => {
  onGateEngine((shop) => {
    let person: Person
    beforeAll(async () => {
      person = await signIn(shop.running)
      await connected(shop)
    })

    it('with a form is small, and without the editor of texts', async () => {
      const product = await shop.product({ name: 'Kite', body_html: '<p>Fly it.</p>' })
      await shop.price(product.id)
      const made = await person.submit(`${BASE}/blog_posts/new`, { title: 'Kites', content: '<p>They fly.</p>' })
      const post = made.location!.split('?')[0]!.slice(BASE.length)
      const all = new Catalogue(shop.running.app.pipeline).all()
      const created = all.filter(({ create }) => create !== null).map(({ path }) => `/${path}/new`)
      const kinds = ['course', 'download', 'license', 'embed', 'text'].map((kind) => `/experiences/new?kind=${kind}`)
      const others = [
        '',
        '/orders',
        `/products/${product.id}/edit`,
        `${post}/edit`,
        '/settings/branding',
        '/settings/account',
        '/developers/webhooks/new',
      ]
      const heavy: object[] = []
      for (const path of [...created, ...kinds, ...others]) {
        const { sent, scripts } = await firstLoadOf(person, BASE + path)
        if (sent > MOST || scripts.includes('dashboard/writing')) heavy.push({ path, sent, scripts })
      }
      expect(heavy).toEqual([])
      expect(created.length).toBeGreaterThan(10)
    })
  })
})
