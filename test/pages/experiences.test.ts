import { beforeAll, describe, expect, it } from 'vitest'
import { vaultOf } from '../../src/access/vault.ts'
import type { Services } from '../../src/records/services.ts'
import { accessUrl } from '../../src/resources/content/experience/access.ts'
import { embedOf } from '../../src/resources/content/experience/embed.ts'
import { type Dashboard, dashboardOf, ownerOf } from '../dashboard/operations/visitor.ts'
import { SECRET_KEY } from '../support/app.ts'
import { film } from '../support/film.ts'
import { priceForSale, sell } from '../support/sell.ts'
import { type Body, onGateEngine } from '../support/shop.ts'

describe('What a buyer sees of an experience', () => {
  onGateEngine((shop) => {
    let dashboard: Dashboard
    beforeAll(() => {
      dashboard = dashboardOf(shop, ownerOf(shop))
    })

    const attempt = (values: object) => dashboard('POST', '/experiences', { body: { name: 'The club', ...values } })
    const made = async (values: object): Promise<Body> => {
      const { status, body } = await attempt(values)
      expect([status, body.error]).toEqual([201, undefined])
      return body
    }
    const refused = async (values: object): Promise<Body> => {
      const { status, body } = await attempt(values)
      expect(status).toBe(422)
      return body.error.errors
    }
    const see = async (address: string) => {
      const answer = await fetch(address)
      const policy = answer.headers.get('content-security-policy')!
      const html = await answer.text()
      return { html, policy, words: html.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ') }
    }
    /** The page of a buyer, and the page that everybody sees. */
    const sold = async (values: object) => {
      const { id, slug } = await made(values)
      const price = await priceForSale(shop, { experience_ids: [id] })
      const { customer } = await sell(shop, [{ price_variant: price.id }])
      const services = { vault: vaultOf(SECRET_KEY) } as Services
      const home = accessUrl({ services, publicUrl: shop.running.url }, customer.id)
      return { buyer: `${home}/${slug}`, visitor: `${shop.running.url}/s/my-shop/x/${slug}` }
    }

    it('has the invite link of a Discord server, which nobody else sees', async () => {
      const invite_url = 'https://discord.gg/kestrel-9'
      const { buyer, visitor } = await sold({
        ...{ item_type: 'discord', server_name: 'Kestrels', role_names: ['Birders', 'Early birds'], invite_url },
      })
      const { html, words } = await see(buyer)
      expect(words).toContain('Discord server Kestrels with the roles Birders and Early birds.')
      expect(html).toContain(`<a class="button" href="${invite_url}" rel="noreferrer">`)
      expect((await see(visitor)).html).not.toContain('discord.gg')
    })

    it('has the invite links of Telegram chats', async () => {
      const { buyer, visitor } = await sold({
        item_type: 'telegram',
        chats: [{ title: 'News', invite_url: 'https://t.me/+AbCd_12345' }, { title: 'Talk' }],
      })
      const { html, words } = await see(buyer)
      expect(html).toContain('href="https://t.me/+AbCd_12345"')
      expect(words).toContain('Telegram chat Talk')
      expect((await see(visitor)).html).not.toContain('t.me')
    })

    it.each([
      'http://discord.gg/kestrel',
      'https://discord.gg.example.com/kestrel',
      'https://discord.gg@example.com/kestrel',
      'https://discord.com/login?to=https://example.com',
      'https://t.me/kestrel',
      'javascript:alert(1)',
    ])('has no other link as an invitation: %s', async (invite_url) => {
      expect(await refused({ item_type: 'discord', server_name: 'Kestrels', invite_url })).toHaveProperty('invite_url')
      const elsewhere = invite_url.replace('t.me', 'discord.gg')
      const chats = [{ title: 'News', invite_url: elsewhere }]
      expect(await refused({ item_type: 'telegram', chats })).toHaveProperty(['chats.0.invite_url'])
    })

    it('does not lead to what was stored past the rules', async () => {
      const { id, slug } = await made({ item_type: 'discord', access_type: 'open', server_name: 'Kestrels' })
      const content = JSON.stringify({ server_name: 'Kestrels', role_names: [], invite_url: 'https://evil.example/x' })
      await shop.running.app.database.transaction(({ db }) =>
        db.updateTable('experiences').set({ content }).where('id', '=', id).execute(),
      )
      const { html } = await see(`${shop.running.url}/s/my-shop/x/${slug}`)
      expect(html).toContain('Kestrels')
      expect(html).not.toContain('evil.example')
    })

    it('shows a video of another service in its player without cookies, and allows just that frame', async () => {
      const { buyer } = await sold({
        item_type: 'embed',
        url: 'https://www.youtube.com/watch?t=9&v=dQw4w9WgXcQ&list=x',
      })
      const { html, policy } = await see(buyer)
      expect(html).toMatch(/<iframe class="frame" src="https:\/\/www\.youtube-nocookie\.com\/embed\/dQw4w9WgXcQ" /)
      expect(html).toMatch(/<iframe [^>]*referrerpolicy="strict-origin" sandbox="allow-scripts [^"]*"/)
      expect(html).not.toMatch(/allow-top-navigation|allow-downloads|allow-modals/)
      expect(policy).toContain('frame-src https://www.youtube-nocookie.com;')
      expect((await see(buyer.replace(/\/[^/]+$/, ''))).policy).not.toContain('frame-src')
    })

    it('shows any other page in a frame, with a link, but for pages of this service', async () => {
      const url = 'https://boards.example.com/b/1?view="><script>alert(1)</script>'
      const { buyer } = await sold({ item_type: 'embed', url: encodeURI(url) })
      const { html, policy } = await see(buyer)
      expect(html).toContain('<iframe class="frame tall" src="https://boards.example.com/b/1?view=')
      expect(html).not.toContain('<script>')
      expect(html).toContain('Open it in a page of its own')
      expect(policy).toContain("default-src 'none'")
      expect(policy).toContain('frame-src https://boards.example.com;')
      const plain = await sold({ item_type: 'embed', url: 'http://boards.example.com/b/1' })
      expect((await see(plain.buyer)).html).not.toContain('<iframe')
      expect(embedOf('https://shop.example/dashboard', 'https://shop.example')).toBeNull()
      expect(embedOf('https://shop.example:8443/x', 'https://shop.example')).toBeNull()
    })

    it.each([
      ['https://youtu.be/dQw4w9WgXcQ?si=x', 'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ'],
      ['https://m.youtube.com/shorts/dQw4w9WgXcQ', 'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ'],
      ['https://vimeo.com/76979871', 'https://player.vimeo.com/video/76979871?dnt=1'],
      ['https://vimeo.com/76979871/0abc9f', 'https://player.vimeo.com/video/76979871?h=0abc9f&dnt=1'],
      ['https://player.vimeo.com/video/76979871?h=0abc9f', 'https://player.vimeo.com/video/76979871?h=0abc9f&dnt=1'],
    ])('plays %s', (address, player) => {
      expect(embedOf(address, 'https://shop.example')).toEqual({ url: player, kind: 'video' })
    })

    it.each(['https://youtube.com.example.org/watch?v=dQw4w9WgXcQ', 'https://youtu.be/dQw4w9WgXcQQQ'])(
      'is not misled by %s',
      (address) => {
        expect(embedOf(address, 'https://shop.example')).toEqual({ url: address, kind: 'page' })
      },
    )

    it('plays the films of lessons, and allows where they come from', async () => {
      const { id, upload_url } = await shop.post('/files', { filename: 'lesson.webm' })
      await fetch(upload_url, { method: 'PUT', body: new Uint8Array(await film('webm', 3)) })
      const { file_url: url } = await shop.post(`/files/${id}/uploaded`)
      const lesson = (title: string, video_url: string) => ({ title, video_url })
      const { buyer } = await sold({
        item_type: 'course',
        chapters: [
          {
            title: 'First',
            lessons: [
              lesson('Kept here', url),
              lesson('Served elsewhere', 'https://films.example.com/two.mp4?x=1'),
              lesson('At a service', 'https://vimeo.com/76979871'),
              lesson('On a page', 'https://example.com/watch'),
            ],
          },
        ],
      })
      const { html, policy } = await see(buyer)
      expect(html).toContain(`<video class="player" controls playsinline preload="none" src="${buyer}/files/${id}"`)
      expect(html).toContain('src="https://films.example.com/two.mp4?x=1"')
      expect(html).toContain('<iframe class="frame" src="https://player.vimeo.com/video/76979871?dnt=1"')
      expect(html).toContain('<a href="https://example.com/watch" rel="noreferrer">Watch the video</a>')
      const here = new URL(shop.running.url).origin
      expect(policy).toContain(
        `media-src 'self' ${here} https://films.example.com; frame-src https://player.vimeo.com;`,
      )
      const part = await fetch(`${buyer}/files/${id}`, { headers: { range: 'bytes=0-9' } })
      expect([part.status, part.headers.get('content-type')]).toEqual([206, 'video/webm'])
    })

    it('allows ten places at the most, and links to the rest', async () => {
      const lessons = Array.from({ length: 15 }, (_, at) => ({
        title: `Lesson ${at}`,
        video_url: `https://films-${at}.example.com/film.mp4`,
      }))
      const { buyer } = await sold({ item_type: 'course', chapters: [{ title: 'Long', lessons }] })
      const { html, policy } = await see(buyer)
      expect(html.match(/<video /g)).toHaveLength(10)
      expect(html.match(/Watch the video/g)).toHaveLength(5)
      expect(policy.match(/films-\d+/g)).toHaveLength(10)
    })
  })
})
