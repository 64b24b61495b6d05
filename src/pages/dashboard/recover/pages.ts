import type { DashboardPage } from '../kit/visit.ts'
import { chargeNow, mailPaymentLink, showPaymentLink } from './actions.ts'
import { recover } from './recover.ts'

/** Pages about payments that failed. */
export const RECOVER_PAGES: DashboardPage[] = [recover, showPaymentLink, mailPaymentLink, chargeNow]
