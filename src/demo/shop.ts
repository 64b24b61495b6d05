import type { AccountUser, Caller } from '../contract/declarations/caller.ts'
import { newId } from '../contract/values/ids.ts'
import { DAY_MS, timestampOf } from '../contract/values/values.ts'
import type { Pipeline } from '../pipeline/run.ts'
import { addEntries } from '../records/search/entries.ts'
import { searchTextOf } from '../records/search/text.ts'
import { BlogPost } from '../resources/content/blog-post/blog-post.ts'
import type { Db, ShopScope } from '../resources/tables.ts'
import { OPENED_DAYS_AGO } from './account.ts'
import { CATEGORIES, CUSTOMERS, DISCOUNTS, LEGAL, POSTS, PRODUCTS, SHOP } from './content.ts'
import { slugOf } from './experiences.ts'

type Body = Record<string, unknown>
type ApiCall = (path: string, body?: Body) => Promise<Body>

/** Fills a new account with a small, believable shop. Everything but the blog goes through operations of the API. */
export async function fillDemoShop(
  scope: ShopScope,
  pipeline: Pipeline,
  { accountId, userId }: AccountUser,
): Promise<void> {
  const caller: Caller = { kind: 'session', sessionId: 'first start', accountId, userId, role: 'owner' }
  const call =
    (method: string): ApiCall =>
    async (path, body) => {
      const answer = await pipeline.runUnmetered({ method, path, query: {}, body, caller, scope })
      if (answer.status >= 400) throw new Error(`The demo shop was refused: ${JSON.stringify(answer.body)}`)
      return answer.body
    }
  await fill(call('POST'), call('PATCH'))
  await scope.transaction(({ db }) => writeBlog(db, accountId))
}

async function fill(post: ApiCall, patch: ApiCall): Promise<void> {
  await patch('/account', SHOP)
  for (const { prices, reviews = [], ...product } of PRODUCTS) {
    const { id } = await post('/products', { status: 'active', ...product })
    for (const price of prices) await post('/price_variants', { product_id: id, ...price })
    for (const review of reviews) await post('/reviews', { product: id, ...review })
  }
  for (const customer of Object.values(CUSTOMERS)) await post('/customers', customer)
  for (const discount of DISCOUNTS) await post('/discounts', discount)
  for (const [slug, content] of Object.entries(LEGAL)) await patch(`/legal_pages/${slug}`, { content, published: true })
}

/** Inserts the blog posts as rows, because only the dashboard has an operation that creates them. */
async function writeBlog(db: Db, accountId: string): Promise<void> {
  const ago = (days: number) => timestampOf(new Date(Date.now() - days * DAY_MS))
  const writtenOn = (date: string) => ({ account_id: accountId, created_at: date, updated_at: date })
  const ids = new Map(CATEGORIES.map(({ slug }) => [slug, newId('bcat')]))
  const categories = CATEGORIES.map((category) => ({
    ...writtenOn(ago(OPENED_DAYS_AGO)),
    ...category,
    id: ids.get(category.slug)!,
    name_key: category.name.toLowerCase(),
  }))
  await db.insertInto('blog_categories').values(categories).execute()
  const posts = POSTS.map(({ category, status, daysAgo, ...post }) => ({
    ...writtenOn(ago(daysAgo)),
    ...post,
    id: newId('post'),
    slug: slugOf(post.title),
    status,
    category: ids.get(category) ?? null,
    excerpt: null,
    published_at: status === 'published' ? ago(daysAgo) : null,
    seo_title: null,
    seo_description: null,
    indexable: 1,
    featured_image_url: null,
    featured_image_alt: null,
    scheduled_at: null,
    author: 'Owner',
    search_text: searchTextOf(BlogPost, { ...post, slug: slugOf(post.title) }),
  }))
  await db.insertInto('blog_posts').values(posts).execute()
  for (const post of posts) await addEntries({ db, accountId: post.account_id }, BlogPost, post)
}
