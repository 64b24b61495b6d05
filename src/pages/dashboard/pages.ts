import { askPage } from './agents/ask.ts'
import { backgroundView } from './agents/background.ts'
import { planPages } from './agents/plan-page.ts'
import { plansPage } from './agents/plans.ts'
import { playgroundPages } from './agents/playground.ts'
import { runPage } from './agents/run-page.ts'
import { runsPage } from './agents/runs.ts'
import { runPages, taskRunView } from './automation/runs.ts'
import { sourceView } from './automation/sources.ts'
import { taskPages, taskView } from './automation/tasks.ts'
import { blogCategoryView, blogPostView, preview } from './content/blog.ts'
import { experienceView } from './content/experiences.ts'
import { filePages, fileView } from './content/files.ts'
import { formPages, formView, legalPageView, submissionView } from './content/forms.ts'
import { clientConnections } from './developers/connections.ts'
import { delivery, deliveryView, resendDelivery } from './developers/delivery.ts'
import { endpoint } from './developers/endpoint.ts'
import { event, events } from './developers/events.ts'
import { request, requests } from './developers/requests.ts'
import { deleteToken, developers, tokens } from './developers/tokens.ts'
import { newEndpoint, webhooks } from './developers/webhooks.ts'
import { home } from './home/home.ts'
import type { DashboardPage, NamedView } from './kit/visit.ts'
import { logView } from './members/log.ts'
import { members } from './members/members.ts'
import { chargeNow, mailPaymentLink, showPaymentLink } from './recover/actions.ts'
import { recover } from './recover/recover.ts'
import { reportCsv, reportPage } from './reports/reports.ts'
import { search } from './search/search.ts'
import { account, settings, x402 } from './settings/account.ts'
import { branding, brandingPreview, ownDomain } from './settings/branding.ts'
import { connections } from './settings/connections.ts'
import { credits } from './settings/credits.ts'
import { deletion } from './settings/deletion.ts'
import { email } from './settings/email.ts'
import { deleteExport, downloadExport, exports } from './settings/export.ts'
import { buyerLetters, letterDocument, letters, ownLetters, previewPage } from './settings/letters.ts'
import { model, removeModel } from './settings/model.ts'
import { checkPayments, payments, payOnboarded, payOnboarding } from './settings/payments.ts'
import { removePayments } from './settings/remove-payments.ts'
import { storage } from './settings/storage.ts'
import { tax } from './settings/tax.ts'
import { advanceClock, deleteTestAccount, testAccounts } from './settings/test-accounts.ts'
import { checkoutLinkView, checkoutView } from './shop/checkout-links.ts'
import { customerView, setTags } from './shop/customers.ts'
import { discountView } from './shop/discounts.ts'
import { disputeView } from './shop/disputes.ts'
import { editorPages } from './shop/editor/pages.ts'
import { emailDocument, emailView } from './shop/emails.ts'
import { invoiceFile, invoiceView, receiptPaper } from './shop/invoices.ts'
import { orderView } from './shop/orders.ts'
import { priceView, productView } from './shop/products.ts'
import { refundPage, refundView } from './shop/refund.ts'
import { publishReview, reviewView } from './shop/reviews.ts'
import { subscriptionView } from './shop/subscriptions.ts'
import { tagView } from './shop/tags.ts'
import { you } from './you/you.ts'

/** The views of the core's resources. */
export const VIEWS: readonly NamedView[] = [
  productView,
  priceView,
  orderView,
  refundView,
  disputeView,
  customerView,
  checkoutView,
  emailView,
  subscriptionView,
  invoiceView,
  discountView,
  checkoutLinkView,
  reviewView,
  tagView,
  blogPostView,
  blogCategoryView,
  experienceView,
  fileView,
  formView,
  submissionView,
  legalPageView,
  taskView,
  taskRunView,
  sourceView,
  backgroundView,
  logView,
  deliveryView,
]

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

export const HAND_MADE: DashboardPage[] = [
  home,
  reportPage,
  reportCsv,
  search,
  ...editorPages,
  refundPage,
  receiptPaper,
  invoiceFile,
  setTags,
  publishReview,
  emailDocument,
  recover,
  showPaymentLink,
  mailPaymentLink,
  chargeNow,
  askPage,
  runsPage,
  runPage,
  plansPage,
  ...planPages,
  ...playgroundPages,
  developers,
  tokens,
  deleteToken,
  ...clientConnections,
  webhooks,
  newEndpoint,
  endpoint,
  delivery,
  resendDelivery,
  events,
  event,
  requests,
  request,
  // The pages with these paths replace the derived pages.
  { ...webhooks, path: '/webhook_endpoints' },
  { ...newEndpoint, path: '/webhook_endpoints/new' },
  { ...endpoint, path: '/webhook_endpoints/:id' },
  { ...tokens, path: '/api_tokens/new', see: 'self.token' },
  ...SETTINGS,
  ...members,
  preview,
  ...filePages,
  ...formPages,
  ...taskPages,
  ...runPages,
  ...you,
]
