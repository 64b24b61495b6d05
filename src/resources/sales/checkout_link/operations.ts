import { exampleId } from '../../../contract/noun.ts'
import { equals } from '../../../records/filters.ts'
import { resource } from '../../../records/resource.ts'
import { verbs } from '../../../records/verbs.ts'
import { CheckoutLink } from './checkout_link.ts'
import { createCheckoutLink } from './create.ts'
import { deleteCheckoutLink } from './delete.ts'
import { LINK_CHECKS } from './items.ts'
import { deriveCheckoutLinks } from './show.ts'
import { updateCheckoutLink } from './update.ts'

const { list, create, retrieve, update, remove } = verbs(CheckoutLink)

export const checkoutLinks = resource(CheckoutLink, {
  derive: deriveCheckoutLinks,
  operations: [
    list({
      summary: 'List checkout links',
      filters: { active: equals(CheckoutLink, 'active', 'Only active links, or only others') },
    }),
    create({
      summary: 'Create a shareable checkout link',
      description:
        'Its checkouts leave out prices that are not for sale at that moment, and a discount that can no longer be used; the page says which. They take over success_url and metadata.',
      example: { price_variants: [exampleId('price')], name: 'Spring sale' },
      emits: ['checkout_link.created'],
      checks: LINK_CHECKS,
      rule: createCheckoutLink,
    }),
    retrieve({ summary: 'Show one checkout link' }),
    update({
      summary: 'Change a checkout link',
      description: 'price_variants replaces all its prices. Checkouts that are open already stay as they are.',
      emits: ['checkout_link.updated'],
      rule: updateCheckoutLink,
    }),
    remove({
      summary: 'Delete a checkout link',
      description: 'Its url is a 404 from then on. Checkouts that are open already can still be paid.',
      emits: ['checkout_link.deleted'],
      rule: deleteCheckoutLink,
    }),
  ],
})
