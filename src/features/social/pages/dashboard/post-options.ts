import { html } from 'hono/html'
import { keysOf } from '../../../../contract/values/keys.ts'
import { AUDIENCES, type Audience, INTERACTIONS } from '../../../../contract/values/post-audiences.ts'
import type { Refusal } from '../../../../pages/dashboard/kit/call.ts'
import { field, type Page, type Problem, problemsAt } from '../../../../pages/parts/markup.ts'
import type { Shown } from '../../../../resources/nouns.ts'
import type { Overrides } from '../../resources/social-post/social-post.ts'
import type { ChosenOptions, Draft, Networks } from './networks.ts'

/** The only platform that requires a person's choices for each post. */
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

export function asksForOptions({ post_options }: Pick<Shown<'social_account'>, 'post_options'>): boolean {
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
export function optionFields({ options }: Draft, { accounts }: Networks, problems: readonly Problem[]): Page {
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
export function consent({ accounts }: Networks): Page {
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
