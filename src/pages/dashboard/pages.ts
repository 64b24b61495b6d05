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
import { blogCategoryView, blogPostPreviewPage, blogPostView } from './content/blog.ts'
import { experienceView } from './content/experiences.ts'
import { filePages, fileView } from './content/files.ts'
import { formPages, formView, legalPageView, submissionView } from './content/forms.ts'
import { clientConnectionPages } from './developers/connections.ts'
import { deliveryPage, deliveryView, resendDelivery } from './developers/delivery.ts'
import { endpointPage } from './developers/endpoint.ts'
import { eventPage, eventsPage } from './developers/events.ts'
import { requestPage, requestsPage } from './developers/requests.ts'
import { deleteTokenPage, developersPage, tokensPage } from './developers/tokens.ts'
import { newEndpointPage, webhooksPage } from './developers/webhooks.ts'
import { homePage } from './home/home.ts'
import type { DashboardPage, NamedView } from './kit/visit.ts'
import { logView } from './members/log.ts'
import { memberPages } from './members/members.ts'
import { chargeNowPage, mailPaymentLink, showPaymentLink } from './recover/actions.ts'
import { recoverPage } from './recover/recover.ts'
import { reportCsvPage, reportPage } from './reports/reports.ts'
import { searchPage } from './search/search.ts'
import { accountPage, settingsPage, x402Page } from './settings/account.ts'
import { brandingPage, brandingPreviewPage, ownDomainPage } from './settings/branding.ts'
import { connectionsPage } from './settings/connections.ts'
import { creditsPage } from './settings/credits.ts'
import { deletionPage } from './settings/deletion.ts'
import { emailPage } from './settings/email.ts'
import { deleteExport, downloadExportPage, exportsPage } from './settings/export.ts'
import { buyerLetters, letterDocumentPage, letterPreviewPage, lettersPage, ownLetters } from './settings/letters.ts'
import { modelPage, removeModel } from './settings/model.ts'
import { checkPayments, paymentsPage, payOnboardedPage, startPayOnboarding } from './settings/payments.ts'
import { removePaymentsPage } from './settings/remove-payments.ts'
import { storagePage } from './settings/storage.ts'
import { taxPage } from './settings/tax.ts'
import { advanceClock, deleteTestAccountPage, testAccountsPage } from './settings/test-accounts.ts'
import { checkoutLinkView, checkoutView } from './shop/checkout-links.ts'
import { customerView, setTags } from './shop/customers.ts'
import { discountView } from './shop/discounts.ts'
import { disputeView } from './shop/disputes.ts'
import { editorPages } from './shop/editor/pages.ts'
import { emailDocumentPage, emailView } from './shop/emails.ts'
import { invoiceFilePage, invoiceView, receiptFilePage } from './shop/invoices.ts'
import { orderView } from './shop/orders.ts'
import { priceView, productView } from './shop/products.ts'
import { refundPage, refundView } from './shop/refund.ts'
import { publishReview, reviewView } from './shop/reviews.ts'
import { subscriptionView } from './shop/subscriptions.ts'
import { tagView } from './shop/tags.ts'
import { profilePages } from './you/you.ts'

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
  settingsPage,
  accountPage,
  brandingPage,
  brandingPreviewPage,
  ownDomainPage,
  paymentsPage,
  checkPayments,
  startPayOnboarding,
  payOnboardedPage,
  removePaymentsPage,
  taxPage,
  connectionsPage,
  modelPage,
  removeModel,
  emailPage,
  lettersPage,
  buyerLetters,
  ownLetters,
  letterPreviewPage,
  letterDocumentPage,
  x402Page,
  creditsPage,
  storagePage,
  testAccountsPage,
  advanceClock,
  deleteTestAccountPage,
  exportsPage,
  downloadExportPage,
  deleteExport,
  deletionPage,
]

export const HAND_MADE: DashboardPage[] = [
  homePage,
  reportPage,
  reportCsvPage,
  searchPage,
  ...editorPages,
  refundPage,
  receiptFilePage,
  invoiceFilePage,
  setTags,
  publishReview,
  emailDocumentPage,
  recoverPage,
  showPaymentLink,
  mailPaymentLink,
  chargeNowPage,
  askPage,
  runsPage,
  runPage,
  plansPage,
  ...planPages,
  ...playgroundPages,
  developersPage,
  tokensPage,
  deleteTokenPage,
  ...clientConnectionPages,
  webhooksPage,
  newEndpointPage,
  endpointPage,
  deliveryPage,
  resendDelivery,
  eventsPage,
  eventPage,
  requestsPage,
  requestPage,
  // The pages with these paths replace the derived pages.
  { ...webhooksPage, path: '/webhook_endpoints' },
  { ...newEndpointPage, path: '/webhook_endpoints/new' },
  { ...endpointPage, path: '/webhook_endpoints/:id' },
  { ...tokensPage, path: '/api_tokens/new', see: 'self.token' },
  ...SETTINGS,
  ...memberPages,
  blogPostPreviewPage,
  ...filePages,
  ...formPages,
  ...taskPages,
  ...runPages,
  ...profilePages,
]
