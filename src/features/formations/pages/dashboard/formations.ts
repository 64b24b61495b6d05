import { html } from 'hono/html'
import { formatMoment } from '../../../../format/moments.ts'
import { bytesInWords } from '../../../../format/sizes.ts'
import type { WordsIn } from '../../../../pages/dashboard/derived/part-words.ts'
import { goTo } from '../../../../pages/dashboard/kit/answers.ts'
import { answeredRows, shown } from '../../../../pages/dashboard/kit/call.ts'
import {
  type DashboardContext,
  type DashboardFeature,
  pageAt,
  type Viewed,
  view,
} from '../../../../pages/dashboard/kit/visit.ts'
import { shortened, valueTitle } from '../../../../pages/dashboard/kit/words.ts'
import type { Page } from '../../../../pages/parts/markup.ts'

const STEPS = [
  ['awaiting_payment', 'Pay'],
  ['pending', 'Submit'],
  ['submitted', 'Being filed'],
  ['completed', 'Formed'],
] as const

async function steps(visit: DashboardContext, values: Viewed<'formation'>): Promise<Page> {
  const { status, payment_status: payment, submitted_at, provider_error: error } = values
  const failed = status === 'failed' && payment !== 'unpaid'
  const at = failed
    ? 2
    : Math.max(
        0,
        STEPS.findIndex(([name]) => name === status),
      )
  const list = STEPS.map(([, words], index) => {
    const isHere = index === at
    const state =
      index < at || status === 'completed'
        ? 'step done'
        : isHere && failed
          ? 'step failed'
          : isHere
            ? 'step here'
            : 'step'
    return html`<li class="${state}"${isHere ? html` aria-current="step"` : ''}>${isHere && failed ? 'Could not be filed' : words}</li>`
  })
  const said = error ? html`<p class="notice bad">${error}</p>` : ''
  const when = submitted_at
    ? html`<p class="hint">Submitted ${formatMoment(submitted_at, visit.account.timezone)}.</p>`
    : ''
  return html`<section class="card" aria-labelledby="steps"><h2 id="steps">Progress</h2><ol class="steps">${list}</ol><p>${nextWords(values)}</p>${said}${when}</section>`
}

function nextWords({ status, payment_status: payment }: Viewed<'formation'>): string {
  switch (status) {
    case 'awaiting_payment':
      return 'Pay for the formation first, then submit it for filing.'
    case 'pending':
      return 'It is paid. Submit it for filing.'
    case 'submitted':
      return 'The filing agent is working on it. You do not need to do anything for now.'
    case 'completed':
      return 'The company is formed. Its documents are below.'
    default:
      if (payment === 'refunded') return 'It could not be filed, and your payment was refunded.'
      return payment === 'paid'
        ? 'It could not be filed. Fix the problem and submit it again; you do not pay again.'
        : 'It was not paid. Open a new payment page.'
  }
}

async function papers(visit: DashboardContext, { id, status }: Viewed<'formation'>): Promise<Page | null> {
  if (status !== 'completed') return null
  const { rows } = await answeredRows(visit.call('GET /formation_documents', { query: { formation: id, limit: 50 } }))
  const lines = rows.map(
    ({ id, document_type: kind, size }) =>
      html`<li><a href="${visit.base}/formation_documents/${id}/download" data-turbo="false">${valueTitle(kind)}</a> <span class="hint">${bytesInWords(size)}</span></li>`,
  )
  if (lines.length === 0) return null
  return html`<section class="card" aria-labelledby="papers"><h2 id="papers">Documents</h2><ul class="plain-list">${lines}</ul></section>`
}

/** Redirects to a new download URL of the document, which is valid for an hour. */
const download = pageAt({
  path: '/formation_documents/:id/download',
  async get(visit, { id }) {
    const paper = await shown(visit.call('GET /formation_documents/{id}', { path: { id } }))
    return goTo(paper.download_url!)
  },
})

function firstName([first]: Viewed<'formation'>['name_options']): string | null {
  return first ? [first.name, first.entity_type_ending].filter(Boolean).join(' ') : null
}

const formationView = view('formation', {
  columns: ['description', 'state', 'status', 'payment_status', 'created_at'],
  lead: 'Companies formed for you in a US state.',
  title: ({ name_options: names, description }) => shortened(firstName(names) ?? description ?? 'Formation'),
  main: [
    'entity_type',
    'state',
    'ein',
    'formation_filing_date',
    'payment_status',
    'admin_notes',
    'description',
    'name_options',
    'members',
    'responsible_party',
    'mailing_address',
    'amount',
    'created_at',
  ],
  // The API accepts a second submission, which has no effect, so the page does not offer one.
  allowed: ({ status, allowed_actions: allowed }) =>
    allowed.filter((name) => name !== 'submit' || status === 'pending' || status === 'failed'),
  actions: {
    submit: {
      button: 'Submit',
      lead: () => 'The filing agent receives the details as shown. They cannot be changed afterwards.',
    },
    retry_payment: {
      button: 'New payment page',
      lead: () => 'Closes the earlier payment page and opens a new one.',
    },
  },
  labels: {
    entity_type: 'Company type',
    name_options: 'Names, in order of preference',
    admin_notes: 'Notes from the filing agent',
  },
  form: {
    create: 'Save and go on to pay',
    groups: [
      { title: 'The company', names: ['entity_type', 'state', 'naics_code', 'description'] },
      { title: 'What it may be called', names: ['name_options'] },
      { title: 'Who owns it', names: ['members'] },
      { title: 'Who speaks for it', names: ['responsible_party'] },
      { title: 'Where its mail goes', names: ['mailing_address'] },
    ],
    labels: {
      entity_type: 'Company type',
      naics_code: 'Industry code (NAICS)',
      description: 'What it does',
      name_options: 'Names, in order of preference',
      members: 'Owners',
      responsible_party: 'Contact of the tax authority',
      mailing_address: 'Address for mail',
    },
    parts: {
      name_options: { label: 'Names', entry: 'Name' },
      'members.is_natural_person': { label: 'A person, not a company' },
    } satisfies WordsIn<Viewed<'formation'>>,
    hints: {
      entity_type: 'An LLC is the usual choice of small companies; ask a lawyer if you are not sure.',
      state: 'The US state in which it is formed. You do not have to live there.',
      naics_code: 'Six digits that name the industry, such as 513210 for software publishers. See naics.com/search.',
      description: 'One sentence, for the filing.',
    },
  },
  above: [steps],
  without: ['id', 'status', 'currency', 'checkout_url', 'checkout', 'paid_inline', 'provider_error', 'submitted_at'],
  sections: [papers],
  related: [],
  links: (_, { checkout_url: url }) =>
    url ? html`<a class="button primary" href="${url}" data-turbo="false">Pay</a>` : null,
})

export const formationDashboard: DashboardFeature = {
  pages: [download],
  views: [formationView],
  menu: { account: ['formations'] },
  elsewhere: ['formation_documents'],
  permissions: { 'company.read': 'See company formations', 'company.write': 'Form a company' },
}
