import { html } from 'hono/html'
import { reference } from '../kit/value.ts'
import type { Cell } from '../kit/visit.ts'

/** A buyer by name, or by address where no name is known. */
export const customerCell: Cell = {
  title: 'Customer',
  show: (visit, { customer }) => {
    if (customer === null || customer === undefined) return html`<span class="none">–</span>`
    return reference(visit, 'customer', customer)
  },
}
