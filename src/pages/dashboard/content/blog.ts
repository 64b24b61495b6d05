import { html } from 'hono/html'
import type { FieldErrors } from '../../../contract/declarations/errors.ts'
import { formatMoment } from '../../../format/moments.ts'
import { field } from '../../parts/markup.ts'
import { article } from '../../storefront/blog.ts'
import { shopAnswer, shopFrame, shopPage } from '../../storefront/frame.ts'
import { shown } from '../kit/call.ts'
import { localInput, momentOfInput } from '../kit/times.ts'
import { richText } from '../kit/value.ts'
import { type AlsoDone, type DashboardContext, type DashboardPage, type Viewed, view } from '../kit/visit.ts'

const AT = 'publish_at'
const ID = 'also'

const publishing: AlsoDone<Viewed<'blog_post'>> = {
  button: 'Save and publish',
  offered: ({ status }) => status !== 'published',
  input: (visit, sent, problems) =>
    field({
      id: ID,
      label: html`Publish at <span class="optional">optional</span>`,
      hint: `In the time zone ${visit.account.timezone.replaceAll('_', ' ')}. Leave it empty to publish at once.`,
      problems,
      input: (described) =>
        html`<input type="datetime-local" id="${ID}" name="${AT}" min="${localInput(new Date().toISOString(), visit.account.timezone).slice(0, 16)}" value="${sent?.get(AT) ?? ''}"${described}>`,
    }),
  check(visit, form): FieldErrors {
    const at = momentIn(visit, form)
    if (at === null) return {}
    if (Number.isNaN(Date.parse(at))) return { [ID]: ['Enter a day and a time, or leave it empty to publish at once.'] }
    return Date.parse(at) > Date.now()
      ? {}
      : { [ID]: ['Choose a time in the future, or leave it empty to publish at once.'] }
  },
  afterSave(visit, id, form) {
    const path = { id_or_slug: id }
    const at = momentIn(visit, form)
    if (at === null) return visit.call('POST /blog_posts/{id_or_slug}/publish', { path })
    return visit.call('POST /blog_posts/{id_or_slug}/schedule', { path, body: { scheduled_at: at } })
  },
  done: ({ title, status, scheduled_at: at }) =>
    status === 'scheduled' && at !== null
      ? `“${title}” is saved and will be published on ${formatMoment(at, 'UTC')} UTC.`
      : `“${title}” is published.`,
}

/** Shows a post in any status as readers would see it. */
export const blogPostPreviewPage: DashboardPage = {
  path: '/blog_posts/:id/preview',
  async get(visit, { id }) {
    const path = { id_or_slug: id! }
    const post = await shown(visit.call('GET /blog_posts/{id_or_slug}', { path, query: { expand: ['category'] } }))
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
  links: (visit, values) => html`${viewLinks(visit, values)}`,
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

function viewLinks({ base }: DashboardContext, { id, url, status }: Viewed<'blog_post'>) {
  const page = status === 'published' ? html`<a class="button" href="${url}" data-turbo="false">View page</a>` : ''
  return html`${page}<a class="button" href="${base}/blog_posts/${id}/preview" data-turbo="false">Preview</a>`
}

function momentIn({ account }: DashboardContext, form: URLSearchParams): string | null {
  const given = form.get(AT)?.trim() ?? ''
  return given === '' ? null : momentOfInput(given, account.timezone)
}
