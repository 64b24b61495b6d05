import { readFileSync } from 'node:fs'
import { asset } from '../parts/asset.ts'
import { sheets, stylesheet } from '../parts/stylesheet.ts'

/** Shows the total of a changed order at once. Without it, the form does the same by its button. */
export const TOTAL_SCRIPT = asset('/checkout/total', 'js', readFileSync(new URL('./total.js', import.meta.url), 'utf8'))

export const CHECKOUT_STYLE = stylesheet(
  '/checkout/order-',
  ...sheets(import.meta.url, 'styles/order', 'styles/payment'),
)
