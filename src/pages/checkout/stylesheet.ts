import { sheets, stylesheet } from '../parts/stylesheet.ts'

/** What the pages of buying look like, beyond the common stylesheet of all pages. */
export const CHECKOUT_STYLE = stylesheet(
  '/checkout/order-',
  ...sheets(import.meta.url, 'styles/order', 'styles/payment'),
)
