import { html } from 'hono/html'
import { shopAnswer } from '../../storefront/answers.ts'
import { article } from '../../storefront/blog.ts'
import { shopFrame, shopPage } from '../../storefront/frame.ts'
import { shown } from '../kit/ask.ts'
import { richText } from '../kit/value.ts'
import { type DashboardPage, type Viewed, type Visit, view } from '../kit/visit.ts'
import { publishing } from './publishing.ts'

/** A post as readers would see it, whatever its status; for those who are signed in. */
export const preview: DashboardPage = {
  path: '/blog_posts/:id/preview',
  async get(visit, { id }) {
    const path = { id_or_slug: id! }
    const post = await shown(visit.ask('GET /blog_posts/{id_or_slug}', { path, query: { expand: ['category'] } }))
    const frame = await visit.parts.pipeline.visits.look(visit.caller, (context) => shopFrame(context))
    const content = article(frame.url, post, post.category?.name)
    return shopAnswer(shopPage({ title: post.title, secret: true }, frame, content), { secret: true })
  },
}

const ALLOWED = {
  draft: ['publish', 'schedule', 'archive'],
  scheduled: ['publish', 'schedule', 'unpublish', 'archive'],
  published: ['unpublish', 'archive'],
  archived: ['publish', 'schedule', 'unpublish'],
} as const

export const blogPostView = view('blog_post', {
  columns: ['title', 'status', 'category', 'author', 'published_at', 'scheduled_at'],
  without: ['content', 'url', 'title', 'excerpt', 'status'],
  lead: 'Articles on your shop’s blog. Readers see only published ones.',
  form: {
    groups: [
      { names: ['title', 'content', 'excerpt', 'category'] },
      { title: 'Cover picture', names: ['featured_image_url', 'featured_image_alt'] },
      { title: 'Its page', names: ['slug', 'seo_title', 'seo_description', 'indexable'] },
    ],
    labels: {
      content: 'Text',
      featured_image_url: 'Picture',
      featured_image_alt: 'Alternative text',
      seo_title: 'Title for search engines',
      seo_description: 'Description for search engines',
      indexable: 'Listed by search engines',
    },
    hints: {
      indexable: '',
      excerpt: 'A summary for lists. Left empty, it is the beginning of the text.',
      featured_image_url: 'Shown above the text and when the post is shared.',
      featured_image_alt: 'For people who cannot see it. Leave empty if the picture is only decorative.',
    },
    create: 'Save draft',
    also: publishing,
  },
  allowed: ({ status }) => ALLOWED[status],
  listLinks: ({ base }) => html`<a class="button" href="${base}/blog_categories">Categories</a>`,
  links: (visit, values) => html`${look(visit, values)}`,
  sections: [
    async (_, { content }) =>
      html`<section class="card" aria-labelledby="article"><h2 id="article" class="unseen">The article</h2>${
        content ? richText(content) : html`<p class="none">No content yet.</p>`
      }</section>`,
  ],
})

export const blogCategoryView = view('blog_category', {
  columns: ['name', 'posts_count', 'description', 'created_at'],
  listLinks: ({ base }) => html`<a class="button" href="${base}/blog_posts">Blog posts</a>`,
})

function look({ base }: Visit, { id, url, status }: Viewed<'blog_post'>) {
  const page = status === 'published' ? html`<a class="button" href="${url}" data-turbo="false">View page</a>` : ''
  return html`${page}<a class="button" href="${base}/blog_posts/${id}/preview" data-turbo="false">Preview</a>`
}
