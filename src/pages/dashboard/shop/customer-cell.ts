import { html } from 'hono/html'
import { nameOf } from '../kit/labels.ts'
import { reference } from '../kit/value.ts'
import type { Viewed } from '../kit/view.ts'
import type { Cell } from '../kit/visit.ts'

/** What belongs to a buyer: an id, or the buyer as answers show one. */
interface OfCustomer {
  customer: Viewed<'order' | 'invoice'>['customer'] | null
}

/** A buyer by name, or by address where no name is known. */
export const customerCell: Cell<OfCustomer> = {
  title: 'Customer',
  show: (visit, { customer }) => {
    if (customer === null) return html`<span class="none">–</span>`
    return reference(visit, 'customer', customer)
  },
}

/** What a customer is called in sentences. */
export function customerName({ customer }: OfCustomer): string {
  return typeof customer === 'object' && customer !== null ? nameOf(customer) : 'The buyer'
}
