import { html } from 'hono/html'
import { formatNumber } from '../../../../format/numbers.ts'
import { filesInput } from '../../../../pages/dashboard/derived/file-inputs.ts'
import { isMedium } from '../../../../pages/dashboard/kit/pictures.ts'
import type { DashboardContext } from '../../../../pages/dashboard/kit/visit.ts'
import { valueTitle } from '../../../../pages/dashboard/kit/words.ts'
import { field, type Page, type Problem, problemsAt } from '../../../../pages/parts/markup.ts'
import type { Draft, Networks } from './networks.ts'
import { asksForOptions, consent, optionFields } from './post-options.ts'

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
