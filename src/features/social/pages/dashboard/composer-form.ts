import { html } from 'hono/html'
import { keysOf } from '../../../../contract/values/keys.ts'
import { AUDIENCES, type Audience, INTERACTIONS } from '../../../../contract/values/post-audiences.ts'
import { formatNumber } from '../../../../format/numbers.ts'
import { filesInput } from '../../../../pages/dashboard/derived/file-inputs.ts'
import type { Refusal } from '../../../../pages/dashboard/kit/call.ts'
import { isMedium } from '../../../../pages/dashboard/kit/pictures.ts'
import type { DashboardContext } from '../../../../pages/dashboard/kit/visit.ts'
import { valueTitle } from '../../../../pages/dashboard/kit/words.ts'
import { field, type Page, type Problem, problemsAt } from '../../../../pages/parts/markup.ts'
import type { Shown } from '../../../../resources/nouns.ts'
import type { PostOptions } from '../../providers/provider.ts'
import type { Overrides } from '../../resources/social-post/social-post.ts'

interface ComposerFormOptions {
  draft: Draft
  networks: Networks
  isNew: boolean
  isScheduled: boolean
  /** The idempotency key of the form. */
  key: Page
  sent: URLSearchParams | null
  problems: readonly Problem[]
}

export async function composerForm(
  visit: DashboardContext,
  { draft, networks, isNew, isScheduled, key, sent, problems }: ComposerFormOptions,
): Promise<Page> {
  // Enter presses the first submit button, so a hidden Save button comes before the buttons that move pictures.
  return html`<form class="card form" method="post" action="${visit.path}">
<button class="unseen" name="do" value="save" tabindex="-1" aria-hidden="true">Save</button><input type="hidden" name="csrf" value="${visit.csrf}">${key}
${accounts(visit, draft, networks, problems)}
${area('content', 'Text', draft.content, 6, limits(draft, networks), problems)}
${line('link_url', 'Link', draft.link_url, 'url', 'Added on a line below the text and counted in its characters.', problems)}
${await media(visit, draft, sent, problems)}
${area('first_comment', 'First comment', draft.first_comment, 2, 'A comment that is posted right below the post.', problems)}
${line('language', 'Language', draft.language, 'text', 'Such as en, de or pt-BR. Bluesky and Mastodon show posts to people who read their language.', problems)}
<details class="different"${Object.values(draft.overrides).some((words) => words !== '') || problems.some(({ field }) => field?.startsWith('field-content_')) ? html` open` : ''}><summary>Different text for individual networks</summary>
${platformsOf(networks).map(({ platform, name, max_characters: most }) => area(`content_${platform}`, name, draft.overrides[platform] ?? '', 3, `Instead of the text, at most ${formatNumber(most)} characters.`, problems))}</details>
${optionFields(draft, networks, problems)}${publishAt(visit, draft, isScheduled, problems)}
${consent(networks)}${buttons(isNew, isScheduled)}
</form>`
}

function publishAt(
  { account }: DashboardContext,
  { scheduled_at }: Draft,
  isScheduled: boolean,
  problems: readonly Problem[],
): Page {
  const zone = account.timezone.replaceAll('_', ' ')
  const hint = isScheduled
    ? `When it goes out, in the time zone ${zone}.`
    : `Needed to schedule the post. In the time zone ${zone}.`
  return field({
    id: 'field-scheduled_at',
    label: 'Publish at',
    hint,
    problems,
    input: (described) =>
      html`<input id="field-scheduled_at" name="scheduled_at" type="datetime-local" value="${scheduled_at}"${described}>`,
  })
}

/** The buttons for the post's state. A scheduled post is saved together with its scheduled time. */
function buttons(isNew: boolean, isScheduled: boolean): Page {
  const isMain = (is: boolean) => (is ? html` class="primary"` : '')
  const schedule = isScheduled ? '' : html`<button name="do" value="schedule"${isMain(isNew)}>Schedule</button>`
  return html`<div class="form-buttons"><button name="do" value="save"${isMain(!isNew)}>${isNew ? 'Save as draft' : 'Save'}</button>
<button name="do" value="check">Check limits</button>${schedule}<button name="do" value="publish">Publish now</button></div>`
}

/** Returns the platforms on which the shop has accounts. */
function platformsOf({ accounts: all, platforms }: Networks): Networks['platforms'] {
  return platforms.filter(({ platform }) => all.some((account) => account.platform === platform))
}

function limits(draft: Draft, networks: Networks): string {
  const chosen = networks.accounts.filter(({ id }) => draft.accounts.includes(id))
  const names = (chosen.length > 0 ? chosen : networks.accounts).map(({ platform }) => platform)
  const found = networks.platforms.filter(({ platform }) => names.includes(platform))
  return (
    found.map(({ name, max_characters: most }) => `${name}: ${formatNumber(most)}`).join(', ') +
    (found.length > 0 ? ' characters.' : '')
  )
}

function accounts(
  visit: DashboardContext,
  draft: Draft,
  { accounts: all }: Networks,
  problems: readonly Problem[],
): Page {
  if (all.length === 0)
    return html`<p class="notice">No account is connected yet. <a href="${visit.base}/social_accounts/new">Connect one</a> first.</p>`
  const boxes = all.map(({ id, platform, username, label, status, post_options }) => {
    const asks = asksForOptions({ post_options }) ? html` data-asks` : ''
    const name = label ?? (username ? `@${username}` : 'Not connected yet')
    return html`<label><input type="checkbox" name="social_accounts" value="${id}"${asks}${draft.accounts.includes(id) ? html` checked` : ''}> <strong>${valueTitle(platform)}</strong> ${name}${status === 'connected' ? '' : html` <span class="optional">(${status === 'pending' ? 'not connected yet' : status})</span>`}</label>`
  })
  return html`<fieldset class="structured" id="field-social_accounts"><legend>Accounts</legend>${problemsAt(problems, 'field-social_accounts')}<div class="checks">${boxes}</div></fieldset>`
}

async function media(
  visit: DashboardContext,
  draft: Draft,
  sent: URLSearchParams | null,
  problems: readonly Problem[],
): Promise<Page> {
  const label = 'Pictures and videos'
  const [name, id, text] = ['media', 'field-media', draft.media.join('\n')]
  const input = await filesInput(visit, { name, id, text, described: '', label, sent, fits: isMedium })
  return html`<fieldset class="structured"><legend>${label}</legend><p class="hint">Shown in this order. Use the arrows to change it.</p>${problemsAt(problems, id)}${input}</fieldset>`
}

function area(
  name: string,
  label: string,
  text: string,
  rows: number,
  hint: string,
  problems: readonly Problem[],
): Page {
  const input = (described: Page) => html`<textarea id="field-${name}" name="${name}" rows="${rows}"${described}>
${text}</textarea>`
  return field({ id: `field-${name}`, label, hint, problems, input })
}

function line(
  name: string,
  label: string,
  text: string,
  type: string,
  hint: string,
  problems: readonly Problem[],
): Page {
  const input = (described: Page) =>
    html`<input id="field-${name}" name="${name}" type="${type}" value="${text}"${described}>`
  return field({
    id: `field-${name}`,
    label: html`${label} <span class="optional">optional</span>`,
    hint,
    problems,
    input,
  })
}

/** The only platform that requires a person to choose options for each post. */
const ASKS = 'tiktok'
const PREFIX = 'option_'
const POLICIES = 'https://www.tiktok.com/legal/page/global'

const AUDIENCE_NAMES: Record<Audience, string> = {
  PUBLIC_TO_EVERYONE: 'Everyone',
  FOLLOWER_OF_CREATOR: 'Followers',
  MUTUAL_FOLLOW_FRIENDS: 'Friends: followers you follow back',
  SELF_ONLY: 'Only you',
}

const INTERACTION_NAMES = {
  allow_comments: 'Allow comments',
  allow_duets: 'Allow duets, on videos',
  allow_stitches: 'Allow stitches, on videos',
}

const BRANDS = {
  your_brand: [
    'Your brand',
    'You are promoting yourself or your own business. The post will be labeled “Promotional content”.',
  ],
  branded_content: [
    'Branded content',
    'You are promoting another brand or a third party. The post will be labeled “Paid partnership”. Its audience cannot be “Only you”.',
  ],
} as const

/** Reads the options from a form. Boxes that are not checked send nothing. */
export function optionsIn(form: URLSearchParams): ChosenOptions {
  const audience = AUDIENCES.find((one) => one === form.get(`${PREFIX}privacy_level`))
  const names = [...INTERACTIONS, 'your_brand', 'branded_content', 'discloses'] as const
  const checked = names.filter((name) => form.has(PREFIX + name)).map((name) => [name, true])
  return { ...(audience && { privacy_level: audience }), ...Object.fromEntries(checked) }
}

export function optionsOf(overrides: Overrides): ChosenOptions {
  const options = overrides[ASKS]?.options ?? {}
  return { ...options, discloses: Boolean(options.your_brand || options.branded_content) }
}

/** Returns the options as overrides of the post. A promotion counts only if it is disclosed. */
export function overrideOf({ discloses, your_brand, branded_content, ...options }: ChosenOptions): Overrides {
  const chosen = { ...options, ...(discloses && { your_brand, branded_content }) }
  return Object.values(chosen).some(Boolean) ? { [ASKS]: { options: chosen } } : {}
}

function asksForOptions({ post_options }: Pick<Shown<'social_account'>, 'post_options'>): boolean {
  return post_options !== null
}

/** Returns an error if a post lacks a choice that TikTok requires, otherwise null. */
export function missingChoice({ accounts, options }: Draft, networks: Networks): Refusal | null {
  const asks = networks.accounts.some((one) => accounts.includes(one.id) && asksForOptions(one))
  const isBrandMissing = options.discloses && !options.your_brand && !options.branded_content
  if (asks && options.privacy_level === undefined) return refusal('Choose who can see the post on TikTok.')
  return asks && isBrandMissing
    ? refusal('Say whether the post on TikTok promotes your brand, a third party, or both.')
    : null
}

function refusal(message: string): Refusal {
  return { code: 'validation_failed', message, errors: { overrides: [message] } }
}

/** The choices that TikTok requires. Its Content Sharing Guidelines forbid preselecting any of them. */
function optionFields({ options }: Draft, { accounts }: Networks, problems: readonly Problem[]): Page {
  const asking = accounts.filter(asksForOptions)
  if (asking.length === 0) return html``
  const names = asking.map(({ display_name, username }) => display_name ?? username ?? 'an account').join(', ')
  const offers = asking.flatMap(({ post_options }) => post_options ?? [])
  const boxes = INTERACTIONS.map((name) => {
    const isOff = offers.every((offer) => !offer[name])
    return box(name, INTERACTION_NAMES[name], options[name] === true && !isOff, isOff)
  })
  const brands = keysOf(BRANDS).map((name) => {
    const [words, hint] = BRANDS[name]
    return html`${box(name, words, options[name] === true)}<p class="hint">${hint}</p>`
  })
  return html`<fieldset class="structured post-options" id="field-overrides"><legend>TikTok</legend>
<p class="hint">Posted as ${names}. TikTok takes a few minutes to process a post.</p>${problemsAt(problems, 'field-overrides')}
${audienceField(
  options,
  AUDIENCES.filter((one) => offers.some((offer) => offer.privacy_level.includes(one))),
)}
<div class="checks">${boxes}</div>
<div class="checks">${box('discloses', 'The post promotes a brand, product or service', options.discloses === true)}</div>
<div class="post-brands">${brands}</div></fieldset>`
}

function audienceField({ privacy_level: chosen }: ChosenOptions, audiences: readonly Audience[]): Page {
  const choices = audiences.map(
    (one) => html`<option value="${one}"${one === chosen ? html` selected` : ''}>${AUDIENCE_NAMES[one]}</option>`,
  )
  const id = 'field-privacy_level'
  return field({
    ...{ id, label: 'Who can see the post', problems: [] },
    input: (described) =>
      html`<select id="${id}" name="${PREFIX}privacy_level"${described}><option value="">Choose</option>${choices}</select>`,
  })
}

function box(name: string, words: string, isChecked: boolean, isOff = false): Page {
  const state = isOff ? html` disabled` : isChecked ? html` checked` : ''
  const why = isOff ? html` <span class="optional">(off in the settings of the account)</span>` : ''
  return html`<label><input type="checkbox" name="${PREFIX}${name}" value="true"${state}> ${words}${why}</label>`
}

/** The consent text, which must be directly before the buttons that publish. */
function consent({ accounts }: Networks): Page {
  if (!accounts.some(asksForOptions)) return html``
  return html`<div class="post-options"><p class="hint music-consent">${consentWords(false)}</p><p class="hint brand-consent">${consentWords(true)}</p></div>`
}

/** Returns the consent text for a stored post, or null if it needs none. */
export function consentOf(overrides: Overrides): Page | null {
  const options = overrides[ASKS]?.options
  return options ? consentWords(options.branded_content === true) : null
}

function consentWords(isBranded: boolean): Page {
  const policy = isBranded ? html`${link('bc-policy', 'Branded Content Policy')} and ` : ''
  return html`By posting, you agree to TikTok’s ${policy}${link('music-usage-confirmation', 'Music Usage Confirmation')}.`
}

function link(page: string, words: string): Page {
  return html`<a href="${POLICIES}/${page}/en" target="_blank" rel="noreferrer noopener">${words}</a>`
}

/** The chosen options of a post, and whether the person discloses a promotion. */
type ChosenOptions = PostOptions & { discloses?: boolean }

/** The values of the form for a post. */
export interface Draft {
  content: string
  accounts: string[]
  media: string[]
  link_url: string
  first_comment: string
  language: string
  scheduled_at: string
  /** Texts by platform, which replace the post's text on that platform. */
  overrides: Record<string, string>
  options: ChosenOptions
}

export interface Networks {
  accounts: Shown<'social_account'>[]
  platforms: Shown<'social_platform'>[]
}
