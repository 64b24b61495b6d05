import { flag, longText, oneOf, reference, text, timestamp } from '../../../contract/kinds.ts'
import { noun } from '../../../contract/noun.ts'
import { slugField } from '../../../contract/slug.ts'

export const BlogPost = noun('blog_post', {
  prefix: 'post',
  group: 'BlogPosts',
  description: 'An article of the shop’s blog.',
  slug: true,
  listOrder: 'newest publication first',
  searchable: ['title', 'slug', 'excerpt'],
  example: { status: 'published', category: 'guides', scheduled_at: null },
  fields: {
    title: text('Title', { min: 3, max: 200, example: 'Ten things to know about Ruby' }).readOnly(),
    slug: slugField('Usable in place of the id').readOnly(),
    content: longText('The article as HTML', 200_000, '<p>Ruby is …</p>').readOnly(),
    status: oneOf(['draft', 'published', 'scheduled', 'archived'], 'Lists show all unless filtered').readOnly(),
    excerpt: longText('A summary; the first 200 characters of the content where nobody wrote one', 1000)
      .nullable()
      .readOnly(),
    url: text('Where readers find it', { max: 2048, example: 'https://shop.example/blog/ten-things' }).derived(),
    category: reference('blog_category', 'Slug of its category', 'guides').nullable().readOnly().expandable(),
    published_at: timestamp('When it was published').nullable().readOnly(),
    seo_title: text('Title for search engines', { max: 60, example: 'Ten facts about Ruby' }).nullable().readOnly(),
    seo_description: text('Description for search engines', { max: 160, example: 'What to know first.' })
      .nullable()
      .readOnly(),
    indexable: flag('Whether search engines may list it', true).readOnly(),
    featured_image_url: text('Picture at the top', { max: 2048, example: 'https://shop.example/files/ruby.png' })
      .nullable()
      .readOnly(),
    scheduled_at: timestamp('When it will be published').nullable().readOnly(),
    author: text('Who wrote it', { max: 100, example: 'Ada Lovelace' }).nullable().readOnly(),
  },
})
