import { exampleId } from '../../../contract/declarations/noun.ts'
import { inOnePiece } from '../../../contract/values/values.ts'
import type { Context } from '../../../records/context.ts'
import { equals } from '../../../records/filters.ts'
import { type Derived, resource } from '../../../records/resource.ts'
import { verbs } from '../../../records/verbs.ts'
import { CheckoutLink, type CheckoutLinkRow } from './checkout-link.ts'
import { LINK_CHECKS } from './items.ts'
import { createCheckoutLink, deleteCheckoutLink, updateCheckoutLink } from './write.ts'

const { list, create, retrieve, update, remove } = verbs(CheckoutLink)

export const checkoutLinks = resource(CheckoutLink, {
  derive: deriveCheckoutLinks,
  operations: [
    list({
      summary: 'List checkout links',
      filters: { active: equals(CheckoutLink, 'active', 'Only active links, or only inactive ones') },
    }),
    create({
      summary: 'Create a shareable checkout link',
      description:
        'Its checkouts skip prices that are not for sale and a discount that can no longer be used; the page says which. They copy success_url and metadata.',
      example: { price_variants: [exampleId('price')], name: 'Spring sale' },
      emits: ['checkout_link.created'],
      checks: LINK_CHECKS,
      rule: createCheckoutLink,
    }),
    retrieve({ summary: 'Show one checkout link' }),
    update({
      summary: 'Change a checkout link',
      description: 'price_variants replaces all its prices. Checkouts that are already open do not change.',
      emits: ['checkout_link.updated'],
      rule: updateCheckoutLink,
    }),
    remove({
      summary: 'Delete a checkout link',
      description: 'Its url answers 404 from then on. Checkouts that are already open can still be paid.',
      emits: ['checkout_link.deleted'],
      rule: deleteCheckoutLink,
    }),
  ],
})

function deriveCheckoutLinks(rows: CheckoutLinkRow[], { publicUrl }: Context): Derived[] {
  return rows.map(({ id }) => ({ url: inOnePiece(publicUrl, '/l/', id) }))
}
