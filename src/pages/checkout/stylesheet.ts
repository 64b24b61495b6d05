import { readFileSync } from 'node:fs'
import { asset, sheets, stylesheet } from '../parts/asset.ts'

/** Updates the total as soon as the order changes. Without scripts, the buyer presses the update button. */
export const TOTAL_SCRIPT = asset('/checkout/total', 'js', readFileSync(new URL('./total.js', import.meta.url), 'utf8'))

export const CHECKOUT_STYLE = stylesheet(
  '/checkout/order-',
  ...sheets(import.meta.url, 'styles/order', 'styles/payment'),
)
