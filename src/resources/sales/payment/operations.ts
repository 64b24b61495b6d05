import { resource } from '../../../records/resource.ts'
import { inspectConnection, tellOfRefusal } from './connection/inspect.ts'
import { abandonPayment, chargePayment, collectPayment, lookUpPayment, settlePayment, takeBackPayment } from './jobs.ts'
import { returnMoney } from './late-money.ts'
import { Payment } from './payment.ts'
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
