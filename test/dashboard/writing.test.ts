import { beforeAll, describe, expect, it } from 'vitest'
import { type Person, signIn } from '../support/person.ts'
import { onGateEngine } from '../support/shop.ts'
import { connected, inDays } from '../support/social.ts'
import { words } from '../support/words.ts'

const BASE = '/dashboard/my-shop'

describe('Writing without scripts', () => {
  onGateEngine((shop) => {
    let person: Person
    beforeAll(async () => {
      person = await signIn(shop.running)
    })
    const newest = async () => (await shop.get('/blog_posts?limit=100')).data

    it('saves a post as a draft, publishes it at once, or at a time that is in the future', async () => {
      const form = `${BASE}/blog_posts/new`
      const later = inDays(10).slice(0, 16)
      await person.submit(form, { title: 'A draft', content: '<p>Words</p>' })
      await person.submit(form, { title: 'At once', content: '<p>Words</p>', also: 'yes' })
      await person.submit(form, {
        title: 'Later',
        content: '<p>Words</p>',
        also: 'yes',
        publish_at: later,
      })
      const past = await person.submit(form, { title: 'Too late', also: 'yes', publish_at: '2020-01-01T10:00' })
      expect([past.status, words(past.html)]).toEqual([422, expect.stringContaining('Choose a time in the future')])
      const posts = Object.fromEntries((await newest()).map((post: { title: string }) => [post.title, post]))
      expect(posts).toMatchObject({ 'A draft': { status: 'draft' }, 'At once': { status: 'published' } })
      expect(Object.keys(posts)).not.toContain('Too late')
      expect(posts.Later).toMatchObject({ status: 'scheduled', scheduled_at: `${later}:00Z` })
      const edit = `${BASE}/blog_posts/${posts['A draft'].id}/edit`
      await person.submit(edit, { title: 'No draft', content: '<p>Words</p>', also: 'yes' })
      expect((await shop.get(`/blog_posts/${posts['A draft'].id}`)).status).toBe('published')
      expect((await person.get(`${BASE}/blog_posts/${posts['At once'].id}/edit`)).html).not.toContain(
        'Save and publish',
      )
    })

    it('asks for the words of a picture, unless it is decorative', async () => {
      const form = `${BASE}/blog_posts/new`
      const picture = { change: 'picture content', 'picture-of.content': 'https://example.com/a.png' }
      const asked = await person.submit(form, { title: 'Pictured', content: '<p>Words</p>', ...picture })
      expect(words(asked.html)).toContain('Say what the picture shows, or that it is decorative.')
      expect(asked.html).not.toContain('&lt;img')
      const taken = await person.submit(form, { title: 'Pictured', ...picture, 'picture-decorates.content': 'yes' })
      expect(taken.html).toContain('&lt;img src=&quot;https://example.com/a.png&quot; alt=&quot;&quot;&gt;')
    })

    it('shows a post as each network has it, with its own count', async () => {
      const { id } = await connected(shop, { platform: 'x' })
      const typed = { content: '日本', social_accounts: id, link_url: 'https://example.com/a-long-address-indeed' }
      const page = await person.submit(`${BASE}/social_posts/new`, { ...typed, do: 'preview' })
      // Two wide characters, a line break, and a link for 23.
      expect([page.status, words(page.html)]).toEqual([200, expect.stringContaining('28 of 280 characters')])
      const checked = await person.submit(`${BASE}/social_posts/new`, { ...typed, do: 'check' })
      expect(words(checked.html)).toMatch(/Preview .* 28 of 280 characters/)
      expect((await shop.get('/social_posts')).data).toEqual([])
    })
  })
})
