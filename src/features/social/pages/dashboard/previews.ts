import { html } from 'hono/html'
import { formatNumber } from '../../../../format/numbers.ts'
import { problemsOf } from '../../../../pages/dashboard/derived/problem-words.ts'
import { refusalOf } from '../../../../pages/dashboard/kit/call.ts'
import { newestFiles, thumbnail } from '../../../../pages/dashboard/kit/pictures.ts'
import { momentOfInput } from '../../../../pages/dashboard/kit/times.ts'
import type { DashboardContext } from '../../../../pages/dashboard/kit/visit.ts'
import { valueTitle } from '../../../../pages/dashboard/kit/words.ts'
import type { Page } from '../../../../pages/parts/markup.ts'
import type { Shown } from '../../../../resources/nouns.ts'
import { type Override, type Overrides, SocialPost } from '../../resources/social-post/social-post.ts'
import type { Draft, Networks } from './networks.ts'
import { overrideOf } from './post-options.ts'

type NetworkValidation = Shown<'social_post_validation'>['results'][number]

/** Previews the post on each chosen network with its character count, or on all networks if no account is chosen. */
export async function previews(visit: DashboardContext, draft: Draft, networks: Networks): Promise<Page> {
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

/** Returns the request body for a post. `kept` are its stored overrides, whose media stay, because this form does not edit them. */
export function bodyOf(visit: DashboardContext, draft: Draft, kept: Overrides = {}) {
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
