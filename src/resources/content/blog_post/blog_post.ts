import { flag, longText, oneOf, reference, servedAddress, text, timestamp } from '../../../contract/kinds.ts'
import { noun } from '../../../contract/noun.ts'
import { slugField } from '../../../contract/slug.ts'

export const BlogPost = noun('blog_post', {
  prefix: 'post',
  group: 'BlogPosts',
  description: 'An article of the blog of the shop; read-only.',
  slug: true,
  listOrder: 'newest first by published_at, else created_at',
  searchable: ['title', 'slug', 'excerpt'],
  example: { status: 'published', category: 'guides', scheduled_at: null },
  fields: {
    title: text('Title', { min: 3, max: 200, example: 'Ten things to know about Ruby' }).readOnly(),
    slug: slugField('Name in addresses, usable in place of the id').readOnly(),
    content: longText('Text of the article as HTML', 200_000, '<p>Ruby is …</p>').readOnly(),
    status: oneOf(
      ['draft', 'published', 'scheduled', 'archived'],
      'Readers see published posts only; a scheduled one is published at scheduled_at',
    ).readOnly(),
    excerpt: longText('Summary; without a written one, the first 200 characters of the content as plain text', 1000)
      .nullable('never shown')
      .readOnly(),
    url: servedAddress('Page for readers, once it is published', 'https://shop.example/s/adas-books/blog/ten-things'),
    category: reference('blog_category', 'Its category, by slug rather than id', 'guides', { collapsedTo: 'slug' })
      .nullable('no category')
      .readOnly()
      .expandable(),
    published_at: timestamp('When it was published').nullable('not published yet').readOnly(),
    seo_title: text('Title for search engines', { max: 60, example: 'Ten facts about Ruby' })
      .nullable('none')
      .readOnly(),
    seo_description: text('Description for search engines', { max: 160, example: 'What to know first.' })
      .nullable('none')
      .readOnly(),
    indexable: flag('Whether search engines may list it', true).readOnly(),
    featured_image_url: text('Address of the picture at the top', {
      max: 2048,
      example: 'https://shop.example/files/ruby.png',
    })
      .nullable('no picture')
      .readOnly(),
    scheduled_at: timestamp('When it will be published').nullable('not scheduled').readOnly(),
    author: text('Name of the author', { max: 100, example: 'Ada Lovelace' }).nullable('unknown').readOnly(),
  },
})
