import { type Bill, billRows } from '../../words/bill.ts'
import type { Page } from './document.ts'
import { type Fact, factList } from './facts.ts'

/** A bill as rows that add up, aligned at their decimals. `kind` is the class of the list. */
export function billList(kind: string, bill: Bill): Page {
  const rows = billRows(bill).map(({ kind, label, value }): Fact => [label, value, { kind: `bill-row bill-${kind}` }])
  return factList(`bill ${kind}`, rows)
}
