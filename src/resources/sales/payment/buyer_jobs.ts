import { job } from '../../../records/job.ts'
import { findRow } from '../../../records/records.ts'
import { unlessLost } from './ask.ts'
import { SALE_EVENTS } from './events.ts'
import { giveUpAtProvider, release, settleById } from './jobs.ts'
import { Payment } from './payment.ts'
import { isOpen } from './settle.ts'

interface OfPayment {
  payment: string
}

/** Asks the provider what became of a payment, for a buyer who comes back from its page before its notice. */
export const lookUpPayment = job('payment.look_up', {
  emits: SALE_EVENTS,
  async work(place, { payment: id }: OfPayment) {
    const payment = await place.transaction((context) => findRow(context, Payment, id))
    if (!payment || !isOpen(payment) || payment.reference === null) return
    const { accountId, signal } = place
    const { reference } = payment
    const named = { accountId, key: id, reference, signal }
    const outcome = await unlessLost(place, payment.provider, (provider) => provider.lookUp(named))
    if (outcome) await place.transaction((context) => settleById(context, id, outcome), { inTurn: true })
  },
})

/** Ends a payment at the provider for a buyer who does not want to go on with it. One that was made meanwhile stays made. */
export const takeBackPayment = job('payment.take_back', {
  emits: SALE_EVENTS,
  async work(place, { payment: id }: OfPayment) {
    const payment = await place.transaction((context) => findRow(context, Payment, id))
    if (!payment || !isOpen(payment) || payment.reference === null) return
    await giveUpAtProvider(place, payment, payment.reference)
    await place.transaction((context) => release(context, id, 'The buyer did not continue.'), { inTurn: true })
  },
})
