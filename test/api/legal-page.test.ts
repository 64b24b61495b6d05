import { describe, expect, it } from 'vitest'
import { type Body, onGateEngine } from '../support/shop.ts'

describe('Legal pages', () => {
  onGateEngine((shop) => {
    it('are three for every account from the start, in their order', async () => {
      const other = shop.as(await shop.running.another('three-pages'))
      const pages: Body[] = (await other.get('/legal_pages')).data
      expect(
        pages.map(({ kind, slug, title, content, published }) => ({ kind, slug, title, content, published })),
      ).toEqual(
        [
          { kind: 'terms_of_service', slug: 'terms-of-service', title: 'Terms of service' },
          { kind: 'privacy_policy', slug: 'privacy-policy', title: 'Privacy policy' },
          { kind: 'refund_policy', slug: 'refund-policy', title: 'Refund policy' },
        ].map((page) => ({ ...page, content: '', published: false })),
      )
      expect(pages[0]!.url).toBe(`${shop.running.url}/s/three-pages/legal/terms-of-service`)
      expect(await other.listed('/legal_pages?kind=refund_policy')).toEqual([pages[2]!.id])
      expect(await other.listed(`/legal_pages?starting_after=${pages[0]!.id}`)).toEqual([pages[1]!.id, pages[2]!.id])
      expect(await other.get('/legal_pages/privacy-policy')).toEqual(pages[1])
      expect((await other.api('POST', '/legal_pages', { title: 'More' })).status).toBe(405)
      expect((await other.api('DELETE', `/legal_pages/${pages[0]!.id}`)).status).toBe(405)
    })

    it('can be changed by their slug, and hold nothing that runs', async () => {
      const path = '/legal_pages/terms-of-service'
      const content = '<h2>Terms</h2><p onclick="x()">Be kind.</p><script>alert(1)</script>'
      const [updated] = await shop.eventsOf(() => shop.patch(path, { title: 'Terms', content, published: true }))
      expect(updated).toMatchObject({
        type: 'legal_page.updated',
        data: { title: 'Terms', content: '<h2>Terms</h2><p>Be kind.</p>', published: true },
        previous: { title: 'Terms of service', content: '', published: false },
      })
      expect(await shop.refusal('PATCH', path, { title: 'x'.repeat(201) })).toHaveProperty('title')
      expect(await shop.refusal('PATCH', path, { content: 'x'.repeat(200_001) })).toHaveProperty('content')
      for (const letter of ['漢', '𐍈']) {
        const longest = letter.repeat(200_000)
        expect((await shop.patch(path, { content: longest })).content).toBe(longest)
        expect(await shop.refusal('PATCH', path, { content: `${longest}x` })).toHaveProperty('content')
      }
      expect((await shop.patch(path, { slug: 'other', kind: 'refund_policy' })).slug).toBe('terms-of-service')
    })
  })
})
