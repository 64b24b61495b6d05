import type { Context } from '../../../records/context.ts'
import { customerWithEmail } from '../../sales/checkout/buyer.ts'
import { Customer, type CustomerRow } from '../customer/customer.ts'
import { announceLead, createCustomer, setTags, tagCustomer } from '../customer/write.ts'
import type { FormRow } from '../form/form.ts'
import { tagsOf } from '../form/show.ts'

interface Respondent {
  /** Null if the submission has no e-mail address. */
  customer: CustomerRow | null
  made: boolean
}

/** Finds the customer by address, or creates a lead. If `waits` is true, `lead.created` is postponed until the confirmation. */
export async function respondentOf(
  context: Context,
  { email, name }: { email: string | null; name: string | null },
  { waits }: { waits: boolean },
): Promise<Respondent> {
  if (email === null) return { customer: null, made: false }
  const known = await customerWithEmail(context, email)
  if (!known) {
    const customer = await createCustomer(context, { email, name, metadata: {} }, { announced: !waits })
    return { customer, made: true }
  }
  if (!waits) await announceLead(context, known)
  return { customer: known, made: false }
}

/** A new customer (`made`) needs no `customer.updated`, because `customer.created` shows the tags. */
export async function tagRespondent(
  context: Context,
  form: FormRow,
  customer: CustomerRow,
  { made = false } = {},
): Promise<void> {
  const tags = await tagsOf(context, form)
  if (made) {
    await setTags(context, customer.id, tags, 'add')
    return
  }
  await context.remember(Customer, [customer])
  await tagCustomer(context, customer, { tags, mode: 'add' })
}
