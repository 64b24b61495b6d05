import type { Context } from '../../../records/context.ts'
import { dueJob } from '../../../records/job.ts'
import { changeRow, findRow } from '../../../records/records.ts'
import { Invoice } from './invoice.ts'

/** Marks an invoice past due that is still open at its due date. It can be paid all the same. */
export const markPastDue = dueJob('invoice.past_due', {
  emits: ['invoice.past_due'],
  async work(context: Context, { invoice: id }: { invoice: string }) {
    const invoice = await findRow(context, Invoice, id)
    if (invoice?.status !== 'open' || invoice.due_at > context.now) return
    const late = await changeRow(context, Invoice, invoice, { status: 'past_due', due_job: null })
    context.emit(Invoice, 'past_due', late)
  },
})
