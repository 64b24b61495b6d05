import { html } from 'hono/html'
import type { Row } from '../../contract/declarations/noun.ts'
import { formatUtcDay } from '../../format/moments.ts'
import type { Context } from '../../records/context.ts'
import { findRow } from '../../records/records.ts'
import { BlogCategory } from '../../resources/content/blog-category/blog-category.ts'
import type { BlogPost } from '../../resources/content/blog-post/blog-post.ts'
import { EXCERPT_LENGTH, excerptOf, postUrl } from '../../resources/content/blog-post/show.ts'
import { publishedPost, publishedPosts } from '../../resources/content/blog-post/writing.ts'
import type { Page } from '../parts/markup.ts'
import { shopAnswer, shopFrame, shopPage } from './frame.ts'
import { pageLinks, pageRange, pageUrl, prose } from './pieces.ts'
import { postData } from './structured.ts'

type PostRow = Row<typeof BlogPost>

const PER_PAGE = 20

type PostCard = Pick<
  PostRow,
  'title' | 'content' | 'published_at' | 'author' | 'featured_image_url' | 'featured_image_alt'
>

/** Renders blog posts, newest first. Returns null if the page number is past the last page. */
export async function blogPage(context: Context, number: number): Promise<Response | null> {
  const posts = await publishedPosts(context, pageRange(number, PER_PAGE))
  if (posts.length === 0 && number > 1) return null
  const frame = await shopFrame(context)
  const url = `${frame.url}/blog`
  const entries = posts
    .slice(0, PER_PAGE)
    .map(
      (post) =>
        html`<li><h2><a href="${postUrl(frame.url, post)}">${post.title}</a></h2>${byline(post)}<p>${teaserOf(post)}</p></li>`,
    )
  const list =
    entries.length > 0
      ? html`<ul class="posts">${entries}</ul>`
      : html`<p class="lead">No posts yet. Come back soon.</p>`
  const content = html`<h1>Blog</h1>${list}${pageLinks(url, number, posts.length > PER_PAGE)}`
  const about = { title: 'Blog', url: pageUrl(url, number), description: `Articles from ${frame.name}.` }
  return shopAnswer(shopPage(about, frame, content))
}

/** Returns a post's excerpt. One that is generated from the text ends after a whole word, with an ellipsis. */
function teaserOf(post: PostRow): string {
  const excerpt = excerptOf(post)
  if (post.excerpt !== null || excerpt.length < EXCERPT_LENGTH) return excerpt
  return `${excerpt.replace(/\s+\S*$/, '')}…`
}

/** Returns null if no published post has this slug. */
export async function postPage(context: Context, slug: string): Promise<Response | null> {
  const post = await publishedPost(context, slug)
  if (!post) return null
  const frame = await shopFrame(context)
  const category = post.category === null ? undefined : await findRow(context, BlogCategory, post.category)
  const [url, description] = [postUrl(frame.url, post), post.seo_description ?? teaserOf(post)]
  const about = {
    title: post.seo_title ?? post.title,
    url,
    description,
    data: postData(post, { url, description, shop: frame.name }),
    kind: 'article' as const,
    picture: post.featured_image_url,
    unlisted: !post.indexable,
  }
  return shopAnswer(shopPage(about, frame, article(frame.url, post, category?.name)))
}

export function article(storefront: string, post: PostCard, category?: string): Page {
  const head = html`${category ? html`<p class="eyebrow">${category}</p>` : ''}<h1>${post.title}</h1>${byline(post)}`
  const back = html`<p class="onward"><a href="${storefront}/blog">All posts</a></p>`
  return html`${head}${picture(post)}${prose(post.content)}${back}`
}

function byline({ published_at, author }: Pick<PostRow, 'published_at' | 'author'>): Page {
  const day = published_at === null ? '' : html`<time datetime="${published_at}">${formatUtcDay(published_at)}</time>`
  return html`<p class="hint">${day}${author ? html`${day ? ', ' : ''}by ${author}` : ''}</p>`
}

function picture({ featured_image_url: address, featured_image_alt: words }: PostCard): Page | string {
  return address !== null && /^https?:\/\//i.test(address)
    ? html`<img class="featured" src="${address}" alt="${words ?? ''}">`
    : ''
}
