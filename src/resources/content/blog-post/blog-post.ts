import {
  flag,
  longText,
  oneOf,
  reference,
  servedAddress,
  text,
  timestamp,
  webAddress,
} from '../../../contract/declarations/kinds.ts'
import { exampleId, noun, type Row, readOnly } from '../../../contract/declarations/noun.ts'
import { richText } from '../../../contract/declarations/rich-text.ts'
import { slugField } from '../../../contract/declarations/slug.ts'

const TITLE = text('Title', { min: 3, max: 200, example: 'Ten things to know about Ruby' })
const SLUG = slugField('Name in URLs, usable in place of the id')
const CONTENT = richText('Article text as HTML', 200_000, '<p>Ruby is …</p>')
const EXCERPT = longText(
  'Summary; without a written one, the first 200 characters of the content as plain text',
  1000,
).nullable('never shown')
const SEO_TITLE = text('Title for search engines', { max: 60, example: 'Ten facts about Ruby' }).nullable('none')
const SEO_DESCRIPTION = text('Description for search engines', {
  max: 160,
  example: 'What to know first.',
}).nullable('none')
const PICTURE_TEXT = text('Alternative text of the cover image', {
  max: 300,
  example: 'A red gem on a book',
}).nullable('decorative image')
const INDEXABLE = flag('Whether search engines may list it', true)

/** The fields that authors write. Only actions change the status, and the creator is the author. */
export const WRITTEN = {
  title: TITLE.required(),
  content: CONTENT.default(''),
  excerpt: longText('Summary in lists', 1000, 'What to know first.').nullable('the beginning of the article'),
  category: reference('blog_category', 'Category', exampleId('bcat')).nullable('no category'),
  featured_image_url: webAddress('Picture at the top', 'https://shop.example/files/ruby.png').nullable('no picture'),
  featured_image_alt: PICTURE_TEXT,
  slug: slugField('End of its address. Absent: made from the title'),
  seo_title: SEO_TITLE,
  seo_description: SEO_DESCRIPTION,
  indexable: INDEXABLE.default(true),
}

export const BlogPost = noun('blog_post', {
  prefix: 'post',
  group: 'BlogPosts',
  area: 'content',
  description: 'An article on the shop’s blog. Read-only: posts are written in the dashboard.',
  gist: 'article',
  slug: true,
  listOrder: 'newest first by published_at, else created_at',
  searchable: ['title', 'slug', 'excerpt'],
  foundBy: ['title', 'slug'],
  events: ['created', 'updated', 'deleted'],
  eventsStayInside: true,
  example: { status: 'published', category: 'guides', scheduled_at: null },
  fields: readOnly({
    title: TITLE,
    slug: SLUG,
    content: CONTENT,
    status: oneOf(
      ['draft', 'published', 'scheduled', 'archived'],
      'Readers see only published posts; a scheduled post is published at scheduled_at',
    ),
    excerpt: EXCERPT,
    url: servedAddress('Public page, once it is published', 'https://shop.example/s/adas-books/blog/ten-things'),
    category: reference('blog_category', 'Slug of its category', 'guides', { collapsedTo: 'slug' })
      .nullable('no category')
      .expandable(),
    published_at: timestamp('When it was published').nullable('not published yet'),
    seo_title: SEO_TITLE,
    seo_description: SEO_DESCRIPTION,
    indexable: INDEXABLE,
    featured_image_url: text('URL of the cover image', {
      max: 2048,
      example: 'https://shop.example/files/ruby.png',
    }).nullable('no picture'),
    featured_image_alt: PICTURE_TEXT,
    scheduled_at: timestamp('When it will be published').nullable('not scheduled'),
    author: text('Name of the author', { max: 100, example: 'Ada Lovelace' }).nullable('unknown'),
  }),
})

export type BlogPostRow = Row<typeof BlogPost>
