import type { DashboardPage } from '../kit/visit.ts'
import { account, settings, x402 } from './account.ts'
import { branding, brandingPreview, ownDomain } from './branding.ts'
import { connections } from './connections.ts'
import { credits } from './credits.ts'
import { deletion } from './deletion.ts'
import { email } from './email.ts'
import { deleteExport, downloadExport, exports } from './export.ts'
import { buyerLetters, letterDocument, letters, ownLetters, previewPage } from './letters.ts'
import { model, removeModel } from './model.ts'
import { checkPayments, payments, payOnboarded, payOnboarding } from './payments.ts'
import { removePayments } from './remove-payments.ts'
import { storage } from './storage.ts'
import { tax } from './tax.ts'
import { advanceClock, deleteTestAccount, testAccounts } from './test-accounts.ts'

export const SETTINGS: DashboardPage[] = [
  settings,
  account,
  branding,
  brandingPreview,
  ownDomain,
  payments,
  checkPayments,
  payOnboarding,
  payOnboarded,
  removePayments,
  tax,
  connections,
  model,
  removeModel,
  email,
  letters,
  buyerLetters,
  ownLetters,
  previewPage,
  letterDocument,
  x402,
  credits,
  storage,
  testAccounts,
  advanceClock,
  deleteTestAccount,
  exports,
  downloadExport,
  deleteExport,
  deletion,
]
