import { html } from 'hono/html'
import { counted } from '../../format/counts.ts'
import { everyInterval } from '../../format/intervals.ts'
import { withUtcMoments } from '../../format/moments.ts'
import { currencyCode, formatMoney, plainAmount } from '../../format/money.ts'
import { billTaxes, REVERSE_CHARGE } from '../../format/tax.ts'
import { UNNAMED } from '../../resources/catalog/price-variant/price-variant.ts'
import { MAX_QUANTITY } from '../../resources/sales/checkout/checkout.ts'
import type { Sheet, SheetItem } from '../../resources/sales/checkout/sheet.ts'
import { billList, field, type Page, type Problem } from '../parts/markup.ts'
import type { TypedValues } from './entries.ts'
import { amountField, boundsOf, quantityField } from './problems.ts'

export interface TypedForm {
  typed: TypedValues
  problems: readonly Problem[]
}

export function itemList(sheet: Sheet, editing: TypedForm): Page {
  const { items } = sheet
  const changeable = items.some((item) => item.changesQuantity || item.asksAmount)
  return html`<ul class="items">${items.map((item) => itemOf(item, items.length > 1, editing))}</ul>
${changeable ? html`<p class="update"><button type="submit" name="do" value="update">Update total</button></p>` : ''}`
}

function itemOf(item: SheetItem, several: boolean, editing: TypedForm): Page {
  const { line, problem } = item
  const removable = several && item.changesQuantity
  return html`<li class="item">
${pictureOf(item)}<div class="item-words"><div class="item-line"><p class="item-name">${line.product_name}${variantOf(line.price_variant_name)}</p><p class="item-price">${priceOf(item)}</p></div>
${quantityAndTerms(item)}
${problem === null ? '' : html`<p class="problem">This item ${withUtcMoments(problem)}.</p>`}
${item.changesQuantity || item.asksAmount ? html`<div class="item-fields">${item.asksAmount ? amountInputOf(item, editing) : ''}${item.changesQuantity ? quantityInputOf(item, editing) : ''}${removable ? removeButton(item) : ''}</div>` : ''}
</div></li>`
}

/** The alternative text is empty, because the product's name is next to the picture. */
function pictureOf({ picture }: SheetItem): Page {
  return picture === null
    ? html``
    : html`<img class="item-picture" src="${picture}" alt="" width="64" height="64" decoding="async">`
}

/** The generic name of a product's only price is not shown. */
function variantOf(name: string): Page {
  return name === UNNAMED ? html`` : html` <span class="variant">${name}</span>`
}

/** The price of a line before discounts, without the set-up fee. */
function priceOf({ line }: Pick<SheetItem, 'line'>): string {
  if (line.unit_amount === null) return ''
  return line.recurring?.trial_period_days ? 'Free trial' : formatMoney(line.unit_amount * line.quantity, line.currency)
}

function quantityAndTerms({ line, changesQuantity }: SheetItem): Page {
  const { unit_amount, quantity, recurring, currency } = line
  if (unit_amount === null) return html``
  const each = formatMoney(unit_amount, currency)
  const trial = recurring?.trial_period_days ?? null
  const parts = [
    quantity > 1 || (changesQuantity && trial !== null) ? `${quantity} × ${each}` : trial === null ? null : each,
    recurring && everyInterval(recurring),
    trial && `after ${counted(trial, 'free day')}`,
  ].filter(Boolean)
  return parts.length > 0 ? html`<p class="item-terms">${parts.join(' ')}</p>` : html``
}

export function boughtList({ items }: Pick<Sheet, 'items'>): Page {
  const names = items.map(({ line }) => {
    const count = line.quantity > 1 ? `${line.quantity} × ` : ''
    return html`<li><span>${count}${line.product_name}${variantOf(line.price_variant_name)}</span><span class="item-price">${priceOf({ line })}</span></li>`
  })
  return html`<ul class="bought">${names}</ul>`
}

function quantityInputOf({ line }: SheetItem, { typed, problems }: TypedForm): Page {
  const id = quantityField(line.price_variant)
  const value = typed.quantities[line.price_variant] ?? String(line.quantity)
  return field({
    id,
    label: html`Quantity<span class="unseen"> of ${line.product_name}</span>`,
    problems,
    input: (described) =>
      html`<input id="${id}" name="quantity[${line.price_variant}]" type="number" inputmode="numeric" min="1" max="${MAX_QUANTITY}" step="1" value="${value}" autocomplete="off"${described}>`,
  })
}

function amountInputOf(item: SheetItem, { typed, problems }: TypedForm): Page {
  const { price_variant, unit_amount, currency, product_name } = item.line
  const id = amountField(price_variant)
  const value = typed.amounts[price_variant] ?? (unit_amount === null ? '' : plainAmount(unit_amount, currency))
  return field({
    id,
    label: html`Your price<span class="unseen"> for ${product_name}</span>, ${currencyCode(currency)}`,
    hint: boundsOf(item.line),
    problems,
    input: (described) =>
      html`<input id="${id}" name="amount[${price_variant}]" type="text" inputmode="decimal" value="${value}" autocomplete="off" maxlength="20"${described}>`,
  })
}

function removeButton({ line }: SheetItem): Page {
  return html`<button class="link" type="submit" name="do" value="remove:${line.price_variant}">Remove<span class="unseen"> ${line.product_name}</span></button>`
}

export function totals(sheet: Sheet, totalLabel: string): Page {
  const { currency, subtotal, amount_discount, total, items, discount, reverse_charge } = sheet
  const setupFee = items.reduce((sum, { line }) => sum + line.setup_fee_amount, 0)
  const reduction = { code: discount?.code ?? null, amount: amount_discount }
  const bill = { currency, subtotal, setupFee, discount: reduction, ...billTaxes(sheet), total, totalLabel }
  return html`${billList('totals', bill)}${reverse_charge ? html`<p class="hint">${REVERSE_CHARGE}</p>` : ''}`
}

export function discountPart(sheet: Sheet, { typed, problems }: TypedForm): Page {
  if (sheet.discount) return appliedCode(sheet, sheet.discount.code)
  if (!sheet.takesCodes) return html``
  const open = problems.some((problem) => problem.field === 'code') || Boolean(typed.code)
  const input = (described: Page) =>
    html`<span class="with-button"><input id="code" name="code" type="text" value="${typed.code ?? ''}" autocomplete="off" autocapitalize="characters" spellcheck="false" maxlength="50"${described}><button type="submit" name="do" value="update">Apply</button></span>`
  return html`<details class="code"${open ? html` open` : ''}><summary>Add a discount code</summary>${field({ id: 'code', label: 'Discount code', problems, input })}</details>`
}

function appliedCode({ takesCodes }: Sheet, code: string): Page {
  const remove = html`<button class="link" type="submit" name="do" value="remove_code">Remove<span class="unseen"> the code ${code}</span></button>`
  return html`<p class="applied"><span class="tag">${code}</span>${takesCodes ? remove : ''}</p>`
}
