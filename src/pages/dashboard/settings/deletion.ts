import { html } from 'hono/html'
import { pageAnswer } from '../../parts/answers.ts'
import { closedPage } from '../../parts/document.ts'
import { describedBy, field, summaryOf } from '../../parts/markup.ts'
import { problemsOf } from '../derived/problem-words.ts'
import { type Refusal, refusalOf } from '../kit/call.ts'
import { type DashboardContext, type DashboardPage, may } from '../kit/visit.ts'
import { settingsPage } from './tabs.ts'

export const deletionPage: DashboardPage = {
  path: '/settings/deletion',
  see: 'ownership.write',
  get: (visit) => showDeletion(visit, null, 200),
  post: async (visit, _, form) => {
    const answer = await visit.call('POST /account/delete', { body: { subdomain: form.get('subdomain') ?? '' } })
    const refusal = refusalOf(answer)
    return refusal ? showDeletion(visit, refusal, answer.status) : deletedAnswer(visit)
  },
}

/** Shows the result outside the dashboard, because a person without another account is already signed out. */
function deletedAnswer({ account }: DashboardContext): Promise<Response> {
  const page = closedPage({
    frame: { shop: null, test: false },
    title: `${account.name} is deleted`,
    words:
      'Its tokens, subscriptions and pages no longer work. If this was your only account, you have been signed out.',
    way: { url: '/dashboard', words: 'Go to the dashboard' },
  })
  return pageAnswer(page)
}

const LOST = [
  'Products, orders, customers and everything else of this account are deleted and cannot be restored.',
  'Subscriptions and their payments end. Subscribers are not notified.',
  'Tokens stop working immediately. People who have no other account can no longer sign in.',
  'Buyers lose access to what they bought.',
]

async function showDeletion(visit: DashboardContext, refusal: Refusal | null, status: number): Promise<Response> {
  const { subdomain, name } = visit.account
  if (!may(visit, 'ownership.write'))
    return settingsPage(
      visit,
      { title: 'Deletion', status },
      html`<p class="notice">Only an owner can delete ${name}.</p>`,
    )
  const id = 'field-subdomain'
  const fields = visit.catalogue.bodyOf('POST /account/delete')
  const problems = problemsOf(refusal, fields)
  const typed = field({
    id,
    label: html`Type <code>${subdomain}</code> to confirm`,
    problems,
    input: () =>
      html`<input type="text" id="${id}" name="subdomain" maxlength="63" autocomplete="off" spellcheck="false"${describedBy(id, undefined, problems)}>`,
  })
  const content = html`${summaryOf(problems)}<form class="card form" method="post" action="${visit.path}" data-turbo="false"><input type="hidden" name="csrf" value="${visit.csrf}">
<ul class="setting-steps">${LOST.map((sentence) => html`<li>${sentence}</li>`)}</ul>
<p class="keep"><a href="${visit.base}/settings/export">Export everything first</a></p>
${typed}<div class="form-buttons"><button class="danger-solid">Permanently delete this account</button></div></form>`
  return settingsPage(visit, { title: `Delete ${name}`, status }, content)
}
