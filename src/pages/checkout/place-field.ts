import { html } from 'hono/html'
import type { AskedPlace } from '../../resources/sales/checkout/place.ts'
import { countriesByName } from '../../words/countries.ts'
import { regionsOf } from '../../words/regions.ts'
import { field, type Page, type Problem } from '../parts/markup.ts'
import type { Typed } from './entries.ts'

interface Editing {
  typed: Typed
  problems: readonly Problem[]
}

/** Where the buyer is taxed: the country, by its regions where tax depends on them, and the VAT id of a business elsewhere. */
export function placePart(place: AskedPlace, { typed, problems }: Editing): Page {
  const chosen = typed.place ?? choiceOf(place)
  const vatId = typed.vatId ?? place.vat_id ?? ''
  return html`<div class="place">${field({
    id: 'place',
    label: 'Country',
    hint: 'Which tax is due depends on it.',
    problems,
    input: (described) =>
      html`<span class="with-button"><select id="place" name="place" autocomplete="off" required${described}>${chosen === '' ? html`<option value="">Choose…</option>` : ''}${optionsOf(place).map(({ value, name }) => html`<option value="${value}"${value === chosen ? html` selected` : ''}>${name}</option>`)}</select><button class="apply" type="submit" name="do" value="update">Apply</button></span>`,
  })}${
    place.takesVatId || vatId !== ''
      ? field({
          id: 'vat_id',
          label: html`VAT ID <span class="optional">optional</span>`,
          hint: 'Of a business, which then pays without tax (reverse charge).',
          problems,
          input: (described) =>
            html`<input id="vat_id" name="vat_id" type="text" autocomplete="off" autocapitalize="characters" spellcheck="false" maxlength="40" value="${vatId}"${described}>`,
        })
      : ''
  }</div>`
}

function choiceOf({ country, region, byRegion }: AskedPlace): string {
  if (country === null) return ''
  if (!byRegion.includes(country)) return country
  return region === null ? '' : `${country}-${region}`
}

function optionsOf({ byRegion }: AskedPlace): { value: string; name: string }[] {
  return countriesByName().flatMap(({ code, name }) =>
    byRegion.includes(code)
      ? regionsOf(code).map((region) => ({ value: `${code}-${region.code}`, name: `${name}: ${region.name}` }))
      : [{ value: code, name }],
  )
}
