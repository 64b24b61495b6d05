import { html } from 'hono/html'
import { keysOf } from '../../../contract/values/keys.ts'
import { letterPreview, type Preview } from '../../../resources/dashboard/letter-settings/preview.ts'
import { letterSettings } from '../../../resources/dashboard/letter-settings/settings.ts'
import { TEAM_LETTERS } from '../../../resources/messages/email/team/letters.ts'
import type { Page } from '../../parts/markup.ts'
import { formOf } from '../derived/form.ts'
import { readBody } from '../derived/read-form.ts'
import { goDone } from '../kit/answers.ts'
import { type RefusedForm, refusedForm } from '../kit/call.ts'
import { type DashboardContext, type DashboardPage, may, pageAt } from '../kit/visit.ts'
import { letterParts, mailDocument } from '../shop/emails.ts'
import { settingsPage } from './tabs.ts'

const PATH = '/settings/letters'

/** The titles of the e-mails, in the order of the page. */
const NAMES: Record<Preview, string> = {
  receipt: 'Receipt',
  invoice: 'Invoice',
  failed_payment: 'Failed payment of a subscription',
  payment_again: 'Failed payment of a purchase',
  refund: 'Refund',
  renewal: 'Upcoming renewal',
  trial_start: 'Start of a trial',
  trial: 'End of a trial',
  cancellation: 'Cancellation',
  sales: 'Sales',
  failed_payments: 'Failed payments',
  disputes: 'Disputes',
  refunds: 'Refunds',
  plans: 'Plans to decide on',
}

export const lettersPage: DashboardPage = {
  path: PATH,
  see: 'account.read',
  get: (visit) => page(visit),
}

export const buyerLetters = choices('buyers', 'PATCH /letter_settings')
export const ownLetters = choices('own', 'PATCH /own_letters')

function choices(form: 'buyers' | 'own', operation: 'PATCH /letter_settings' | 'PATCH /own_letters'): DashboardPage {
  return {
    path: `${PATH}/${form}`,
    send: 'self.write',
    post: async (visit, _, sent) => {
      const body = readBody(visit, visit.catalogue.bodyOf(operation), sent, null)
      const refused = refusedForm(sent, await visit.call(operation, { body }))
      return refused ? page(visit, refused) : goDone(visit, visit.base + PATH, 'saved')
    },
  }
}

export const letterPreviewPage = pageAt({
  path: `${PATH}/preview/:letter`,
  see: 'account.read',
  get: async (visit, { letter }) => {
    const preview = await previewOf(visit, letter)
    const title = NAMES[preview.letter]
    const content = html`<section class="card" aria-label="Subject"><p class="label">Subject</p><p>${preview.subject}</p></section>
${letterParts({ text: preview.text, frame: `${visit.base}${PATH}/html/${preview.letter}`, title })}`
    const crumbs = [{ words: 'Letters', address: visit.base + PATH }]
    return settingsPage(visit, { title, crumbs, lead: 'With example data. Its links lead nowhere.' }, content)
  },
})

/** Returns only the HTML part of the e-mail, which the page shows in a frame. */
export const letterDocumentPage = pageAt({
  path: `${PATH}/html/:letter`,
  see: 'account.read',
  get: async (visit, { letter }) => {
    return mailDocument(visit, (await previewOf(visit, letter)).html)
  },
})

/** Loads the preview of an e-mail, or of the first one if the name is unknown. */
function previewOf(visit: DashboardContext, letter: string) {
  return visit.read(letterPreview, isPreview(letter) ? letter : 'receipt')
}

function isPreview(letter: string): letter is Preview {
  return Object.hasOwn(NAMES, letter)
}

async function page(visit: DashboardContext, refused: RefusedForm | null = null): Promise<Response> {
  const settings = await visit.read(letterSettings)
  const refusedIn = (form: 'buyers' | 'own') => (visit.path.endsWith(`/${form}`) ? refused : null)
  const buyers = may(visit, 'account.write')
    ? await formOf(visit, {
        fields: visit.catalogue.bodyOf('PATCH /letter_settings'),
        before: settings,
        refused: refusedIn('buyers'),
        button: 'Save',
        back: visit.base + PATH,
        action: `${visit.base}${PATH}/buyers`,
        view: BUYERS,
      })
    : html`<p class="notice">Only owners and admins can change these.</p>`
  const chosen = visit.catalogue.bodyOf('PATCH /own_letters')
  const names = keysOf(TEAM_LETTERS).filter((letter) => may(visit, TEAM_LETTERS[letter].needs))
  const own = await formOf(visit, {
    fields: Object.fromEntries(names.map((name) => [name, chosen[name]!])),
    before: settings,
    refused: refusedIn('own'),
    button: 'Save',
    back: visit.base + PATH,
    action: `${visit.base}${PATH}/own`,
    view: { ...OWN, groups: [{ names }] },
  })
  const content = html`<h2 class="above-card">To your buyers</h2>
<p class="letters-lead">Receipts, started trials, invoices and failed payments are always sent.</p>${buyers}
<h2 class="above-card">To you</h2><p class="letters-lead">Everybody chooses for themselves. Several things of a kind are gathered in one e-mail.</p>${own}
<h2 class="above-card">Previews</h2>${previews(visit)}`
  const lead = 'The e-mails that are sent automatically.'
  return settingsPage(visit, { title: 'Letters', lead, status: refused?.status }, content)
}

function previews({ base }: DashboardContext): Page {
  const link = ([letter, name]: [string, string]) =>
    html`<li><a href="${base}${PATH}/preview/${letter}">${name}</a></li>`
  const all = Object.entries(NAMES)
  const isOwn = ([letter]: [string, string]) => Object.hasOwn(TEAM_LETTERS, letter)
  return html`<section class="card letter-previews" aria-label="Previews"><h3>To buyers</h3><ul>${all.filter((one) => !isOwn(one)).map(link)}</ul>
<h3>To the team</h3><ul>${all.filter(isOwn).map(link)}</ul></section>`
}

const BUYERS = {
  groups: [{ names: ['refund', 'renewal', 'trial', 'cancellation'] }],
  labels: {
    refund: 'Refunds',
    renewal: 'Upcoming renewals',
    trial: 'Ending trials',
    cancellation: 'Cancellations',
  },
  hints: {
    refund: 'When money was returned.',
    renewal: '30 days before a charge for six months or longer.',
    trial: 'Seven days before, or two days before the end of a trial shorter than two weeks.',
    cancellation: 'When a subscription is canceled, or ends because it was not paid.',
  },
} as const

const OWN = {
  labels: { plans: NAMES.plans },
  hints: {
    sales: 'The first one at once, then at most one e-mail a day about all of them.',
    failed_payments: 'Subscriptions whose card could not be charged; at most one e-mail a day.',
    disputes: 'At most one e-mail an hour. Banks give a few days to answer.',
    refunds: 'At most one e-mail a day.',
    plans: 'What an agent wants to change; at most one e-mail in five minutes.',
  },
} as const
