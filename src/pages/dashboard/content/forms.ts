import { html } from 'hono/html'
import { counted } from '../../../format/counts.ts'
import { csvLine } from '../../../format/csv.ts'
import { formatMoment } from '../../../format/moments.ts'
import type { Shown } from '../../../resources/nouns.ts'
import { type Column, dataTable, type Fact, factList, headedCard, type Page } from '../../parts/markup.ts'
import { pager } from '../derived/list.ts'
import type { WordsIn } from '../derived/part-words.ts'
import { downloadAnswer, framed } from '../kit/answers.ts'
import { answeredRows, shown } from '../kit/call.ts'
import { type DashboardContext, type DashboardPage, type Viewed, view } from '../kit/visit.ts'

type Question = Pick<Form['fields'][number], 'id' | 'label'>

type Form = Shown<'form'>
type Submission = Shown<'form_submission'>
const A_PAGE = 50
const ROWS_OF_CSV = 10_000

function formOf(visit: DashboardContext, id: string): Promise<Form> {
  return shown(visit.call('GET /forms/{id}', { path: { id } }))
}

const answers: DashboardPage = {
  path: '/forms/:id/answers',
  see: 'customers.read',
  async get(visit, { id }) {
    const form = await formOf(visit, id!)
    const after = visit.query.get('starting_after')
    const { rows, more } = await submissions(visit, form.id, A_PAGE, after)
    const actions = html`<a class="button" href="${visit.base}/forms/${form.id}/answers.csv" data-turbo="false">Export<span class="unseen"> as CSV</span></a>`
    const crumbs = [
      { words: 'Forms', address: `${visit.base}/forms` },
      { words: form.name, address: `${visit.base}/forms/${form.id}` },
    ]
    const content =
      rows.length > 0
        ? html`${answersTable(visit, form, rows)}${pager(visit, rows, more)}`
        : html`<div class="empty"><p>No answers yet.</p><p><a class="button" href="${form.url}" data-turbo="false">Open the form</a></p></div>`
    const lead = counted(form.submissions_count, 'submission')
    return framed(visit, { title: `Answers to ${form.name}`, crumbs, lead, actions }, content)
  },
}

function submissions(visit: DashboardContext, form: string, limit: number, after: string | null) {
  const query = { form, limit, ...(after && { starting_after: after }) }
  return answeredRows(visit.call('GET /form_submissions', { query }))
}

/** Returns the form's questions, followed by deleted questions that still have answers. */
function questionsOf({ fields }: Form, rows: Submission[]): Question[] {
  const known = new Map(fields.map(({ id, label }) => [id, label]))
  for (const { answers: given } of rows)
    for (const { field_id, label } of given) if (!known.has(field_id)) known.set(field_id, label)
  return [...known].map(([id, label]) => ({ id, label }))
}

function textOf(value: Submission['answers'][number]['value'] | undefined): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  return Array.isArray(value) ? value.join(', ') : String(value)
}

function answersTable(visit: DashboardContext, form: Form, rows: Submission[]): Page {
  const columns: Column<Submission>[] = [
    { words: 'Sent', cell: (row) => sentCell(visit, row) },
    ...questionsOf(form, rows).map(({ id, label }) => ({
      words: label,
      cell: ({ answers: given }: Submission) => {
        const text = textOf(given.find(({ field_id }) => field_id === id)?.value)
        return text === '' ? html`<span class="none">–</span>` : text
      },
    })),
  ]
  return dataTable({ caption: `Answers to ${form.name}`, columns, rows })
}

function sentCell({ base, account }: DashboardContext, { id, created_at, confirmed }: Submission): Page {
  const moment = formatMoment(created_at, account.timezone)
  return html`<a class="row-link number" href="${base}/form_submissions/${id}">${moment}</a>${confirmed ? '' : html` <span class="badge wait">Not confirmed</span>`}`
}

const csv: DashboardPage = {
  path: '/forms/:id/answers.csv',
  async get(visit, { id }) {
    const form = await formOf(visit, id!)
    const rows: Submission[] = []
    for (;;) {
      const part = await submissions(visit, form.id, 100, rows.at(-1)?.id ?? null)
      rows.push(...part.rows)
      if (!part.more || rows.length >= ROWS_OF_CSV) break
    }
    const questions = questionsOf(form, rows)
    const head = ['Sent', ...questions.map(({ label }) => label), 'Confirmed']
    const lines = rows.map(({ created_at, answers: given, confirmed }) => [
      created_at,
      ...questions.map((question) => textOf(given.find(({ field_id }) => field_id === question.id)?.value)),
      confirmed ? 'Yes' : 'No',
    ])
    return downloadAnswer([head, ...lines].map(csvLine).join(''), 'answers.csv', 'text/csv; charset=utf-8')
  },
}

export const formPages: DashboardPage[] = [answers, csv]

async function unconfirmedAddresses(
  _: DashboardContext,
  { unconfirmed_notification_emails: addresses }: Viewed<'form'>,
): Promise<Page | null> {
  if (addresses.length === 0) return null
  const whose = addresses.length === 1 ? 'its owner' : 'their owners'
  return html`<p class="notice wait">No notifications are sent to <strong>${addresses.join(', ')}</strong> until ${whose} confirmed through the link we e-mailed. The link works for 7 days; after that, the next submission sends a new one.</p>`
}

export const formView = view('form', {
  columns: ['name', 'status', 'submissions_count', 'created_at'],
  lead: 'Pages with questions for visitors: a newsletter sign-up, a contact form, a survey.',
  links: ({ base }, { id, url }) =>
    html`<a class="button" href="${url}" data-turbo="false">View page</a><a class="button" href="${base}/forms/${id}/answers">Answers</a>`,
  above: [unconfirmedAddresses],
  without: ['name', 'status', 'metadata', 'unconfirmed_notification_emails'],
  labels: {
    ...{ fields: 'Questions', url: 'Address', confirmation_required: 'Confirmed by e-mail', tags: 'Gives the tags' },
    ...{ success_message: 'Says afterwards', redirect_url: 'Leads to', notification_emails: 'Writes to' },
  },
  form: {
    groups: [
      { names: ['name', 'description', 'fields'] },
      { title: 'After it was sent', names: ['success_message', 'redirect_url', 'notification_emails', 'tags'] },
      { title: 'Addresses', names: ['confirmation_required'] },
    ],
    labels: {
      fields: 'Questions',
      success_message: 'What visitors read then',
      redirect_url: 'Or a page that they are led to',
      notification_emails: 'Write to these addresses',
      tags: 'Give them these tags',
      confirmation_required: 'Visitors confirm their address by a link that they are mailed',
    },
    parts: {
      fields: { label: 'Questions', entry: 'Question' },
      'fields.type': { label: 'Answer type' },
      'fields.label': { label: 'Question' },
      'fields.placeholder': { label: 'Placeholder' },
      'fields.options': { label: 'Choices', hint: 'For single or multiple choice, one per line.' },
      'fields.required': { label: 'Required' },
    } satisfies WordsIn<Viewed<'form'>>,
    hints: {
      name: 'The heading of the page.',
      description: 'Shown above the questions.',
      success_message: 'Empty: a plain thank you.',
      redirect_url: 'Such as https://example.com/thanks.',
      notification_emails: 'At each answer. One per line.',
      confirmation_required: 'Double opt-in, as newsletters need it in many countries.',
    },
  },
  actions: {
    delete: {
      button: 'Delete',
      lead: () => 'A form with answers cannot be deleted: archive it instead.',
      danger: true,
    },
  },
  related: [],
})

async function givenAnswers(_: DashboardContext, { answers: given }: Viewed<'form_submission'>): Promise<Page> {
  const lines = given.map(({ label, value }): Fact => {
    const text = textOf(value)
    return [label, text === '' ? html`<span class="none">No answer</span>` : html`<div class="prose">${text}</div>`]
  })
  return headedCard('answers', 'Answers', factList('fields', lines))
}

export const submissionView = view('form_submission', {
  lead: 'What visitors answered. Each form also shows its answers in a table.',
  title: ({ name, email }) => name ?? email ?? 'Unnamed',
  search: 'E-mail or name',
  columns: ['from', 'name', 'form', 'confirmed', 'created_at'],
  cells: { from: { title: 'From', show: (_, { email }) => html`${email ?? 'No address'}` } },
  above: [givenAnswers],
  labels: { respondent: 'Customer' },
  without: ['answers'],
})

export const legalPageView = view('legal_page', {
  columns: ['title', 'published', 'updated_at'],
  lead: 'Every shop has these three pages. Visitors see a page once it is published.',
  without: ['kind', 'slug'],
  links: (_, { url, published }) =>
    published ? html`<a class="button" href="${url}" data-turbo="false">View page</a>` : null,
})
