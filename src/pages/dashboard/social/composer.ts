import { html } from 'hono/html'
import type { Shown } from '../../../resources/nouns.ts'
import { SocialPost, WRITTEN } from '../../../resources/social/social_post/social_post.ts'
import { formatNumber } from '../../../words/numbers.ts'
import type { Page } from '../../parts/document.ts'
import { summaryOf } from '../../parts/fields.ts'
import { crumbsBelow, crumbsOf } from '../derived/detail.ts'
import { sentFiles } from '../derived/file-order.ts'
import { problemsOf } from '../derived/form.ts'
import { rearranged } from '../derived/form-page.ts'
import { dashboardAnswer } from '../kit/answers.ts'
import { type Refusal, refusalOf, rowsOf, shown } from '../kit/ask.ts'
import { keyField, keyOf } from '../kit/form-key.ts'
import { framed } from '../kit/frame.ts'
import { shortened } from '../kit/labels.ts'
import { goDone } from '../kit/notices.ts'
import type { DashboardPage } from '../kit/page.ts'
import { previewSaid } from '../kit/preview.ts'
import { scriptAddress } from '../kit/scripts.ts'
import { localInput } from '../kit/times.ts'
import type { Visit } from '../kit/visit.ts'
import { valueTitle } from '../kit/words.ts'
import { composerForm } from './composer-form.ts'
import { bodyOf } from './draft.ts'
import type { Draft, Networks } from './networks.ts'
import { missingChoice, optionsIn, optionsOf } from './post-options.ts'
import { previews } from './previews.ts'

type Checked = Shown<'social_post_validation'>
type Post = Shown<'social_post', 'social_accounts' | 'media'>

interface Composed {
  draft: Draft
  id: string | null
  title: string
  isScheduled?: boolean
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
  language: '',
  scheduled_at: '',
  overrides: {},
  options: {},
}

async function page(
  visit: Visit,
  { draft, id, title, isScheduled = false, checked = null, refusal = null, status = 200, sent }: Composed,
): Promise<Response> {
  const networks = await networksOf(visit)
  const things = visit.catalogue.known('social_post')
  const fields = { ...SocialPost.fields, ...WRITTEN }
  const isNew = id === null
  const form = await composerForm(visit, {
    draft,
    networks,
    isNew,
    isScheduled,
    key: keyField(sent, refusal),
    sent: sent ?? null,
  })
  const content = html`${summaryOf(problemsOf(refusal, fields))}${checked ? checkedPart(checked, networks) : ''}<div class="composer" data-controller="networks" data-action="input->networks#typed change->networks#typed">${form}
<section class="previews" aria-labelledby="previews"><h2 id="previews">Preview</h2>${previewSaid('networks')}<div data-networks-target="shown">${await previews(visit, draft, networks)}</div></section></div>`
  const crumbs =
    id === null ? crumbsOf(visit, things) : crumbsBelow(visit, things, { id, content: draft.content || null })
  const scripts = [scriptAddress('dashboard/networks')]
  return dashboardAnswer(framed(visit, { title, crumbs, scripts }, content), { status })
}

async function networksOf(visit: Visit): Promise<Networks> {
  const [accounts, platforms] = await Promise.all([
    rowsOf(visit.ask('GET /social_accounts', { query: { limit: 100 } })),
    rowsOf(visit.ask('GET /social_accounts/platforms')),
  ])
  return {
    accounts: accounts.rows.filter(({ status }) => status !== 'disconnected'),
    platforms: platforms.rows,
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
    language: text('language'),
    scheduled_at: text('scheduled_at'),
    overrides: Object.fromEntries(overrides.map((name) => [name.slice('content_'.length), text(name)])),
    options: optionsIn(form),
  }
}

/** Without accounts and files that are gone, which `expand` leaves out. */
function postOf(visit: Visit, id: string): Promise<Post> {
  return shown(visit.ask('GET /social_posts/{id}', { path: { id }, query: { expand: ['social_accounts', 'media'] } }))
}

function draftOf({ account }: Visit, post: Post): Draft {
  const { scheduled_at: at, overrides } = post
  return {
    content: post.content ?? '',
    accounts: post.social_accounts.map(({ id }) => id),
    media: post.media.map(({ id }) => id),
    link_url: post.link_url ?? '',
    first_comment: post.first_comment ?? '',
    language: post.language ?? '',
    scheduled_at: at ? localInput(at, account.timezone).slice(0, 16) : '',
    overrides: Object.fromEntries(
      Object.entries(overrides).map(([platform, override]) => [platform, override.content ?? '']),
    ),
    options: optionsOf(overrides),
  }
}

/** The previews alone, for the script that shows them while somebody writes. */
async function previewAnswer(visit: Visit, draft: Draft): Promise<Response> {
  return dashboardAnswer(await previews(visit, draft, await networksOf(visit)))
}

async function check(
  visit: Visit,
  draft: Draft,
  composed: Pick<Composed, 'id' | 'title' | 'isScheduled'>,
): Promise<Response> {
  const answer = await visit.ask('POST /social_posts/validate', { body: bodyOf(visit, draft) })
  const refusal = refusalOf(answer)
  const checked = refusal ? null : answer.body
  return page(visit, { draft, ...composed, checked, refusal, status: 422 })
}

/** What was done with a post, by what it is now. */
function saidOf({ status, content }: Shown<'social_post'>): string {
  const words: { [Status in typeof status]?: string } = { draft: 'saved as a draft', scheduled: 'scheduled' }
  return `Post “${shortened(content ?? 'Media', 60)}” ${words[status] ?? 'sent to its networks'}.`
}

const NEW = { id: null, title: 'New post' }

const NO_TIME: Refusal = {
  code: 'validation_failed',
  message: 'Choose when to publish it.',
  errors: { scheduled_at: ['Choose when to publish it.'] },
}

/** The refusal of a post that lacks a choice of the person; null if nothing is missing, or if the post is only saved. */
async function unchosen(visit: Visit, does: string | null, draft: Draft): Promise<Refusal | null> {
  if (does === 'schedule' && draft.scheduled_at === '') return NO_TIME
  return does === 'schedule' || does === 'publish' ? missingChoice(draft, await networksOf(visit)) : null
}

const create: DashboardPage = {
  path: '/social_posts/new',
  get: (visit) => page(visit, { draft: { ...EMPTY, scheduled_at: visit.query.get('scheduled_at') ?? '' }, ...NEW }),
  async post(visit, _, form) {
    const again = rearranged(form)
    if (again) return page(visit, { ...NEW, ...again, draft: draftOfForm(again.sent) })
    const draft = draftOfForm(form)
    const does = form.get('do')
    if (does === 'preview') return previewAnswer(visit, draft)
    if (does === 'check') return check(visit, draft, NEW)
    const lack = await unchosen(visit, does, draft)
    if (lack) return page(visit, { draft, ...NEW, refusal: lack, status: 422 })
    const { scheduled_at, ...words } = bodyOf(visit, draft)
    const body =
      does === 'publish' ? { ...words, publish_now: true } : does === 'schedule' ? { ...words, scheduled_at } : words
    const answer = await visit.ask('POST /social_posts', { body, key: keyOf(form) })
    const refusal = refusalOf(answer)
    if (refusal) return page(visit, { draft, ...NEW, refusal, status: answer.status, sent: form })
    return goDone(visit, `${visit.base}/social_posts/${answer.body.id}`, 'created', saidOf(answer.body))
  },
}

function editing({ id, status }: Post) {
  return { id, title: 'Edit post', isScheduled: status === 'scheduled' }
}

const edit: DashboardPage = {
  path: '/social_posts/:id/edit',
  async get(visit, { id }) {
    const post = await postOf(visit, id!)
    return page(visit, { draft: draftOf(visit, post), ...editing(post) })
  },
  async post(visit, { id }, form) {
    const post = await postOf(visit, id!)
    const composed = editing(post)
    const again = rearranged(form)
    if (again) return page(visit, { ...composed, ...again, draft: draftOfForm(again.sent) })
    const draft = draftOfForm(form)
    const does = form.get('do')
    if (does === 'preview') return previewAnswer(visit, draft)
    if (does === 'check') return check(visit, draft, composed)
    const lack = await unchosen(visit, does, draft)
    if (lack) return page(visit, { draft, ...composed, refusal: lack, status: 422 })
    const path = { id: id! }
    const { scheduled_at, ...words } = bodyOf(visit, draft, post.overrides)
    const isPlanned = post.status === 'scheduled' && scheduled_at !== undefined
    const changed = await visit.ask('PATCH /social_posts/{id}', {
      path,
      body: isPlanned ? { ...words, scheduled_at } : words,
    })
    const after = refusalOf(changed) ? changed : ((await sentOut(visit, id!, does, scheduled_at)) ?? changed)
    const refusal = refusalOf(after)
    if (refusal) return page(visit, { draft, ...composed, refusal, status: after.status })
    return goDone(visit, `${visit.base}/social_posts/${id}`, 'saved', saidOf(after.body))
  },
}

/** The answer to publishing or scheduling a post; null where a form does neither. */
async function sentOut(visit: Visit, id: string, does: string | null, scheduled_at?: string) {
  const path = { id }
  if (does === 'publish') return visit.ask('POST /social_posts/{id}/publish', { path })
  if (does === 'schedule') return visit.ask('POST /social_posts/{id}/schedule', { path, body: { scheduled_at } })
  return null
}

export const composerPages: DashboardPage[] = [create, edit]
