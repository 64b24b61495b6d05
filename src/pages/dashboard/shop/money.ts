import { html } from 'hono/html'
import { formatShortDay } from '../../../format/moments.ts'
import { formatMoney } from '../../../format/money.ts'
import type { Page } from '../../parts/markup.ts'
import { reference } from '../kit/value.ts'
import type { Cell, DashboardContext, Viewed } from '../kit/visit.ts'

export const customerCell: Cell<{ customer: Viewed<'order' | 'invoice'>['customer'] | null }> = {
  title: 'Customer',
  show: (visit, { customer }) => {
    if (customer === null) return html`<span class="none">–</span>`
    return reference(visit, 'customer', customer)
  },
}

type Priced<Name extends string> = { readonly [Key in Name]: number | null } & { readonly currency: string }

export function amountOf<Name extends string = 'amount'>(
  values: Priced<NoInfer<Name>>,
  field: Name = 'amount' as Name,
): string {
  return formatMoney(values[field] ?? 0, values.currency)
}

export function amount<Name extends string = 'amount'>(
  values: Priced<NoInfer<Name>>,
  field: Name = 'amount' as Name,
): Page {
  return html`<span class="number">${amountOf(values, field)}</span>`
}

export function day({ account }: DashboardContext, timestamp: string | null): string {
  return timestamp === null ? '–' : formatShortDay(timestamp, account.timezone)
}
