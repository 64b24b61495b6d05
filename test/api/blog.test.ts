import { beforeAll, describe, expect, it } from 'vitest'
import { onEachEngine } from '../support/shop.ts'

describe('The blog', () => {
  onEachEngine((shop) => {
    let guides: string
    let news: string

    beforeAll(async () => {
      guides = await shop.blogCategory({ name: 'guides', name_key: 'guides', slug: 'guides' })
      news = await shop.blogCategory({ name: 'News', name_key: 'news', slug: 'news' })
      await shop.blogPost({ slug: 'oldest', published_at: '2026-01-02T00:00:00Z', category: guides })
      await shop.blogPost({ slug: 'newest', published_at: '2026-03-01T00:00:00Z', category: news })
      await shop.blogPost({ slug: 'unpublished', status: 'draft', created_at: '2026-02-01T00:00:00Z' })
      await shop.blogPost({ slug: 'early', status: 'archived', created_at: '2025-01-01T00:00:00Z' })
    })

    it('lists posts of every status, newest publication first', async () => {
      expect(await shop.listed('/blog_posts', 'slug')).toEqual(['newest', 'unpublished', 'oldest', 'early'])
      const first = await shop.get('/blog_posts?limit=2')
      expect(first.has_more).toBe(true)
      expect(await shop.listed(`/blog_posts?starting_after=${first.data[1].id}`, 'slug')).toEqual(['oldest', 'early'])
    })

    it('filters posts by status, category and words', async () => {
      expect(await shop.listed('/blog_posts?status=draft', 'slug')).toEqual(['unpublished'])
      expect(await shop.listed('/blog_posts?category=guides', 'slug')).toEqual(['oldest'])
      expect(await shop.listed(`/blog_posts?category=${news}`, 'slug')).toEqual(['newest'])
      expect(await shop.listed('/blog_posts?category=none', 'slug')).toEqual([])
      expect(await shop.listed('/blog_posts?query=EST&status=published', 'slug')).toEqual(['newest', 'oldest'])
    })

    it('shows the category as its slug, and whole when expanded', async () => {
      const post = await shop.get('/blog_posts/oldest')
      expect(post).toMatchObject({
        object: 'blog_post',
        category: 'guides',
        url: expect.stringMatching(/\/s\/[\w-]+\/blog\/oldest$/),
      })
      expect(await shop.get(`/blog_posts/${post.id}`)).toEqual(post)
      expect((await shop.get('/blog_posts/oldest?expand=category')).category).toMatchObject({
        id: guides,
        posts_count: 1,
      })
      expect((await shop.get('/blog_posts/early?expand=category')).category).toBeNull()
    })

    it('makes an excerpt of the content where nobody wrote one', async () => {
      const content = `<h1>Title</h1><p>${'words &amp; '.repeat(50)}</p>`
      const plain = await shop.blogPost({ content })
      expect((await shop.get(`/blog_posts/${plain}`)).excerpt).toMatch(/^Title words/)
      expect((await shop.get(`/blog_posts/${plain}`)).excerpt).toHaveLength(200)
      const marked = await shop.blogPost({
        content: '<p>Tea &amp; <b>biscuits</b> &lt;3 &#8212; &nbsp;&#x41;&bogus;</p>',
      })
      expect((await shop.get(`/blog_posts/${marked}`)).excerpt).toBe('Tea & biscuits <3 — A&bogus;')
      const written = await shop.blogPost({ excerpt: 'Mine' })
      expect((await shop.get(`/blog_posts/${written}`)).excerpt).toBe('Mine')
    })

    it('lists categories by name and counts their posts', async () => {
      expect((await shop.get('/blog_categories')).data).toMatchObject([
        { object: 'blog_category', slug: 'guides', posts_count: 1 },
        { name: 'News', posts_count: 1 },
      ])
      expect(await shop.get(`/blog_categories/${guides}`)).toMatchObject({
        id: guides,
        name: 'guides',
        description: null,
      })
    })

    it('is read-only', async () => {
      for (const [method, path] of [
        ['POST', '/blog_posts'],
        ['PATCH', '/blog_posts/oldest'],
        ['DELETE', '/blog_posts/oldest'],
        ['POST', '/blog_categories'],
      ] as const) {
        expect(await shop.refusal(method, path, method === 'DELETE' ? undefined : {})).toEqual([
          405,
          'method_not_allowed',
        ])
      }
    })
  })
})
