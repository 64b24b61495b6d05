import { job } from '../../../../records/job.ts'
import { findRow } from '../../../../records/records.ts'
import { rowsOf } from '../../../../records/rows-of.ts'
import { sendSecretLetter } from '../../../messages/email/secret-letter.ts'
import { buyerLinkLetter } from '../../../messages/email/templates/buyer-link.ts'
import { newAddressLetter } from '../../../messages/email/templates/new-address.ts'
import { Customer } from '../customer.ts'
import { makeLink } from './links.ts'

const ATTEMPTS = 5

/**
 * Runs for unknown addresses too, so that response times do not reveal customers. Each attempt creates its own link, so that no job
 * stores a secret.
 */
export const mailBuyerLink = job<{ email: string }>('customer.mail_buyer_link', {
  attempts: ATTEMPTS,
  async work(job, { email }) {
    const link = await job.transaction(async (context) => {
      const known = rowsOf(context, 'customers').select('id').where('email', '=', email)
      const customer = await known.executeTakeFirst()
      return customer ? makeLink(context, { purpose: 'sign_in', customer: customer.id, email }) : null
    })
    if (link !== null)
      await sendSecretLetter(job, { kind: 'buyer_link', to: email }, (shop) => buyerLinkLetter({ link }, shop))
    await job.finish(async () => {})
  },
})

/** Mails a confirmation link to a customer's new address. */
export const mailAddressLink = job<{ customer: string; email: string }>('customer.mail_address_link', {
  attempts: ATTEMPTS,
  async work(job, { customer: id, email }) {
    const link = await job.transaction(async (context) => {
      const customer = await findRow(context, Customer, id)
      return customer ? makeLink(context, { purpose: 'address', customer: id, email }) : null
    })
    if (link !== null)
      await sendSecretLetter(job, { kind: 'buyer_link', to: email }, (shop) => newAddressLetter({ link }, shop))
    await job.finish(async () => {})
  },
})
