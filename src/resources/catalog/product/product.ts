import { z } from 'zod'
import {
  collection,
  integer,
  longText,
  metadata,
  oneOf,
  references,
  structure,
  text,
  timestamp,
} from '../../../contract/kinds.ts'
import { noun } from '../../../contract/noun.ts'
import { richText } from '../../../contract/rich-text.ts'
import { slugField } from '../../../contract/slug.ts'

const gallery = z.array(z.object({ id: z.string(), type: z.string(), url: z.string().nullable() }))

export const Product = noun('product', {
  prefix: 'prod',
  group: 'Products',
  description: 'Something the shop sells, at the prices of its price variants.',
  slug: true,
  searchable: ['name', 'slug'],
  events: ['created', 'updated', 'deleted'],
  hidden: { ratings_total: integer('The sum of the stars of its published reviews').default(0) },
  fields: {
    name: text('Name that buyers see', { max: 100, example: 'Ruby Handbook' }).required(),
    slug: slugField('Usable in place of the id; made from the name when absent, then with -1, -2, … when taken'),
    status: oneOf(['draft', 'active', 'archived'], 'Only active products can be bought').default('draft'),
    description: longText('Plain text', 5000, 'Everything about Ruby.').nullable(),
    body_html: richText(
      'Rich text; scripts and styles are removed',
      200_000,
      '<p>Everything about Ruby.</p>',
    ).nullable(),
    button_cta: text('Words on the button', { max: 50, example: 'Buy now' }).nullable(),
    url: text('Address in the storefront', { max: 2048, example: 'https://shop.example/p/ruby-handbook' }).derived(),
    available_from: timestamp('Not sold before').nullable(),
    available_until: timestamp('Not sold after; later than available_from', '2027-01-15T10:30:00Z').nullable(),
    published_at: timestamp('When it last became active; null while it is not').nullable().readOnly(),
    reviews_count: integer('Published reviews', { min: 0, example: 12 }).readOnly(),
    average_rating: structure('number', z.number(), 'Average of the published reviews, one decimal', 4.5)
      .nullable()
      .derived(),
    media: references('file', 'Ids of ready files, in the order of the gallery', { max: 50 }).inputOnly(),
    media_gallery: structure('array', gallery, 'Pictures and videos, in order', []).derived(),
    tax_code: text('Tax code', { max: 50, example: 'txcd_10302000' }).nullable(),
    seo_title: text('Title for search engines', { max: 60, example: 'Ruby Handbook' }).nullable(),
    seo_description: text('Description for search engines', { max: 160, example: 'Learn Ruby in a week.' }).nullable(),
    price_variants: collection('price_variant', 'Its prices, by position, without archived and hidden ones'),
    reviews: collection('review', 'Its first 100 reviews, by position; only when expanded', { onlyExpanded: true }),
    metadata: metadata(),
  },
})
