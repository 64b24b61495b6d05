import { html } from 'hono/html'
import { formatNumber } from '../../../../format/numbers.ts'
import { crumbsBelow, crumbsOf } from '../../../../pages/dashboard/derived/detail.ts'
import { sentFiles } from '../../../../pages/dashboard/derived/file-order.ts'
import { formPage } from '../../../../pages/dashboard/derived/form-page.ts'
import { problemsOf } from '../../../../pages/dashboard/derived/problem-words.ts'
import { dashboardAnswer, framed, goDone } from '../../../../pages/dashboard/kit/answers.ts'
import {
  answeredRows,
  formKey,
  keyField,
  type Refusal,
  type RefusedForm,
  refusalOf,
  refusedForm,
  shown,
} from '../../../../pages/dashboard/kit/call.ts'
import { newestFiles, thumbnail } from '../../../../pages/dashboard/kit/pictures.ts'
import { previewSaid } from '../../../../pages/dashboard/kit/preview.ts'
import { scriptAddress } from '../../../../pages/dashboard/kit/stylesheet.ts'
import { localInput, momentOfInput } from '../../../../pages/dashboard/kit/times.ts'
import type { DashboardContext, DashboardPage } from '../../../../pages/dashboard/kit/visit.ts'
import { shortened, valueTitle } from '../../../../pages/dashboard/kit/words.ts'
import { type Page, type Problem, summaryOf } from '../../../../pages/parts/markup.ts'
import type { Shown } from '../../../../resources/nouns.ts'
import { type Override, type Overrides, SocialPost, WRITTEN } from '../../resources/social-post/social-post.ts'
import {
  composerForm,
  type Draft,
  missingChoice,
  type Networks,
  optionsIn,
  optionsOf,
  overrideOf,
} from './composer-form.ts'

type PostValidation = Shown<'social_post_validation'>
type Post = Shown<'social_post', 'social_accounts' | 'media'>

interface ComposerPage {
  draft: Draft
  id: string | null
  title: string
  isScheduled?: boolean
  checked?: PostValidation | null
  refused?: RefusedForm | null
}

const LABELS = {
  content: 'Text',
  social_accounts: 'Accounts',
  media: 'Pictures and videos',
  link_url: 'Link',
  scheduled_at: 'Publish at',
} satisfies { [Name in keyof (typeof SocialPost.fields & typeof WRITTEN)]?: string }

async function page(
  visit: DashboardContext,
  { draft, id, title, isScheduled = false, checked = null, refused = null }: ComposerPage,
): Promise<Response> {
  const { sent = null, refusal = null } = refused ?? {}
  const networks = await networksOf(visit)
  const things = visit.catalogue.known('social_post')
  const problems = problemsIn(refusal, networks)
  const key = keyField(sent, refusal)
  const form = await composerForm(visit, { draft, networks, isNew: id === null, isScheduled, key, sent, problems })
  const content = html`${summaryOf(problems)}${checked ? checkedPart(checked, networks) : ''}<div class="composer" data-controller="networks" data-action="input->networks#typed change->networks#typed">${form}
<section class="previews" aria-labelledby="previews"><h2 id="previews">Preview</h2>${previewSaid('networks')}<div data-networks-target="shown">${await previews(visit, draft, networks)}</div></section></div>`
  const crumbs =
    id === null ? crumbsOf(visit, things) : crumbsBelow(visit, things, { id, content: draft.content || null })
  const scripts = [scriptAddress('dashboard/networks')]
  const status = refused?.status ?? (checked ? 422 : 200)
  return framed(visit, { title, crumbs, scripts, status }, content)
}

/** Returns the problems of a refused post by input. The text for a single network has an input of its own. */
function problemsIn(refusal: Refusal | null, { platforms }: Networks): Problem[] {
  const own = platforms.map(({ platform, name }) => [`content_${platform}`, `Text for ${name}`] as const)
  const fields = { ...SocialPost.fields, ...WRITTEN, ...Object.fromEntries(own.map(([id]) => [id, WRITTEN.content])) }
  const errors = Object.entries(refusal?.errors ?? {}).map(
    ([path, messages]) => [path.replace(/^overrides\.(\w+)\.content$/, 'content_$1'), messages] as const,
  )
  const renamed = refusal?.errors ? { ...refusal, errors: Object.fromEntries(errors) } : refusal
  return problemsOf(renamed, fields, { labels: { ...LABELS, ...Object.fromEntries(own) } })
}

async function networksOf(visit: DashboardContext): Promise<Networks> {
  const [accounts, platforms] = await Promise.all([
    answeredRows(visit.call('GET /social_accounts', { query: { limit: 100 } })),
    answeredRows(visit.call('GET /social_accounts/platforms')),
  ])
  return {
    accounts: accounts.rows.filter(({ status }) => status !== 'disconnected'),
    platforms: platforms.rows,
  }
}

/** Shows the character count for each network, and the problems that prevent publishing there. */
function checkedPart({ valid, results }: PostValidation, { accounts }: Networks): Page {
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

/** Returns a post with its accounts and files expanded. Deleted accounts and files are left out. */
function postOf(visit: DashboardContext, id: string): Promise<Post> {
  return shown(visit.call('GET /social_posts/{id}', { path: { id }, query: { expand: ['social_accounts', 'media'] } }))
}

function draftOf({ account }: DashboardContext, post: Post): Draft {
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

/** Returns a sentence about the saved post, which depends on its status. */
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

/** Returns an error if scheduling or publishing lacks a choice that the person must make, otherwise null. */
async function missingChoiceFor(visit: DashboardContext, does: string | null, draft: Draft): Promise<Refusal | null> {
  if (does === 'schedule' && draft.scheduled_at === '') return NO_TIME
  return does === 'schedule' || does === 'publish' ? missingChoice(draft, await networksOf(visit)) : null
}

/** Responds to forms that only preview or check the post, or that lack a required choice. Returns null for all others. */
async function withoutSaving(
  visit: DashboardContext,
  form: URLSearchParams,
  composed: Pick<ComposerPage, 'id' | 'title' | 'isScheduled'>,
): Promise<Response | RefusedForm | null> {
  const draft = draftOfForm(form)
  const does = form.get('do')
  if (does === 'preview') return dashboardAnswer(await previews(visit, draft, await networksOf(visit)))
  if (does === 'check') {
    const answer = await visit.call('POST /social_posts/validate', { body: bodyOf(visit, draft) })
    return refusedForm(form, answer) ?? page(visit, { draft, ...composed, checked: answer.body })
  }
  const refusal = await missingChoiceFor(visit, does, draft)
  return refusal && { sent: form, refusal, status: 422 }
}

const create = formPage({
  path: '/social_posts/new',
  see: 'content.write',
  show: (visit, _, refused) => {
    const draft = draftOfForm(
      refused?.sent ?? new URLSearchParams({ scheduled_at: visit.query.get('scheduled_at') ?? '' }),
    )
    return page(visit, { draft, ...NEW, refused })
  },
  async take(visit, _, form) {
    const other = await withoutSaving(visit, form, NEW)
    if (other) return other
    const does = form.get('do')
    const { scheduled_at, ...words } = bodyOf(visit, draftOfForm(form))
    const body =
      does === 'publish' ? { ...words, publish_now: true } : does === 'schedule' ? { ...words, scheduled_at } : words
    const answer = await visit.call('POST /social_posts', { body, key: formKey(form) })
    const refused = refusedForm(form, answer)
    return refused ?? goDone(visit, `${visit.base}/social_posts/${answer.body.id}`, 'created', saidOf(answer.body))
  },
})

function editing({ id, status }: Post) {
  return { id, title: 'Edit post', isScheduled: status === 'scheduled' }
}

const edit = formPage({
  path: '/social_posts/:id/edit',
  async show(visit, { id }, refused) {
    const post = await postOf(visit, id)
    return page(visit, { draft: refused ? draftOfForm(refused.sent) : draftOf(visit, post), ...editing(post), refused })
  },
  async take(visit, { id }, form) {
    const post = await postOf(visit, id)
    const other = await withoutSaving(visit, form, editing(post))
    if (other) return other
    const { scheduled_at, ...words } = bodyOf(visit, draftOfForm(form), post.overrides)
    const isPlanned = post.status === 'scheduled' && scheduled_at !== undefined
    const changed = await visit.call('PATCH /social_posts/{id}', {
      path: { id },
      body: isPlanned ? { ...words, scheduled_at } : words,
    })
    const after = refusalOf(changed)
      ? changed
      : ((await publishOrSchedule(visit, id, form.get('do'), scheduled_at)) ?? changed)
    return refusedForm(form, after) ?? goDone(visit, `${visit.base}/social_posts/${id}`, 'saved', saidOf(after.body))
  },
})

/** Publishes or schedules the post and returns the operation's response. Returns null if the form does neither. */
async function publishOrSchedule(visit: DashboardContext, id: string, does: string | null, scheduled_at?: string) {
  const path = { id }
  if (does === 'publish') return visit.call('POST /social_posts/{id}/publish', { path })
  if (does === 'schedule') return visit.call('POST /social_posts/{id}/schedule', { path, body: { scheduled_at } })
  return null
}

export const composerPages: DashboardPage[] = [create, edit]

type NetworkValidation = Shown<'social_post_validation'>['results'][number]

/** Previews the post on each chosen network with its character count, or on all networks if no account is chosen. */
async function previews(visit: DashboardContext, draft: Draft, networks: Networks): Promise<Page> {
  const chosen = networks.accounts.filter(({ id }) => draft.accounts.includes(id))
  const accounts = chosen.length > 0 ? chosen : networks.accounts
  if (accounts.length === 0) return html``
  const { scheduled_at: _, ...body } = bodyOf(visit, { ...draft, accounts: accounts.map(({ id }) => id) })
  const answer = await visit.call('POST /social_posts/validate', { body })
  const refusal = refusalOf(answer)
  if (refusal)
    return html`<p class="hint">${problemsOf(refusal, SocialPost.fields)
      .map(({ message }) => message)
      .join(' ')}</p>`
  const pictures = await picturesOf(visit, draft)
  const begun =
    chosen.length > 0 || draft.media.length > 0 || draft.link_url.trim() !== '' || draft.content.trim() !== ''
  return html`${answer.body.results.map((result) => preview(visit, result, { draft, networks, pictures, begun }))}`
}

interface PreviewContext {
  draft: Draft
  networks: Networks
  pictures: Page[]
  /** Whether the person has entered anything. An empty form shows no errors. */
  begun: boolean
}

function preview(
  { base }: DashboardContext,
  result: NetworkValidation,
  { draft, networks, pictures, begun }: PreviewContext,
): Page {
  const { platform, social_account, characters, max_characters: most, errors } = result
  const account = networks.accounts.find(({ id }) => id === social_account)
  const name = valueTitle(platform)
  const who = account?.username ? `@${account.username}` : (account?.label ?? '')
  const own = draft.overrides[platform]?.trim() ? draft.overrides[platform] : draft.content
  const text = [own.trim(), draft.link_url.trim()].filter(Boolean).join('\n')
  const isOver = characters > most
  const isPending = account?.status === 'pending'
  const wrong = begun ? errors.filter((error) => !(isPending && error.includes('connect_url'))) : []
  return html`<article class="network" aria-label="${name} ${who}">
<header><strong>${name}</strong> <span class="hint">${who}</span></header>
${text === '' ? html`<p class="none">No text yet.</p>` : html`<p class="network-text">${text}</p>`}
${pictures.length > 0 ? html`<div class="network-media">${pictures}</div>` : ''}
<p class="counter${isOver ? ' over' : ''}"><span class="number">${formatNumber(characters)} of ${formatNumber(most)}</span> characters${isOver ? html`: ${formatNumber(characters - most)} too many` : ''}</p>
${isPending ? html`<p class="hint">Not connected yet. <a href="${base}/social_accounts/${social_account}">Allow access</a></p>` : ''}${wrong.length > 0 ? html`<ul class="problems">${wrong.map((error) => html`<li>${error}</li>`)}</ul>` : ''}</article>`
}

async function picturesOf(visit: DashboardContext, { media }: Draft): Promise<Page[]> {
  if (media.length === 0) return []
  const files = await newestFiles(visit)
  return media
    .flatMap((id) => files.find((file) => file.id === id) ?? [])
    .map((file) => html`<span class="tile-picture">${thumbnail(file)}</span>`)
}

/**
 * Returns the request body for a post. Keeps the media in its stored overrides (`kept`), because this form does not edit them.
 */
function bodyOf(visit: DashboardContext, draft: Draft, kept: Overrides = {}) {
  const given = Object.entries(draft.overrides).filter(([, words]) => words.trim() !== '')
  const withMedia = Object.entries(kept).filter(([, override]) => override.media)
  const overrides: Record<string, Override> = { ...overrideOf(draft.options) }
  for (const [platform, { media }] of withMedia) overrides[platform] = { ...overrides[platform], media }
  for (const [platform, content] of given) overrides[platform] = { ...overrides[platform], content }
  const orNull = (text: string) => (text.trim() === '' ? null : text)
  return {
    content: orNull(draft.content),
    social_accounts: draft.accounts,
    media: draft.media,
    link_url: orNull(draft.link_url),
    first_comment: orNull(draft.first_comment),
    language: orNull(draft.language),
    overrides,
    ...(draft.scheduled_at !== '' && { scheduled_at: momentOfInput(draft.scheduled_at, visit.account.timezone) }),
  }
}
