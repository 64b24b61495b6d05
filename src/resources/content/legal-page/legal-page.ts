import { flag, integer, oneOf, servedAddress, text } from '../../../contract/declarations/kinds.ts'
import { noun, type Row } from '../../../contract/declarations/noun.ts'
import { richText } from '../../../contract/declarations/rich-text.ts'
import { slugField } from '../../../contract/declarations/slug.ts'

/** In the order in which lists show them. */
export const LEGAL_KINDS = ['terms_of_service', 'privacy_policy', 'refund_policy'] as const

export const LegalPage = noun('legal_page', {
  prefix: 'legal',
  group: 'LegalPages',
  area: 'content',
  description: 'One of the three legal pages of the shop: terms of service, privacy policy, refund policy.',
  gist: 'terms, privacy',
  slug: true,
  listOrder: 'terms of service, privacy policy, refund policy',
  events: ['updated'],
  hidden: { place: integer('Place in lists, from 1') },
  fields: {
    kind: oneOf(LEGAL_KINDS, 'Kind of page; each account has one of each').readOnly(),
    slug: slugField('The kind, with hyphens; usable in place of the id').readOnly(),
    title: text('Title', { max: 200, example: 'Terms of service' }).required().updateOnly(),
    content: richText('Text as HTML; scripts and styles are removed', 200_000, '<p>We ship within two days.</p>')
      .required()
      .updateOnly(),
    published: flag('Whether visitors can read it at url').required().updateOnly(),
    url: servedAddress('Public page, once it is published', 'https://shop.example/s/adas-books/legal/terms-of-service'),
  },
})

export type LegalPageRow = Row<typeof LegalPage>
