import { html } from 'hono/html'
import { formatMoney } from '../../words/money.ts'
import { document, type Frame } from '../parts/document.ts'
import type { Page } from '../parts/markup.ts'

interface Paying {
  frame: Frame
  address: string
  amount: number
  currency: string
}

/** The page of the bank that the test provider plays; `agreement` names the payment that it asks about. */
export function bankPage({ frame, address, amount, currency, agreement }: Paying & { agreement: string }): Page {
  const shop = frame.shop?.name ?? ''
  const title = 'Approve the payment'
  return document(
    title,
    { ...frame, shop: frame.shop },
    html`<div class="message">
<p class="eyebrow">Simulated bank</p>
<h1>${title}</h1>
<p>${shop} requests <strong>${formatMoney(amount, currency)}</strong>. With a real card, your bank would ask you to confirm here.</p>
<form method="post" action="${address}" class="choices">
<input type="hidden" name="agreed" value="${agreement}">
<button class="primary" type="submit" name="do" value="approve">Approve</button>
<button type="submit" name="do" value="refuse">Refuse</button>
</form></div>`,
  )
}

/** The buyer is expected on the page of the provider. */
export function providerPage({ frame, address, url, checking }: Paying & { url: string; checking: boolean }): Page {
  const title = checking ? 'Checking your payment' : 'Continue to payment'
  const words = checking
    ? 'The payment provider has not confirmed your payment yet. This page checks again automatically.'
    : 'Finish paying for your order on the payment provider’s page.'
  return document(
    title,
    frame,
    html`<div class="message">
<h1>${title}</h1>
<p role="status">${words}</p>
<p><a class="button primary" href="${url}" rel="noreferrer">Go to the payment page</a></p>
<form method="post" action="${address}"><button class="link" type="submit" name="do" value="take_back">Cancel this payment and change the order</button></form>
</div>`,
  )
}

/** The provider has not decided yet. */
export function processingPage({ frame, address, amount, currency }: Paying): Page {
  return document(
    'Your payment is being processed',
    frame,
    html`<div class="message">
<p class="spinner" aria-hidden="true"></p>
<h1>Your payment is being processed</h1>
<p role="status">${formatMoney(amount, currency)} is on its way. Do not pay again. This page checks for updates every few seconds.</p>
<p><a href="${address}">Check now</a></p>
</div>`,
  )
}
