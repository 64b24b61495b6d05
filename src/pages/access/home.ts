import { html } from 'hono/html'
import type { Row } from '../../contract/declarations/noun.ts'
import { inOnePiece } from '../../contract/values/values.ts'
import { formatDay } from '../../format/moments.ts'
import { formatMoney } from '../../format/money.ts'
import { bytesInWords } from '../../format/sizes.ts'
import type { Context } from '../../records/context.ts'
import { currentAccount } from '../../resources/company/account/current.ts'
import type { File } from '../../resources/content/file/file.ts'
import type { Invoice } from '../../resources/sales/invoice/invoice.ts'
import { paymentSecret } from '../../resources/sales/invoice/show.ts'
import { notice, type Page } from '../parts/markup.ts'
import { pageLinks, pageRange } from '../storefront/pieces.ts'
import { accessAnswer } from './page.ts'
import {
  type BoughtContent,
  type BoughtOrder,
  type BoughtSubscription,
  type Clock,
  contentsOf,
  invoicesOf,
  nextWords,
  ordersOf,
  subscriptionsOf,
  termsWords,
} from './purchases.ts'
import type { Buyer } from './session.ts'

const ORDERS_PER_PAGE = 20

export async function homePage(context: Context, buyer: Buyer, number: number): Promise<Response | null> {
  const { customer, path } = buyer
  const { timezone: timeZone } = await currentAccount(context)
  const clock = { timeZone, now: context.now }
  const orders = await ordersOf(context, customer.id, pageRange(number, ORDERS_PER_PAGE))
  if (orders.length === 0 && number > 1) return null
  const shown = orders.slice(0, ORDERS_PER_PAGE)
  const more = pageLinks(path, number, orders.length > ORDERS_PER_PAGE)
  const ordersPart = html`<h2>Orders</h2>${shown.length > 0 ? orderList(shown, path, clock) : html`<p>No orders yet.</p>`}${more}`
  const title = 'Your purchases'
  if (number > 1) return accessAnswer(context, { title, content: html`${youPart(buyer)}${ordersPart}` })
  const subscriptions = await subscriptionsOf(context, customer.id)
  const contents = await contentsOf(context, customer.id)
  const invoices = await invoicesOf(context, customer.id)
  return accessAnswer(context, {
    title,
    content: html`${youPart(buyer)}${failedPart(subscriptions, path)}
${contents.length > 0 ? html`<h2>Content and downloads</h2><ul class="entries">${contents.map((one) => contentEntry(one, path))}</ul>` : ''}
${subscriptions.length > 0 ? html`<h2>Subscriptions</h2><ul class="entries">${subscriptions.map((one) => subscriptionEntry(one, path, clock))}</ul>` : ''}
${ordersPart}
${invoices.length > 0 ? html`<h2>Invoices</h2><ul class="entries">${invoices.map((one) => invoiceEntry(context, one, path, clock))}</ul>` : ''}`,
  })
}

function youPart({ customer, path }: Buyer): Page {
  const { name, email } = customer
  return html`<div class="you"><p>${name ? html`${name}, ` : ''}${email}</p>
<p><a href="${path}/details">Change name or e-mail</a></p>
<form method="post" action="${path}/sign-out"><button class="link" type="submit">Sign out</button></form></div>`
}

/** Failed payments come first on the page, because access ends if they stay unpaid. */
function failedPart(subscriptions: readonly BoughtSubscription[], path: string): Page {
  const failed = subscriptions.filter(({ payUrl }) => payUrl !== null)
  return html`${failed.map(({ subscription, payUrl }) =>
    notice(
      'bad',
      html`The payment for ${subscription.terms.product_name} failed. <a href="${payUrl ?? path}">Pay now</a> to keep your access.`,
    ),
  )}`
}

function contentEntry({ experience, files }: BoughtContent, path: string): Page {
  const { slug, name, description } = experience
  const address = `${path}/x/${slug}`
  const list = files.map(
    (file) =>
      html`<li><a href="${address}/files/${file.id}" download>${fileName(file)}</a>${file.size === null ? '' : html` <span class="hint">${bytesInWords(file.size)}</span>`}</li>`,
  )
  return html`<li><a href="${address}">${name}</a>${description ? html`<span class="hint">${description}</span>` : ''}${list.length > 0 ? html`<ul class="downloads" aria-label="Downloads of ${name}">${list}</ul>` : ''}</li>`
}

function fileName({ title, filename }: Row<typeof File>): string {
  return title ?? filename ?? 'File'
}

function subscriptionEntry({ subscription, next }: BoughtSubscription, path: string, clock: Clock): Page {
  const { id, terms, status } = subscription
  const isOver = status === 'canceled'
  const way = html`<a class="button" href="${path}/subscriptions/${id}">Manage<span class="unseen"> ${terms.product_name}</span></a>`
  return html`<li class="entry"><div><strong>${terms.product_name}</strong><span class="hint">${isOver ? '' : html`${termsWords(subscription)}. `}${nextWords(subscription, next, clock)}</span></div>${isOver ? '' : way}</li>`
}

function orderList(orders: readonly BoughtOrder[], path: string, { timeZone }: Clock): Page {
  const entries = orders.map(({ order, items }) => {
    const names = items.map(({ quantity, product_name }) => `${quantity > 1 ? `${quantity} × ` : ''}${product_name}`)
    const day = formatDay(order.paid_at ?? order.created_at, timeZone)
    const back = order.amount_refunded > 0 ? `, ${formatMoney(order.amount_refunded, order.currency)} refunded` : ''
    return html`<li class="entry"><div><strong>${names.join(', ')}</strong><span class="hint">${day} · ${formatMoney(order.amount, order.currency)}${back} · <code>${order.id}</code></span></div>
<a class="button" href="${path}/orders/${order.id}/receipt.pdf">Receipt<span class="unseen"> for ${names.join(', ')} of ${day}, PDF</span></a></li>`
  })
  return html`<ul class="entries">${entries}</ul>`
}

function invoiceEntry(context: Context, invoice: Row<typeof Invoice>, path: string, { timeZone }: Clock): Page {
  const { id, number, status, amount, currency, due_at, paid_at } = invoice
  const state = {
    open: `due on ${formatDay(due_at, timeZone)}`,
    past_due: `was due on ${formatDay(due_at, timeZone)}`,
    paid: paid_at === null ? 'paid' : `paid on ${formatDay(paid_at, timeZone)}`,
    void: 'canceled',
  }[status]
  const isOwed = status === 'open' || status === 'past_due'
  const pay = html`<a class="button" href="${inOnePiece(context.publicUrl, '/pay/', paymentSecret(context, id))}">Pay<span class="unseen"> invoice ${number}</span></a>`
  return html`<li class="entry"><div><strong>Invoice ${number}</strong><span class="hint">${formatMoney(amount, currency)}, ${state}</span></div>
<span class="ways">${isOwed ? pay : ''}<a class="button" href="${path}/invoices/${id}/invoice.pdf">PDF<span class="unseen"> of invoice ${number}</span></a></span></li>`
}
