import { html } from 'hono/html'
import type { Page } from '../../parts/markup.ts'
import { type FrameOptions, framed } from '../kit/answers.ts'
import { mayOpen } from '../kit/page-rights.ts'
import { openTab, type Tab, tabLink } from '../kit/tabs.ts'
import type { DashboardContext } from '../kit/visit.ts'

/** The settings pages by group. A path is below `/settings/` unless it begins with a slash. */
const GROUPS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Shop: { account: 'Account', branding: 'Branding', email: 'E-mail', letters: 'Letters' },
  Money: { payments: 'Payments', tax: 'Tax', x402: 'x402', credits: 'Credits' },
  People: { members: 'Members', '/log_entries': 'Log' },
  Technical: { connections: 'Connections', model: 'Model', 'test-accounts': 'Test accounts' },
  Data: { storage: 'Storage', export: 'Export', deletion: 'Deletion' },
}

export function settingsPlaces(visit: DashboardContext): (Tab & { group: string })[] {
  return groupsOf(visit).flatMap(({ pages }) => pages.map((page) => ({ ...page, group: 'Settings' })))
}

export function settingsPage(visit: DashboardContext, options: FrameOptions, content: Page): Promise<Response> {
  const page = html`<div class="settings">${menu(visit)}<div class="settings-content">${content}</div></div>`
  return framed(visit, options, page)
}

function menu(visit: DashboardContext): Page {
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

function groupsOf(visit: DashboardContext): { words: string; pages: Tab[] }[] {
  return Object.entries(GROUPS)
    .map(([words, pages]) => ({
      words,
      pages: Object.entries(pages)
        .map(([name, title]) => ({ path: name.startsWith('/') ? name : `/settings/${name}`, words: title }))
        .filter(({ path }) => mayOpen(visit, path)),
    }))
    .filter(({ pages }) => pages.length > 0)
}
