import { html } from 'hono/html'
import type { Page } from '../../parts/document.ts'
import { dashboardAnswer } from '../kit/answers.ts'
import { type FrameOptions, framed } from '../kit/frame.ts'
import { mayOpen } from '../kit/page-rights.ts'
import { type Tab, tabs } from '../kit/tabs.ts'
import type { Visit } from '../kit/visit.ts'

/** What can be set up of an account. */
const SETTINGS_TABS: readonly Tab[] = [
  { path: '/settings/account', words: 'Account' },
  { path: '/settings/branding', words: 'Branding' },
  { path: '/settings/members', words: 'Members' },
  { path: '/settings/payments', words: 'Payments' },
  { path: '/settings/tax', words: 'Tax' },
  { path: '/settings/connections', words: 'Connections' },
  { path: '/settings/model', words: 'Model' },
  { path: '/settings/email', words: 'E-mail' },
  { path: '/settings/x402', words: 'x402' },
  { path: '/settings/credits', words: 'Credits' },
  { path: '/settings/storage', words: 'Storage' },
  { path: '/settings/test-accounts', words: 'Test accounts' },
  { path: '/log_entries', words: 'Log' },
  { path: '/settings/export', words: 'Export' },
  { path: '/settings/deletion', words: 'Deletion' },
]

/** The pages of settings that the person may see. */
export function settingsPlaces(visit: Visit): (Tab & { group: string })[] {
  const open = SETTINGS_TABS.filter(({ path }) => mayOpen(visit, path))
  return open.map(({ path, words }) => ({ path, words, group: 'Settings' }))
}

/** A page of settings, with the others beside it. */
export function settingsPage(visit: Visit, options: FrameOptions, content: Page, status = 200): Promise<Response> {
  return dashboardAnswer(framed(visit, options, html`${tabs(visit, 'Settings', SETTINGS_TABS)}${content}`), { status })
}
