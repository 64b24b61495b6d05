import { html } from 'hono/html'
import { nameOf } from '../kit/labels.ts'
import { reference } from '../kit/value.ts'
import type { Cell, Values } from '../kit/visit.ts'

/** A buyer by name, or by address where no name is known. */
export const customerCell: Cell = {
  title: 'Customer',
  show: (visit, { customer }) => {
    if (customer === null || customer === undefined) return html`<span class="none">–</span>`
    return reference(visit, 'customer', customer)
  },
}

/** What a customer is called in sentences. */
function customerName(values: Values): string {
  return typeof values.customer === 'object' && values.customer !== null
    ? nameOf(values.customer as Values)
    : 'The buyer'
}
