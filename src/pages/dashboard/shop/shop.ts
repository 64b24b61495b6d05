import type { DashboardPage } from '../kit/page.ts'
import type { View } from '../kit/visit.ts'
import { checkoutLinkView } from './checkout-links.ts'
import { setTags } from './customer-tags.ts'
import { customerView } from './customers.ts'
import { discountView } from './discounts.ts'
import { invoiceView } from './invoices.ts'
import { orderView } from './orders.ts'
import { priceView } from './prices.ts'
import { productView } from './products.ts'
import { refundPage } from './refund.ts'
import { refundView } from './refunds.ts'
import { publishReview, reviewView } from './reviews.ts'
import { subscriptionView } from './subscriptions.ts'

export const SHOP_PAGES: DashboardPage[] = [refundPage, setTags, publishReview]

export const SHOP_VIEWS: Record<string, View> = {
  product: productView,
  price_variant: priceView,
  order: orderView,
  refund: refundView,
  customer: customerView,
  subscription: subscriptionView,
  invoice: invoiceView,
  discount: discountView,
  checkout_link: checkoutLinkView,
  review: reviewView,
}
