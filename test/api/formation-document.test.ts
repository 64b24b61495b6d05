import { beforeEach, describe, expect, it } from 'vitest'
import { Formations } from '../support/formations.ts'
import { asBuyer } from '../support/opening.ts'
import { type Body, onGateEngine, type Shop } from '../support/shop.ts'

describe('The documents of a formation', () => {
  onGateEngine((service) => {
    let formations: Formations
    let shop: Shop

    beforeEach(async () => {
      formations = await Formations.open(service)
      ;({ shop } = formations)
    })

    const documents = async (): Promise<Body[]> => {
      const { id } = await formations.startPaid({ name_options: [{ name: '<b>Ada & Co</b>' }] })
      await formations.filed(id)
      return (await shop.get(`/formation_documents?formation=${id}`)).data
    }
    const local = (url: string) => url.replace(/^https?:\/\/[^/]+/, service.running.url)

    it('are listed without an address, and retrieved with one for an hour', async () => {
      const listed = await documents()
      expect(listed).toHaveLength(3)
      expect(listed.map(({ download_url }) => download_url)).toEqual([null, null, null])
      const [{ id, size, content_type, name, formation: owner }] = listed as [Body]
      expect(await shop.listed(`/formation_documents?formation=${owner}&document_type=ein_letter`)).toHaveLength(1)
      const { download_url, formation } = await shop.get(`/formation_documents/${id}?expand=formation`)
      expect(formation.id).toBe(owner)
      const answer = await fetch(local(download_url))
      const bytes = await answer.arrayBuffer()
      expect([answer.status, bytes.byteLength, answer.headers.get('content-type')]).toEqual([200, size, content_type])
      expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="${name}"; filename*=UTF-8''${name}`)
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
      expect(answer.headers.get('content-security-policy')).toContain('sandbox')
      const text = Buffer.from(bytes).toString()
      expect(text).toContain('&lt;b&gt;Ada &amp; Co&lt;/b&gt; LLC')
      expect(text).toContain('Sample')
    })

    it('are downloaded by nobody with an address that was changed, or is over', async () => {
      const [one, other] = (await documents()) as [Body, Body]
      const url = new URL(local((await shop.get(`/formation_documents/${one.id}`)).download_url))
      const status = async (change: (changed: URL) => void) => {
        const changed = new URL(url)
        change(changed)
        return (await fetch(changed)).status
      }
      const expires = Number(url.searchParams.get('expires'))
      expect(expires - Date.now() / 1000).toBeGreaterThan(3500)
      expect(expires - Date.now() / 1000).toBeLessThan(3601)
      expect(await status(() => {})).toBe(200)
      expect(await status((changed) => changed.searchParams.set('expires', String(expires + 1)))).toBe(404)
      expect(await status((changed) => changed.searchParams.set('signature', 'x'))).toBe(404)
      expect(await status((changed) => changed.searchParams.delete('signature'))).toBe(404)
      expect((await fetch(`${url.origin}/documents/${other.id}${url.search}`)).status).toBe(404)
      const { vault } = await asBuyer(shop, async ({ services }) => services)
      const past = String(Math.floor(Date.now() / 1000) - 1)
      const signature = vault.derive('formation document', `${one.id} ${past}`)
      expect((await fetch(`${url.origin}${url.pathname}?expires=${past}&signature=${signature}`)).status).toBe(404)
    })
  })
})
