import { beforeAll, describe, expect, it } from 'vitest'
import { onGateEngine, type Shop } from '../../support/shop.ts'
import { type Dashboard, dashboardOf, member, ownerOf } from './visitor.ts'

const EVIL = '<p onclick="x()">Fine<script>alert(1)</script><img src="javascript:alert(1)" onerror="x()"></p>'

/** What readers get of an article, at its own address. */
async function read(shop: Shop, slug: string): Promise<{ status: number; html: string }> {
  const answer = await fetch(`${shop.running.url}/s/my-shop/blog/${slug}`)
  return { status: answer.status, html: await answer.text() }
}

describe('Writing for the blog', () => {
  onGateEngine((shop) => {
    let dashboard: Dashboard
    let stranger: Dashboard

    beforeAll(async () => {
      dashboard = dashboardOf(shop, ownerOf(shop))
      stranger = dashboardOf(shop, await shop.running.another('other-writers'))
    })

    it('makes a draft of the person, cleans it, and publishes it for everybody', async () => {
      const made = await dashboard('POST', '/blog_posts', { body: { title: 'Ink & paper', content: EVIL } })
      expect([made.status, made.body.status, made.body.slug]).toEqual([201, 'draft', 'ink-paper'])
      expect(made.body.author).toBeTruthy()
      expect(made.body.content).not.toMatch(/script|onclick|onerror|javascript/)
      expect((await read(shop, 'ink-paper')).status).toBe(404)
      const published = await dashboard('POST', `/blog_posts/${made.body.id}/publish`)
      expect([published.body.status, published.body.published_at]).toEqual(['published', expect.any(String)])
      const page = await read(shop, 'ink-paper')
      expect([page.status, page.html.includes('Ink &amp; paper')]).toEqual([200, true])
      await dashboard('POST', `/blog_posts/${made.body.id}/unpublish`)
      expect((await read(shop, 'ink-paper')).status).toBe(404)
    })

    it('shows scheduled posts from their moment on, and keeps to a time that was moved', async () => {
      const test = await shop.running.another('planners', { test: true })
      const own = dashboardOf(shop, test)
      const { body: post } = await own('POST', '/blog_posts', { body: { title: 'Later' } })
      const at = (days: number) => new Date(Date.now() + days * 24 * 60 * 60 * 1000).toISOString()
      const plan = (days: number) =>
        own('POST', `/blog_posts/${post.id}/schedule`, { body: { scheduled_at: at(days) } })
      expect((await plan(-1)).body.error.errors).toEqual({ scheduled_at: ['must be in the future'] })
      expect((await plan(2)).body.status).toBe('scheduled')
      expect((await plan(9)).body.status).toBe('scheduled')
      await shop.running.app.advanceClock(test.accountId, at(3))
      expect((await own('GET', `/blog_posts/${post.id}`)).body.status).toBe('scheduled')
      await shop.running.app.advanceClock(test.accountId, at(10))
      expect((await own('GET', `/blog_posts/${post.id}`)).body.status).toBe('published')
      expect((await plan(20)).body.error.code).toBe('invalid_state')
    })

    it('keeps addresses and names of categories unique, and posts when their category goes', async () => {
      const { body: category } = await dashboard('POST', '/blog_categories', { body: { name: 'Guides' } })
      const twice = await dashboard('POST', '/blog_categories', { body: { name: 'GUIDES' } })
      expect(twice.body.error.errors).toEqual({ name: ['has already been taken'] })
      const { body: post } = await dashboard('POST', '/blog_posts', {
        body: { title: 'Guide one', category: category.id },
      })
      expect(post.category).toBe('guides')
      const taken = await dashboard('POST', '/blog_posts', { body: { title: 'Other', slug: post.slug } })
      expect(taken.body.error.errors).toEqual({ slug: ['has already been taken'] })
      const renamed = await dashboard('PATCH', `/blog_categories/${category.id}`, { body: { name: 'How to' } })
      expect([renamed.body.name, renamed.body.posts_count]).toEqual(['How to', 1])
      expect((await dashboard('DELETE', `/blog_categories/${category.id}`)).status).toBe(200)
      expect((await dashboard('GET', `/blog_posts/${post.id}`)).body.category).toBeNull()
    })

    it('says what is wrong in a post, all at once', async () => {
      const body = { title: 'No', seo_title: 'x'.repeat(61), featured_image_url: 'javascript:alert(1)' }
      const refused = await dashboard('POST', '/blog_posts', { body })
      expect(Object.keys(refused.body.error.errors).sort()).toEqual(['featured_image_url', 'seo_title', 'title'])
      const unknown = await dashboard('POST', '/blog_posts', { body: { title: 'Fine', category: 'nothing' } })
      expect(unknown.status).toBe(404)
    })

    it('is for people of the account alone: neither the API nor another account finds it', async () => {
      const { body: post } = await dashboard('POST', '/blog_posts', { body: { title: 'Ours' } })
      expect((await shop.running.api('POST', '/blog_posts', { title: 'By a token' })).status).toBe(405)
      expect((await shop.running.api('PATCH', `/blog_posts/${post.id}`, { title: 'By a token' })).status).toBe(405)
      for (const [method, path] of [
        ['GET', ''],
        ['PATCH', ''],
        ['DELETE', ''],
        ['POST', '/publish'],
        ['POST', '/archive'],
      ] as const) {
        const answer = await stranger(method, `/blog_posts/${post.id}${path}`, {
          body: method === 'PATCH' ? { title: 'Mine' } : undefined,
        })
        expect([method, path, answer.status]).toEqual([method, path, 404])
      }
      const person = dashboardOf(shop, await member(shop, 'member', 'writer@example.com'), 'member')
      const own = await person('PATCH', `/blog_posts/${post.id}`, { body: { title: 'Ours too' } })
      expect([own.status, own.body.title]).toEqual([200, 'Ours too'])
    })
  })
})

describe('Making experiences', () => {
  onGateEngine((shop) => {
    let dashboard: Dashboard

    beforeAll(() => {
      dashboard = dashboardOf(shop, ownerOf(shop))
    })

    it('keeps chapters and lessons in order, with their ids, and cleans their texts', async () => {
      const lessons = [
        { title: 'One', content_html: EVIL },
        { title: 'Two', video_url: 'https://video.example/2' },
      ]
      const body = { name: 'Ruby course', item_type: 'course', chapters: [{ title: 'Begin', lessons }] }
      const made = await dashboard('POST', '/experiences', { body })
      expect([made.status, made.body.access_type]).toEqual([201, 'secret'])
      const [chapter] = made.body.content.chapters
      expect(
        chapter.lessons.map(({ position, title }: { position: number; title: string }) => [position, title]),
      ).toEqual([
        [1, 'One'],
        [2, 'Two'],
      ])
      expect(JSON.stringify(chapter)).not.toMatch(/script|onclick|onerror/)
      const turned = { ...chapter, lessons: chapter.lessons.toReversed() }
      const { body: changed } = await dashboard('PATCH', `/experiences/${made.body.id}`, {
        body: { chapters: [turned] },
      })
      const ids = (one: { lessons: { id: string }[] }) => one.lessons.map(({ id }) => id)
      expect(ids(changed.content.chapters[0])).toEqual(ids(chapter).toReversed())
    })

    it('takes what belongs to their kind alone', async () => {
      const wrong = {
        name: 'Links',
        item_type: 'link',
        url: 'https://example.com',
        links: [{ title: 'A', url: 'nowhere' }],
      }
      const refused = await dashboard('POST', '/experiences', { body: wrong })
      expect(Object.keys(refused.body.error.errors)).toEqual(['url', 'links.0.url'])
      const misplaced = await dashboard('POST', '/experiences', { body: { ...wrong, links: [] } })
      expect(misplaced.body.error.errors.url[0]).toContain('does not apply to')
      const blank = await dashboard('POST', '/experiences', { body: { name: 'Text', item_type: 'written_content' } })
      expect(blank.body.error.errors).toEqual({ title: ["can't be blank"] })
    })

    it('stay while a price includes them', async () => {
      const { body: made } = await dashboard('POST', '/experiences', { body: { name: 'Talks', item_type: 'forum' } })
      const product = await shop.running.api('POST', '/products', { name: 'Club' })
      const price = {
        product_id: product.body.id,
        name: 'Year',
        amount: 100,
        currency: 'usd',
        experience_ids: [made.id],
      }
      expect((await shop.running.api('POST', '/price_variants', price)).status).toBe(201)
      expect((await dashboard('DELETE', `/experiences/${made.id}`)).body.error.code).toBe('resource_in_use')
    })
  })
})
