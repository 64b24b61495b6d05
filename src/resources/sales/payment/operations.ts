import { resource } from '../../../records/resource.ts'
import { inspectConnection, tellOfRefusal } from './connection/inspect.ts'
import { Payment } from './payment.ts'
import {
  abandonPayment,
  chargePayment,
  collectPayment,
  lookUpPayment,
  returnMoney,
  settlePayment,
  takeBackPayment,
} from './settle.ts'
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
