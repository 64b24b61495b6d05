import { z } from 'zod'
import {
  collection,
  integer,
  longText,
  metadata,
  oneOf,
  references,
  servedAddress,
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
    slug: slugField(
      'Name in addresses, usable in place of the id. Absent: made from the name, with -1, -2, … when taken. A given one that is taken is 422',
    ),
    status: oneOf(
      ['draft', 'active', 'archived'],
      'draft: not sold yet; active: on sale; archived: no longer sold, its orders stay',
    ).default('draft'),
    description: longText('Plain text', 5000, 'Everything about Ruby.').nullable('none'),
    body_html: richText(
      'Rich text as HTML; scripts and styles are removed',
      200_000,
      '<p>Everything about Ruby.</p>',
    ).nullable('none'),
    button_cta: text('Text of the buy button', { max: 50, example: 'Buy now' }).nullable('the usual text'),
    url: servedAddress(
      'Page in the storefront, for everybody while it is active; follows the slug',
      'https://shop.example/s/adas-books/p/ruby-handbook',
    ),
    available_from: timestamp('Sold from this moment on, inclusive').nullable('no start'),
    available_until: timestamp(
      'Sold until this moment, exclusive; later than available_from',
      '2027-01-15T10:30:00Z',
    ).nullable('no end'),
    published_at: timestamp('When it last became active').nullable('not active').readOnly(),
    reviews_count: integer('Number of published reviews', { min: 0, example: 12 }).readOnly(),
    average_rating: structure('number', z.number(), 'Average of its published reviews, one decimal', 4.5, {
      unit: 'stars',
    })
      .nullable('no published review')
      .derived(),
    media: references('file', 'Ids of ready files in the order of the gallery; a change replaces them all', {
      max: 50,
    }).inputOnly(),
    media_gallery: structure(
      'array',
      gallery,
      'Pictures and videos as {id, type, url}, in order; written as media',
      [],
    ).derived(),
    tax_code: text('Tax code; only stored, since prices are final', { max: 50, example: 'txcd_10302000' }).nullable(
      'none',
    ),
    seo_title: text('Title for search engines', { max: 60, example: 'Ruby Handbook' }).nullable('none'),
    seo_description: text('Description for search engines', { max: 160, example: 'Learn Ruby in a week.' }).nullable(
      'none',
    ),
    price_variants: collection('price_variant', 'Its prices by position, without archived and hidden ones'),
    reviews: collection('review', 'Its first 100 reviews by position, unpublished ones too; GET /reviews has all', {
      onlyExpanded: true,
    }),
    metadata: metadata(),
  },
})
