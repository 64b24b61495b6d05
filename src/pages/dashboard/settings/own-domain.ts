import { html } from 'hono/html'
import type { Shown } from '../../../resources/nouns.ts'
import { type Column, dataTable, field, headedCard, type Page, type Problem } from '../../parts/markup.ts'
import { badge } from '../kit/value.ts'
import type { Visit } from '../kit/visit.ts'

/** Where its form is posted to, below the dashboard of the account. */
export const DOMAIN_PATH = '/settings/branding/domain'
const DOMAIN_FIELD = 'field-storefront_domain'

type Account = Shown<'account'>
type DomainRecord = Account['storefront_domain_records'][number]

interface DomainForm {
  /** What was typed, where it was refused. */
  typed: string | null
  problems: readonly Problem[]
}

/** The domain of the shop: its form, how far it is, and what is to be set for it. */
export function domainCard(visit: Visit, account: Account, { typed, problems }: DomainForm): Page {
  const { base, csrf } = visit
  const domain = account.storefront_domain
  const input = (described: Page) =>
    html`<input type="text" id="${DOMAIN_FIELD}" name="storefront_domain" value="${typed ?? domain ?? ''}" maxlength="300" autocapitalize="none" autocomplete="off" spellcheck="false" placeholder="shop.example.com"${described}>`
  const form = html`<form class="form" method="post" action="${base}${DOMAIN_PATH}"><input type="hidden" name="csrf" value="${csrf}">${field(
    {
      id: DOMAIN_FIELD,
      label: 'Domain',
      hint: 'A domain of yours for the storefront, blog, legal pages and your buyers’ purchases. Buyers still pay at the address of this service. Leave it empty to use none.',
      problems,
      input,
    },
  )}<div class="form-buttons"><button class="primary">Save domain</button></div></form>`
  return headedCard('domain', 'Your own domain', html`${form}${domain === null ? '' : stateOf(visit, account, domain)}`)
}

function stateOf({ base, csrf, parts }: Visit, account: Account, domain: string): Page {
  const { storefront_domain_verified: verified, storefront_domain_records: records, storefront_url: url } = account
  const { hostname } = new URL(parts.publicUrl)
  const words = verified
    ? html`<p>${badge('verified')} Your shop is at <a href="${url}" data-turbo="false">${url}</a>, and visitors of its former address are led there. Keep these DNS records: without them the shop goes back to its former address within a few hours.</p>`
    : html`<p>${badge('pending')} <strong>Waiting for DNS.</strong> Set these records where you manage ${domain}. We look for them for three days, or immediately when you ask. Until then the shop stays at its address here. If another shop or site had the domain, remove its TXT record.</p>`
  const apex = records.some(({ type }) => type === 'CNAME')
    ? html`<p class="hint">A domain like example.com itself cannot have a CNAME: give it an ALIAS record, or the A and AAAA records that ${hostname} has. Remove A and AAAA records that lead elsewhere.</p>`
    : html`<p class="hint">Lead ${domain} to ${hostname} with an A or AAAA record, and remove those that lead elsewhere.</p>`
  const look = html`<form class="button-form" method="post" action="${base}${DOMAIN_PATH}"><input type="hidden" name="csrf" value="${csrf}"><input type="hidden" name="storefront_domain" value="${domain}"><button>Check now</button></form>`
  const table = dataTable({ caption: `DNS records of ${domain}`, columns: COLUMNS, rows: records })
  return html`${words}${table}${apex}${verified ? '' : look}`
}

const COLUMNS: Column<DomainRecord>[] = [
  { words: 'Type', cell: ({ type }) => type },
  { words: 'Name', cell: ({ name, type }) => taken(name, `name of the ${type} record`) },
  { words: 'Value', cell: ({ value, type }) => taken(value, `value of the ${type} record`) },
]

function taken(text: string, of: string): Page {
  return html`<span class="copy-inline" data-controller="copy"><code data-copy-target="source">${text}</code> <button type="button" class="small" hidden data-copy-target="button" data-action="copy#copy">Copy<span class="unseen"> the ${of}</span></button></span>`
}
