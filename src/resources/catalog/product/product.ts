import { z } from 'zod'
import { invalid } from '../../../contract/declarations/errors.ts'
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
} from '../../../contract/declarations/kinds.ts'
import { noun, type Row } from '../../../contract/declarations/noun.ts'
import { richText } from '../../../contract/declarations/rich-text.ts'
import { slugField } from '../../../contract/declarations/slug.ts'

const gallery = z.array(z.object({ id: z.string(), type: z.string(), url: z.string().nullable() }))

export const Product = noun('product', {
  prefix: 'prod',
  group: 'Products',
  area: 'products',
  description: 'Something the shop sells, at the prices of its price variants.',
  gist: 'thing for sale',
  slug: true,
  searchable: ['name', 'slug'],
  foundBy: ['name', 'slug'],
  events: ['created', 'updated', 'deleted'],
  hidden: { ratings_total: integer('The sum of the stars of its published reviews').default(0) },
  fields: {
    name: text('Name shown to buyers', { max: 100, example: 'Ruby Handbook' }).required(),
    slug: slugField(
      'Name in URLs, usable in place of the id. Default: made from the name, with -1, -2, … when taken. A given one that is taken is 422',
    ),
    status: oneOf(
      ['draft', 'active', 'archived'],
      'draft: not sold yet; active: on sale; archived: no longer sold, its orders are kept',
    ).default('draft'),
    description: longText('Plain text', 5000, 'Everything about Ruby.').nullable('none'),
    body_html: richText(
      'Rich text as HTML; scripts and styles are removed',
      200_000,
      '<p>Everything about Ruby.</p>',
    ).nullable('none'),
    button_cta: text('Text of the buy button', { max: 50, example: 'Buy now' }).nullable('the default text'),
    url: servedAddress(
      'Storefront page, public while it is active; changes with the slug',
      'https://shop.example/s/adas-books/p/ruby-handbook',
    ),
    available_from: timestamp(
      'Start of sale, inclusive; until then an active product is public but cannot be bought',
    ).nullable('no start'),
    available_until: timestamp('End of sale, exclusive; must be after available_from', '2027-01-15T10:30:00Z').nullable(
      'no end',
    ),
    published_at: timestamp('When it last became active').nullable('not active').readOnly(),
    reviews_count: integer('Number of published reviews', { min: 0, example: 12 }).readOnly(),
    average_rating: structure('number', z.number(), 'Average of its published reviews, one decimal', 4.5, {
      unit: 'stars',
    })
      .nullable('no published reviews')
      .derived(),
    media: references('file', 'Ids of ready files, in gallery order; a change replaces all', {
      max: 50,
    }).inputOnly(),
    media_gallery: structure(
      'array',
      gallery,
      'Pictures and videos as {id, type, url}, in order; written as media',
      [],
    ).derived(),
    tax_code: text('Tax code: tax_rates of the account with this code apply to it; shown on receipts', {
      max: 50,
      example: 'txcd_10302000',
    }).nullable('none'),
    seo_title: text('Title for search engines', { max: 60, example: 'Ruby Handbook' }).nullable('none'),
    seo_description: text('Description for search engines', { max: 160, example: 'Learn Ruby in a week.' }).nullable(
      'none',
    ),
    price_variants: collection('price_variant', 'Its prices by position, except archived and hidden ones'),
    reviews: collection(
      'review',
      'Its first 100 reviews by position, including unpublished ones; GET /reviews has all',
      {
        onlyExpanded: true,
      },
    ),
    metadata: metadata(),
  },
})

export type ProductRow = Row<typeof Product>

export function requireWindow({
  available_from,
  available_until,
}: {
  available_from?: string | null
  available_until?: string | null
}): void {
  if (available_from && available_until && available_until <= available_from) {
    throw invalid({ available_until: ['must be after available_from'] })
  }
}
