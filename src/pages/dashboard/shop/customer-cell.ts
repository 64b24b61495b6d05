import { html } from 'hono/html'
import { reference } from '../kit/value.ts'
import type { Cell, Viewed } from '../kit/visit.ts'

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
