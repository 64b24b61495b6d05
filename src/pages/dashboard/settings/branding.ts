import { html } from 'hono/html'
import { type Branding, FONTS, type Font } from '../../../contract/declarations/branding.ts'
import { contrast, isColor, READABLE } from '../../../contract/values/colors.ts'
import { formatDecimal } from '../../../format/numbers.ts'
import { shadesOf, wholeBranding } from '../../../resources/company/account/brand.ts'
import type { Shown } from '../../../resources/nouns.ts'
import { type Column, dataTable, field, headedCard, type Page, type Problem, summaryOf } from '../../parts/markup.ts'
import { shopAnswer } from '../../storefront/frame.ts'
import { homeDocument } from '../../storefront/home.ts'
import { dropPlace } from '../derived/file-inputs.ts'
import { CHANGE } from '../derived/nested-form.ts'
import { inputId } from '../derived/part-words.ts'
import { problemsOf } from '../derived/problem-words.ts'
import { goDone } from '../kit/answers.ts'
import { refusalOf, shown } from '../kit/call.ts'
import { isPicture, MOST_OFFERED, newestFiles, pickOf, picksOf } from '../kit/pictures.ts'
import { previewPart } from '../kit/preview.ts'
import { badge } from '../kit/value.ts'
import { type DashboardContext, type DashboardPage, mayCall } from '../kit/visit.ts'
import { settingsPage } from './tabs.ts'

const DOMAIN_PATH = '/settings/branding/domain'
const DOMAIN_FIELD = 'field-storefront_domain'

const COLUMNS: Column<Account['storefront_domain_records'][number]>[] = [
  { words: 'Type', cell: ({ type }) => type },
  { words: 'Name', cell: ({ name, type }) => copyableCode(name, `name of the ${type} record`) },
  { words: 'Value', cell: ({ value, type }) => copyableCode(value, `value of the ${type} record`) },
]

const PATH = '/settings/branding'
/** The color that the input shows first if the shop has no color. */
const FIRST_COLOR = '#1f4fd8'

const FONT_WORDS: Readonly<Record<Font, string>> = {
  system: 'System: that of the device',
  humanist: 'Humanist: warm and open',
  geometric: 'Geometric: clear and round',
  serif: 'Serif: as in books',
  slab: 'Slab: strong and plain',
  mono: 'Monospace: as on a typewriter',
}

/** Reads the branding from a form. Invalid colors and files are passed on unchanged, so that the operation refuses them. */
function brandingIn(form: URLSearchParams): Branding {
  const picture = (name: string) => form.getAll(name).findLast((value) => value !== '') ?? null
  const font = FONTS.find((one) => one === form.get('font')) ?? 'system'
  const color = form.get('color') ?? ''
  const isPicked = form.get('had_color') === 'false' && color !== FIRST_COLOR
  return {
    logo_file: picture('logo_file'),
    // Choosing a color sets the shop's own color, even if the box is not checked.
    color: form.get('own_color') === 'true' || isPicked ? color : null,
    font,
    cover_file: picture('cover_file'),
  }
}

interface BrandingPage {
  branding: Branding
  problems?: Problem[]
  status?: number
  unsaved?: boolean
  domain?: string
}

async function page(
  visit: DashboardContext,
  { branding, problems = [], status = 200, unsaved = false, domain }: BrandingPage,
): Promise<Response> {
  const options = {
    title: 'Branding',
    lead: 'How your shop looks: on the storefront, the checkout, forms and in e-mails.',
    status,
  }
  if (!mayChange(visit)) return settingsPage(visit, options, NOT_YOURS)
  const account = await shown(visit.call('GET /account'))
  const address = `${visit.base}${PATH}/preview`
  const parts = [
    await picturePart(visit, branding, {
      name: 'logo_file',
      label: 'Logo',
      hint: 'Shown next to the name. A wide or square PNG, WebP or AVIF works best.',
      problems,
    }),
    colorPart(branding, problems),
    fontPart(branding, problems),
    await picturePart(visit, branding, {
      name: 'cover_file',
      label: 'Cover',
      hint: 'Across the top of the storefront, three times as wide as high.',
      problems,
    }),
  ]
  const content = html`${summaryOf(problems)}<div class="with-preview" data-controller="preview" data-preview-address-value="${address}">
<form class="card form" method="post" action="${visit.base}${PATH}" data-preview-target="form" data-controller="unsaved" data-unsaved-dirty-value="${unsaved}" data-action="input->unsaved#typed change->unsaved#typed input->preview#typed change->preview#typed submit->unsaved#sent turbo:submit-end->unsaved#answered">
<button class="unseen" tabindex="-1" aria-hidden="true">Save</button>
<input type="hidden" name="csrf" value="${visit.csrf}">${parts}
<div class="form-buttons"><button class="primary">Save</button><button formaction="${address}" formtarget="preview" formnovalidate data-preview-target="button">Preview</button></div></form>
${previewPart(address, 'The storefront, as visitors see it')}</div>${domainCard(visit, account, { typed: domain ?? null, problems })}`
  return settingsPage(visit, options, content)
}

const NOT_YOURS = html`<p class="notice" role="status">Your role cannot change this. Ask an owner or an admin of the account.</p>`

function mayChange(visit: DashboardContext): boolean {
  const { operations } = visit.parts.pipeline
  return operations.some((one) => one.method === 'PATCH' && one.path === '/account' && mayCall(visit, one))
}

interface PictureOptions {
  name: 'logo_file' | 'cover_file'
  label: string
  hint: string
  problems: readonly Problem[]
}

async function picturePart(
  visit: DashboardContext,
  branding: Branding,
  { name, label, hint, problems }: PictureOptions,
): Promise<Page> {
  const id = inputId(`branding.${name}`)
  const chosen = branding[name]
  const files = (await newestFiles(visit)).filter(isPicture)
  const known = files.find((file) => file.id === chosen)
  const others = files.filter((file) => file !== known).slice(0, MOST_OFFERED)
  const none = { value: '', words: 'None', thumbnail: html`<span aria-hidden="true">None</span>` }
  const kept =
    chosen !== null && !known
      ? [{ value: chosen, words: 'Keep current', thumbnail: html`<span aria-hidden="true">Current</span>` }]
      : []
  const picks = [none, ...kept, ...(known ? [pickOf(known)] : []), ...others.map(pickOf)]
  return html`<section class="brand-part" data-part="${name}">${field({
    id,
    label,
    hint,
    problems,
    input: (described) => picksOf({ kind: 'radio', name, id, label, picks, chosen: [chosen ?? ''], described }),
  })}${dropPlace(visit, name, 'image/*')}</section>`
}

function colorPart({ color }: Branding, problems: readonly Problem[]): Page {
  const own = color !== null
  const id = inputId('branding.color')
  const check = html`<p class="check"><input type="hidden" name="had_color" value="${own}"><label><input type="checkbox" name="own_color" value="true"${own ? html` checked` : ''}> Use a color of your own</label></p>`
  return html`<section class="brand-part" data-part="color">${check}${field({
    id,
    label: 'Color',
    hint: 'Of buttons and links.',
    problems,
    input: (described) =>
      html`<input type="color" id="${id}" name="color" value="${color ?? FIRST_COLOR}"${described} data-action="change->preview#change">`,
  })}${readability(color ?? FIRST_COLOR)}<button class="small" name="${CHANGE}" value="show color" formnovalidate data-action="preview#change">Check that it can be read</button></section>`
}

/** Shows the contrast of text on the color and of links in the color, and how the pages handle poor contrast. */
function readability(color: string): Page {
  if (!isColor(color)) return html``
  const { onButton, onLight, onDark } = shadesOf(color)
  const onIt = contrast(onButton, color)
  const words = onButton === '#ffffff' ? 'White' : 'Dark'
  const white = contrast('#ffffff', color)
  const why = onButton === '#ffffff' ? '' : ` White would have ${ratio(white)}, which is too little.`
  const links = (shade: string, where: string, on: `#${string}`) =>
    shade === color
      ? `Links in it can be read on ${where} pages (${ratio(contrast(color, on))}).`
      : `On ${where} pages it has ${ratio(contrast(color, on))} and would be hard to read, so links use ${shade}.`
  return html`<div role="status"><ul class="hint readability"><li>${words} text on it has a contrast of ${ratio(onIt)}; ${formatDecimal(READABLE, 1)} is needed.${why}</li><li>${links(onLight, 'light', '#ffffff')}</li><li>${links(onDark, 'dark', '#15171b')}</li></ul></div>`
}

function ratio(contrast: number): string {
  return `${formatDecimal(Math.floor(contrast * 10) / 10, 1)}:1`
}

function fontPart({ font }: Branding, problems: readonly Problem[]): Page {
  const id = inputId('branding.font')
  const options = FONTS.map(
    (one) => html`<option value="${one}"${one === font ? html` selected` : ''}>${FONT_WORDS[one]}</option>`,
  )
  return field({
    id,
    label: 'Font',
    hint: 'All of them are on your visitors’ devices already, so nothing is loaded.',
    problems,
    input: (described) => html`<select id="${id}" name="font"${described}>${options}</select>`,
  })
}

const LABELS = {
  'branding.logo_file': 'Logo',
  'branding.cover_file': 'Cover',
  'branding.color': 'Color',
  'branding.font': 'Font',
  storefront_domain: 'Domain',
} satisfies { [Name in `branding.${keyof Branding}` | 'storefront_domain']: string }

function problemsIn(visit: DashboardContext, answer: Parameters<typeof refusalOf>[0]): Problem[] {
  return problemsOf(refusalOf(answer), visit.catalogue.bodyOf('PATCH /account'), { labels: LABELS })
}

async function showBranding(visit: DashboardContext): Promise<Response> {
  return page(visit, { branding: wholeBranding(await shown(visit.call('GET /account'))) })
}

export const brandingPage: DashboardPage = {
  path: PATH,
  see: 'account.read',
  send: 'account.write',
  get: showBranding,
  async post(visit, _, form) {
    const given = brandingIn(form)
    if (form.has(CHANGE)) return page(visit, { branding: given, status: 422, unsaved: true })
    const answer = await visit.call('PATCH /account', { body: { branding: given } })
    const problems = problemsIn(visit, answer)
    if (problems.length > 0) return page(visit, { branding: given, problems, status: answer.status, unsaved: true })
    return goDone(visit, `${visit.base}${PATH}`, 'saved', 'The branding was saved.')
  },
}

/** Sets the shop's own domain. Setting the same domain again checks its DNS records at once. */
export const ownDomainPage: DashboardPage = {
  path: DOMAIN_PATH,
  see: 'account.read',
  send: 'account.write',
  get: showBranding,
  async post(visit, _, form) {
    const domain = (form.get('storefront_domain') ?? '').trim()
    const before = await shown(visit.call('GET /account'))
    const body = { storefront_domain: domain === '' ? null : domain }
    const answer = await visit.call('PATCH /account', { body })
    const problems = problemsIn(visit, answer)
    if (problems.length > 0)
      return page(visit, { branding: wholeBranding(before), problems, status: answer.status, domain })
    const news = domain === '' ? 'The domain was removed.' : `Checking the DNS records of ${domain}.`
    return goDone(visit, `${visit.base}${PATH}`, 'done', news)
  },
}

/** Previews the storefront: GET with the saved branding, POST with the branding in the form. */
export const brandingPreviewPage: DashboardPage = {
  path: `${PATH}/preview`,
  see: 'account.read',
  send: 'account.write',
  async get(visit) {
    return preview(visit, wholeBranding(await shown(visit.call('GET /account'))))
  },
  post: (visit, _, form) => preview(visit, brandingIn(form)),
}

async function preview(visit: DashboardContext, given: Branding): Promise<Response> {
  const { visits } = visit.parts.pipeline
  const home = await visits.look(visit.caller, (context) => homeDocument(context, 1, { branding: given }))
  return shopAnswer(home ?? html``, { secret: true, framed: true })
}

type Account = Shown<'account'>
interface DomainForm {
  /** The domain as typed, if it was refused; otherwise null. */
  typed: string | null
  problems: readonly Problem[]
}

function domainCard(visit: DashboardContext, account: Account, { typed, problems }: DomainForm): Page {
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

function stateOf({ base, csrf, parts }: DashboardContext, account: Account, domain: string): Page {
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

function copyableCode(text: string, of: string): Page {
  return html`<span class="copy-inline" data-controller="copy"><code data-copy-target="source">${text}</code> <button type="button" class="small" hidden data-copy-target="button" data-action="copy#copy">Copy<span class="unseen"> the ${of}</span></button></span>`
}
