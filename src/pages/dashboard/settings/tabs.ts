import { html } from 'hono/html'
import type { Page } from '../../parts/markup.ts'
import { dashboardAnswer } from '../kit/answers.ts'
import { openTab, type Tab, tabLink } from '../kit/copy.ts'
import { type FrameOptions, framed } from '../kit/frame.ts'
import { mayOpen } from '../kit/page-rights.ts'
import type { Visit } from '../kit/visit.ts'

/** What can be set up of an account, in groups. */
const GROUPS: readonly (readonly [words: string, pages: readonly Tab[]])[] = [
  [
    'Shop',
    [
      { path: '/settings/account', words: 'Account' },
      { path: '/settings/branding', words: 'Branding' },
      { path: '/settings/email', words: 'E-mail' },
      { path: '/settings/letters', words: 'Letters' },
    ],
  ],
  [
    'Money',
    [
      { path: '/settings/payments', words: 'Payments' },
      { path: '/settings/tax', words: 'Tax' },
      { path: '/settings/x402', words: 'x402' },
      { path: '/settings/credits', words: 'Credits' },
    ],
  ],
  [
    'People',
    [
      { path: '/settings/members', words: 'Members' },
      { path: '/log_entries', words: 'Log' },
    ],
  ],
  [
    'Technical',
    [
      { path: '/settings/connections', words: 'Connections' },
      { path: '/settings/model', words: 'Model' },
      { path: '/settings/test-accounts', words: 'Test accounts' },
    ],
  ],
  [
    'Data',
    [
      { path: '/settings/storage', words: 'Storage' },
      { path: '/settings/export', words: 'Export' },
      { path: '/settings/deletion', words: 'Deletion' },
    ],
  ],
]

/** The pages of settings that the person may see. */
export function settingsPlaces(visit: Visit): (Tab & { group: string })[] {
  return groupsOf(visit).flatMap(({ pages }) => pages.map((page) => ({ ...page, group: 'Settings' })))
}

/** A page of settings, with the others beside it; on narrow screens they are folded above it. */
export function settingsPage(visit: Visit, options: FrameOptions, content: Page, status = 200): Promise<Response> {
  const page = html`<div class="settings">${menu(visit)}<div class="settings-content">${content}</div></div>`
  return dashboardAnswer(framed(visit, options, page), { status })
}

function menu(visit: Visit): Page {
  const groups = groupsOf(visit)
  const open = openTab(
    visit,
    groups.flatMap(({ pages }) => pages),
  )
  const lists = groups.map(
    ({ words, pages }) =>
      html`<div class="settings-group"><h2>${words}</h2><ul>${pages.map((page) => tabLink(visit, page, page === open))}</ul></div>`,
  )
  return html`<nav class="settings-menu" aria-label="Settings"><details class="settings-fold folds"><summary>All settings</summary><div class="settings-groups">${lists}</div></details></nav>`
}

function groupsOf(visit: Visit): { words: string; pages: Tab[] }[] {
  return GROUPS.map(([words, pages]) => ({ words, pages: pages.filter(({ path }) => mayOpen(visit, path)) })).filter(
    ({ pages }) => pages.length > 0,
  )
}
