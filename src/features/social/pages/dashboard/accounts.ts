import { html } from 'hono/html'
import { formatMoment } from '../../../../format/moments.ts'
import { problemsOf } from '../../../../pages/dashboard/derived/problem-words.ts'
import { framed, goDone } from '../../../../pages/dashboard/kit/answers.ts'
import { keyField, keyOf, type Refusal, refusalOf } from '../../../../pages/dashboard/kit/call.ts'
import { ifOpen } from '../../../../pages/dashboard/kit/page-rights.ts'
import { badge } from '../../../../pages/dashboard/kit/value.ts'
import { type DashboardContext, type DashboardPage, type Viewed, view } from '../../../../pages/dashboard/kit/visit.ts'
import { valueTitle } from '../../../../pages/dashboard/kit/words.ts'
import { describedBy, field, type Page, summaryOf } from '../../../../pages/parts/markup.ts'
import { PLATFORM_NAMES } from '../../resources/social-platform/social-platform.ts'

const connect: DashboardPage = {
  path: '/social_accounts/new',
  see: 'content.write',
  get: (visit) => connectPage(visit, null, null),
  async post(visit, _, form) {
    const username = form.get('username')?.trim()
    const redirect_url = `${visit.parts.publicUrl}${visit.base}/social_accounts`
    const body = { platform: form.get('platform'), redirect_url, ...(username && { username }) }
    const answer = await visit.call('POST /social_accounts', { body, key: keyOf(form) })
    const refusal = refusalOf(answer)
    if (refusal) return connectPage(visit, form, refusal, answer.status)
    return goDone(visit, `${visit.base}/social_accounts/${answer.body.id}`, 'created')
  },
}

function connectPage(
  visit: DashboardContext,
  sent: URLSearchParams | null,
  refusal: Refusal | null,
  status = 200,
): Promise<Response> {
  const crumbs = [{ words: 'Social accounts', address: `${visit.base}/social_accounts` }]
  const problems = problemsOf(refusal, visit.catalogue.bodyOf('POST /social_accounts'), {
    labels: { platform: 'Network', username: 'Account name' },
  })
  const chosen = sent?.get('platform') ?? ''
  const options = PLATFORM_NAMES.map(
    (name) => html`<option value="${name}"${name === chosen ? html` selected` : ''}>${valueTitle(name)}</option>`,
  )
  const select = (described: Page) => html`<select id="field-platform" name="platform"${described}>${options}</select>`
  const hint = 'Only this account can be connected. Leave empty to allow any of your accounts.'
  const input = (described: Page) =>
    html`<input id="field-username" name="username" maxlength="100" autocomplete="off" value="${sent?.get('username') ?? ''}"${described}>`
  const label = html`Account name <span class="optional">optional</span>`
  const content = html`${summaryOf(problems)}<form class="card form" method="post" action="${visit.path}"><input type="hidden" name="csrf" value="${visit.csrf}">${keyField(sent, refusal)}
${field({ id: 'field-platform', label: 'Network', problems, input: select })}${field({ id: 'field-username', label, hint, problems, input: () => input(describedBy('field-username', hint, problems)) })}
<div class="form-buttons"><button class="primary">Continue</button><a class="button quiet" href="${visit.base}/social_accounts">Cancel</a></div></form>`
  const lead = 'You allow access on the network’s own page, or send the link to the person who manages the account.'
  return framed(visit, { title: 'Connect a social account', crumbs, lead, status }, content)
}

async function connectionNotice(
  visit: DashboardContext,
  { id, status, connect_url: url }: Viewed<'social_account'>,
): Promise<Page | null> {
  if (typeof url === 'string')
    return html`<section class="notice wait"><h2>Access not granted yet</h2><p>Open the network’s page, or send the link to the person who manages the account.</p>
<p class="copy-line" data-controller="copy"><a class="button primary" href="${url}" data-turbo="false">Allow access</a> <code data-copy-target="source">${url}</code> <button type="button" class="small" hidden data-copy-target="button" data-action="copy#copy">Copy</button></p></section>`
  if (status === 'disconnected') return null
  const answer = await visit.call('GET /social_accounts/{id}/health', { path: { id } })
  if (refusalOf(answer)) return null
  const found = answer.body
  const problems = found.problems.map(({ message }) => html`<li>${message}</li>`)
  return html`<section class="card" aria-labelledby="health"><h2 id="health">Health ${badge(found.can_publish ? 'ok' : 'error')}</h2>
<p>${found.can_publish ? 'Posts can be published.' : 'Posts cannot be published right now.'} Checked ${formatMoment(found.checked_at, visit.account.timezone)}.</p>${problems.length > 0 ? html`<ul class="plain-list">${problems}</ul>` : ''}</section>`
}

export const accountPages: DashboardPage[] = [connect]

export const accountView = view('social_account', {
  columns: ['username', 'platform', 'status', 'followers_count', 'last_synced_at'],
  lead: 'Your shop’s social accounts that posts are published to.',
  without: ['connect_url', 'metadata'],
  sections: [connectionNotice],
  listLinks: (visit) =>
    html`${ifOpen(visit, '/social_accounts/new', html`<a class="button primary" href="${visit.base}/social_accounts/new">Connect an account</a>`)}`,
  links: ({ base }, { id }) =>
    html`<a class="button" href="${base}/social/analytics?social_account=${id}">Analytics</a>`,
})

export const commentView = view('social_comment', {
  columns: ['content', 'author_name', 'platform', 'status', 'likes_count', 'created_at'],
  lead: 'Comments on your posts. Reply to, like or hide them.',
  without: ['platform_comment_id'],
})
