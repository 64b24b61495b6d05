import { job } from '../../../../records/job.ts'
import { findRow } from '../../../../records/records.ts'
import { rowsOf } from '../../../../records/rows-of.ts'
import { sendSecretLetter } from '../../../messages/email/secret_letter.ts'
import { buyerLinkLetter } from '../../../messages/email/templates/buyer_link.ts'
import { newAddressLetter } from '../../../messages/email/templates/new_address.ts'
import { Customer } from '../customer.ts'
import { makeLink } from './links.ts'

const ATTEMPTS = 5

/**
 * Mails whoever is a customer with an address a link to the page of what was bought. It is enqueued for addresses that no customer
 * has, too, so that whoever asks cannot tell them by the time that it takes. Each attempt makes its own link, so no job holds a secret.
 */
export const mailBuyerLink = job<{ email: string }>('customer.mail_buyer_link', {
  attempts: ATTEMPTS,
  async work(place, { email }) {
    const link = await place.transaction(async (context) => {
      const known = rowsOf(context, 'customers').select('id').where('email', '=', email)
      const customer = await known.executeTakeFirst()
      return customer ? makeLink(context, { purpose: 'sign_in', customer: customer.id, email }) : null
    })
    if (link !== null)
      await sendSecretLetter(place, { kind: 'buyer_link', to: email }, (shop) => buyerLinkLetter({ link }, shop))
    await place.finish(async () => {})
  },
})

/** Mails a link to an address that a customer wants to have from now on. */
export const mailAddressLink = job<{ customer: string; email: string }>('customer.mail_address_link', {
  attempts: ATTEMPTS,
  async work(place, { customer: id, email }) {
    const link = await place.transaction(async (context) => {
      const customer = await findRow(context, Customer, id)
      return customer ? makeLink(context, { purpose: 'address', customer: id, email }) : null
    })
    if (link !== null)
      await sendSecretLetter(place, { kind: 'buyer_link', to: email }, (shop) => newAddressLetter({ link }, shop))
    await place.finish(async () => {})
  },
})
