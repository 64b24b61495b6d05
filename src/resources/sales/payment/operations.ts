import { resource } from '../../../records/resource.ts'
import { lookUpPayment, takeBackPayment } from './buyer_jobs.ts'
import { inspectConnection } from './connection/inspect.ts'
import { tellOfRefusal } from './connection/tell_of_refusal.ts'
import { abandonPayment, chargePayment, collectPayment, settlePayment } from './jobs.ts'
import { Payment } from './payment.ts'
import { returnMoney } from './return.ts'
import { handInTransfer, lookAgain } from './transfer.ts'

export const payments = resource(Payment, {
  jobs: [
    tellOfRefusal,
    inspectConnection,
    collectPayment,
    chargePayment,
    settlePayment,
    abandonPayment,
    lookUpPayment,
    takeBackPayment,
    returnMoney,
    handInTransfer,
    lookAgain,
  ],
})
