import type { DashboardPage, NamedView } from '../kit/visit.ts'
import { checkoutLinkView, checkoutView } from './checkout-links.ts'
import { setTags } from './customer-tags.ts'
import { customerView } from './customers.ts'
import { discountView } from './discounts.ts'
import { disputeView } from './disputes.ts'
import { editorPages } from './editor/pages.ts'
import { emailDocument, emailView } from './emails.ts'
import { invoiceView } from './invoices.ts'
import { orderView } from './orders.ts'
import { invoiceFile, receiptPaper } from './papers.ts'
import { priceView } from './prices.ts'
import { productView } from './products.ts'
import { refundPage, refundView } from './refund.ts'
import { publishReview, reviewView } from './reviews.ts'
import { subscriptionView } from './subscriptions.ts'
import { tagView } from './tags.ts'

export const SHOP_PAGES: DashboardPage[] = [
  ...editorPages,
  refundPage,
  receiptPaper,
  invoiceFile,
  setTags,
  publishReview,
  emailDocument,
]

export const SHOP_VIEWS: NamedView[] = [
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
]
