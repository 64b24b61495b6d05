import { type Bill, type BillRow, billRows } from '../../words/bill.ts'
import { type Fact, factList, type Page } from './markup.ts'

/** The classes of a row of a bill, by what the row is. */
export const BILL_ROWS: Record<BillRow['kind'], string> = {
  step: 'bill-row',
  less: 'bill-row bill-less',
  total: 'bill-row bill-total',
  within: 'bill-row bill-within',
  left: 'bill-row bill-left',
}

/** A bill as rows that add up, aligned at their decimals. `kind` is the class of the list. */
export function billList(kind: string, bill: Bill): Page {
  const rows = billRows(bill).map(({ kind, label, value }): Fact => [label, value, { kind: BILL_ROWS[kind] }])
  return factList(`bill ${kind}`, rows)
}
