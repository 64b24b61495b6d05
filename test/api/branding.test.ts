import { describe, expect, it } from 'vitest'
import { type Color, contrast, READABLE } from '../../src/contract/values/colors.ts'
import { shadesOf } from '../../src/resources/company/account/brand.ts'
import { Visitor } from '../pages/visitor.ts'
import { priceForSale } from '../support/sell.ts'
import { onEachEngine } from '../support/shop.ts'

const NONE = { logo_file: null, color: null, font: 'system', cover_file: null }

describe('The branding of an account', () => {
  onEachEngine((shop) => {
    const brand = async (branding: object) => (await shop.patch('/account', { branding })).branding

    it('begins with nothing, changes by its parts, and clears them with null', async () => {
      expect((await shop.get('/account')).branding).toEqual(NONE)
      const logo = await shop.file({ filename: 'logo.png' })
      expect(await brand({ color: '#1F4FD8', logo_file: logo })).toEqual({ ...NONE, color: '#1f4fd8', logo_file: logo })
      expect(await brand({ font: 'serif' })).toMatchObject({ color: '#1f4fd8', logo_file: logo, font: 'serif' })
      expect(await brand({ color: null, logo_file: null, font: 'system' })).toEqual(NONE)
    })

    it.each([
      [{ color: 'red' }, 422],
      [{ color: '#12345' }, 422],
      [{ color: '#000000;}body{display:none' }, 422],
      [{ font: 'Comic Sans' }, 422],
      [{ logo_file: 'file_01k9z6v8q2f3x7c5m1n4b0r8ta' }, 422],
      ['blue', 400],
    ])('refuses %o', async (branding, status) => {
      expect((await shop.api('PATCH', '/account', { branding })).status).toBe(status)
      expect((await shop.get('/account')).branding).toEqual(NONE)
    })

    it('takes pictures of its own account that are ready, and keeps them from being deleted', async () => {
      const paper = await shop.file({ filename: 'paper.pdf', content_type: 'application/pdf' })
      const pending = await shop.file({ upload_status: 'pending' })
      for (const cover_file of [paper, pending])
        expect((await shop.api('PATCH', '/account', { branding: { cover_file } })).status).toBe(422)
      const cover_file = await shop.file({ filename: 'cover.png' })
      await brand({ cover_file })
      const kept = await shop.api('DELETE', `/files/${cover_file}`)
      expect([kept.status, kept.body.error.code]).toEqual([400, 'resource_in_use'])
      await brand({ cover_file: null })
    })

    it('is on the storefront, the checkout and forms, by a stylesheet that browsers keep', async () => {
      const logo_file = await shop.file({ filename: 'logo.png' })
      await brand({ color: '#f2b705', font: 'slab', logo_file })
      const price = await priceForSale(shop)
      const checkout = await shop.post('/checkouts', { line_items: [{ price_variant: price.id }] })
      const form = await shop.post('/forms', { name: 'Ask', fields: [{ label: 'Name', type: 'text' }] })
      const visitor = new Visitor(shop.running.url)
      const { storefront_url } = await shop.get('/account')
      const { file_url } = await shop.get(`/files/${logo_file}`)
      for (const address of [storefront_url, checkout.url, `/forms/${form.id}`]) {
        const { html } = await visitor.open(address)
        const [, style] = /<link rel="stylesheet" href="(\/brand\/[^"]+)"/.exec(html) ?? []
        expect([address, style]).toEqual([address, expect.stringMatching(/^\/brand\/f2b705-slab-[0-9a-f]{12}\.css$/)])
        expect(html).toContain(`<img class="logo" src="${file_url}"`)
        const sheet = await visitor.open(style!)
        expect([sheet.status, sheet.headers.get('cache-control')]).toEqual([200, expect.stringContaining('immutable')])
        expect(sheet.html).toMatch(/--button: #f2b705;.*--on-button: #16181d;/s)
      }
      for (const wrong of ['f2b705-slab-000000000000', 'F2B705-slab-000000000000', 'x-slab-0', 'none-system-0'])
        expect((await visitor.open(`/brand/${wrong}.css`)).status).toBe(404)
    })
  })

  it('is readable in every color', () => {
    for (let step = 0; step < 4096; step++) {
      const hex = step.toString(16).padStart(3, '0')
      const color: Color = `#${[...hex].map((digit) => digit + digit).join('')}`
      const { button, onButton, onLight, onDark } = shadesOf(color)
      const least = Math.min(
        contrast(onButton, button),
        ...(['#ffffff', '#f5f6f9'] as const).map((paper) => contrast(onLight, paper)),
        ...(['#15171b', '#1d2026'] as const).map((paper) => contrast(onDark, paper)),
      )
      if (least < READABLE) expect([color, least]).toEqual([color, 'readable'])
    }
  })
})
