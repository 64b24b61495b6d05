import { html } from 'hono/html'
import { SocialPost, WRITTEN } from '../../../resources/social/social_post/social_post.ts'
import { formatNumber } from '../../../words/numbers.ts'
import type { Page } from '../../parts/document.ts'
import { summaryOf } from '../../parts/fields.ts'
import { crumbsBelow, crumbsOf, one } from '../derived/detail.ts'
import { sentFiles } from '../derived/file-order.ts'
import { problemsOf } from '../derived/form.ts'
import { rearranged } from '../derived/forms.ts'
import { inputText } from '../derived/inputs.ts'
import { dashboardAnswer } from '../kit/answers.ts'
import { type Refusal, refusalOf, rowsOf, type Values } from '../kit/ask.ts'
import { keyField, keyOf } from '../kit/form-key.ts'
import { framed } from '../kit/frame.ts'
import { shortened } from '../kit/labels.ts'
import { goDone } from '../kit/notices.ts'
import type { DashboardPage } from '../kit/page.ts'
import { localInput, momentOfInput } from '../kit/times.ts'
import type { Visit } from '../kit/visit.ts'
import { valueTitle } from '../kit/words.ts'
import { composerForm } from './composer-form.ts'
import type { Draft, Networks } from './networks.ts'

interface Checked {
  valid: boolean
  results: { social_account: string; platform: string; errors: string[]; characters: number; max_characters: number }[]
}

interface Shown {
  draft: Draft
  id: string | null
  title: string
  checked?: Checked | null
  refusal?: Refusal | null
  status?: number
  /** The form as it was sent. */
  sent?: URLSearchParams
}

const EMPTY: Draft = {
  content: '',
  accounts: [],
  media: [],
  link_url: '',
  first_comment: '',
  scheduled_at: '',
  overrides: {},
}

async function page(
  visit: Visit,
  { draft, id, title, checked = null, refusal = null, status = 200, sent }: Shown,
): Promise<Response> {
  const networks = await networksOf(visit)
  const things = visit.catalogue.of('social_post')!
  const fields = { ...SocialPost.fields, ...WRITTEN }
  const isNew = id === null
  const form = await composerForm(visit, { draft, networks, isNew, key: keyField(sent, refusal), sent: sent ?? null })
  const content = html`${summaryOf(problemsOf(refusal, fields))}${checked ? checkedPart(checked, networks) : ''}${form}`
  const crumbs =
    id === null
      ? crumbsOf(visit, things)
      : crumbsBelow(visit, things, { id, name: shortened(draft.content || 'Post', 40) })
  return dashboardAnswer(framed(visit, { title, crumbs }, content), { status })
}

async function networksOf(visit: Visit): Promise<Networks> {
  const [accounts, platforms] = await Promise.all([
    rowsOf(visit.askAny('GET', '/social_accounts', { query: { limit: 100 } })),
    rowsOf(visit.askAny('GET', '/social_accounts/platforms')),
  ])
  return {
    accounts: accounts.rows.filter(({ status }) => status !== 'disconnected') as unknown as Networks['accounts'],
    platforms: platforms.rows as unknown as Networks['platforms'],
  }
}

/** What each network says of the post: how long it is there, and what keeps it from being published. */
function checkedPart({ valid, results }: Checked, { accounts }: Networks): Page {
  const lines = results.map(({ social_account, platform, errors, characters, max_characters }) => {
    const account = accounts.find(({ id }) => id === social_account)
    const name = `${valueTitle(platform)}${account?.username ? ` @${account.username}` : ''}`
    return html`<li><strong>${name}</strong> ${formatNumber(characters)} of ${formatNumber(max_characters)} characters${
      errors.length > 0 ? html`<ul>${errors.map((error) => html`<li>${error}</li>`)}</ul>` : ''
    }</li>`
  })
  return html`<div class="notice ${valid ? 'good' : 'bad'}" role="${valid ? 'status' : 'alert'}" tabindex="-1" autofocus><h2>${
    valid ? 'It fits every network' : 'It does not fit every network yet'
  }</h2><ul class="fits">${lines}</ul></div>`
}

function draftOfForm(form: URLSearchParams): Draft {
  const text = (name: string) => (form.get(name) ?? '').replaceAll('\r\n', '\n')
  const overrides = [...form.keys()].filter((name) => name.startsWith('content_'))
  return {
    content: text('content'),
    accounts: form.getAll('social_accounts'),
    media: sentFiles(form, 'media'),
    link_url: text('link_url'),
    first_comment: text('first_comment'),
    scheduled_at: text('scheduled_at'),
    overrides: Object.fromEntries(overrides.map((name) => [name.slice('content_'.length), text(name)])),
  }
}

function draftOf(visit: Visit, values: Values): Draft {
  const ids = (name: string) =>
    inputText(visit, SocialPost.fields[name]!, values[name], values).split('\n').filter(Boolean)
  const overrides = Object.entries((values.overrides ?? {}) as Record<string, { content?: string }>)
  return {
    content: String(values.content ?? ''),
    accounts: ids('social_accounts'),
    media: ids('media'),
    link_url: String(values.link_url ?? ''),
    first_comment: String(values.first_comment ?? ''),
    scheduled_at: values.scheduled_at
      ? localInput(String(values.scheduled_at), visit.account.timezone).slice(0, 16)
      : '',
    overrides: Object.fromEntries(overrides.map(([platform, { content }]) => [platform, content ?? ''])),
  }
}

/** `kept` are the overrides of a post that have media of their own, which this form leaves as they are. */
function bodyOf(visit: Visit, draft: Draft, kept: Values = {}): Values {
  const given = Object.entries(draft.overrides).filter(([, words]) => words.trim() !== '')
  const withMedia = Object.entries(kept as Record<string, { media?: string[] }>).filter(([, { media }]) => media)
  const overrides: Values = Object.fromEntries(withMedia.map(([platform, { media }]) => [platform, { media }]))
  for (const [platform, content] of given) overrides[platform] = { ...(overrides[platform] as object), content }
  const orNull = (text: string) => (text.trim() === '' ? null : text)
  return {
    content: orNull(draft.content),
    social_accounts: draft.accounts,
    media: draft.media,
    link_url: orNull(draft.link_url),
    first_comment: orNull(draft.first_comment),
    overrides,
    ...(draft.scheduled_at !== '' && { scheduled_at: momentOfInput(draft.scheduled_at, visit.account.timezone) }),
  }
}

async function check(visit: Visit, draft: Draft, shown: Pick<Shown, 'id' | 'title'>): Promise<Response> {
  const answer = await visit.askAny('POST', '/social_posts/validate', { body: bodyOf(visit, draft) })
  const refusal = refusalOf(answer)
  const checked = refusal ? null : (answer.body as unknown as Checked)
  return page(visit, { draft, ...shown, checked, refusal, status: 422 })
}

/** What was done with a post, by what it is now. */
function saidOf(post: Values): string {
  const words: Record<string, string> = { draft: 'saved as a draft', scheduled: 'scheduled' }
  const did = words[String(post.status)] ?? 'sent to its networks'
  return `Post “${shortened(String(post.content ?? 'Media'), 60)}” ${did}.`
}

const NEW = { id: null, title: 'New post' }

const NO_TIME: Refusal = {
  code: 'validation_failed',
  message: 'Choose when to publish it.',
  errors: { scheduled_at: ['Choose when to publish it.'] },
}

function lacksTime(does: string | null, { scheduled_at }: Draft): boolean {
  return does === 'schedule' && scheduled_at === ''
}

const create: DashboardPage = {
  path: '/social_posts/new',
  get: (visit) => page(visit, { draft: { ...EMPTY, scheduled_at: visit.query.get('scheduled_at') ?? '' }, ...NEW }),
  async post(visit, _, form) {
    const again = rearranged(form)
    if (again) return page(visit, { ...NEW, ...again, draft: draftOfForm(again.sent) })
    const draft = draftOfForm(form)
    const does = form.get('do')
    if (does === 'check') return check(visit, draft, NEW)
    if (lacksTime(does, draft)) return page(visit, { draft, ...NEW, refusal: NO_TIME, status: 422 })
    const { scheduled_at, ...words } = bodyOf(visit, draft)
    const body =
      does === 'publish' ? { ...words, publish_now: true } : does === 'schedule' ? { ...words, scheduled_at } : words
    const answer = await visit.askAny('POST', '/social_posts', { body, key: keyOf(form) })
    const refusal = refusalOf(answer)
    if (refusal) return page(visit, { draft, ...NEW, refusal, status: answer.status, sent: form })
    return goDone(visit, `${visit.base}/social_posts/${String(answer.body.id)}`, 'created', saidOf(answer.body))
  },
}

const edit: DashboardPage = {
  path: '/social_posts/:id/edit',
  async get(visit, { id }) {
    const values = await one(visit, visit.catalogue.of('social_post')!, id!)
    return page(visit, { draft: draftOf(visit, values), id: id!, title: 'Edit post' })
  },
  async post(visit, { id }, form) {
    const values = await one(visit, visit.catalogue.of('social_post')!, id!)
    const shown = { id: id!, title: 'Edit post' }
    const again = rearranged(form)
    if (again) return page(visit, { ...shown, ...again, draft: draftOfForm(again.sent) })
    const draft = draftOfForm(form)
    const does = form.get('do')
    if (does === 'check') return check(visit, draft, shown)
    if (lacksTime(does, draft)) return page(visit, { draft, ...shown, refusal: NO_TIME, status: 422 })
    const path = `/social_posts/${encodeURIComponent(id!)}`
    const { scheduled_at, ...words } = bodyOf(visit, draft, values.overrides as Values)
    const isPlanned = values.status === 'scheduled' && scheduled_at !== undefined
    const changed = await visit.askAny('PATCH', path, { body: isPlanned ? { ...words, scheduled_at } : words })
    const after =
      refusalOf(changed) || !['publish', 'schedule'].includes(does ?? '')
        ? changed
        : await visit.askAny('POST', `${path}/${does}`, does === 'schedule' ? { body: { scheduled_at } } : {})
    const refusal = refusalOf(after)
    if (refusal) return page(visit, { draft, ...shown, refusal, status: after.status })
    return goDone(visit, `${visit.base}/social_posts/${id}`, 'saved', saidOf(after.body))
  },
}

export const composerPages: DashboardPage[] = [create, edit]
