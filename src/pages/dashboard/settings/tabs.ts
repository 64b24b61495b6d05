import { html } from 'hono/html'
import type { Page } from '../../parts/document.ts'
import { dashboardAnswer } from '../kit/answers.ts'
import { type FrameOptions, framed } from '../kit/frame.ts'
import { type Tab, tabs } from '../kit/tabs.ts'
import type { Visit } from '../kit/visit.ts'

/** What can be set up of an account. */
const SETTINGS_TABS: readonly Tab[] = [
  { path: '/settings/account', words: 'Account' },
  { path: '/settings/members', words: 'Members' },
  { path: '/settings/payments', words: 'Payments' },
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

/** A page of settings, with the others beside it. */
export function settingsPage(visit: Visit, options: FrameOptions, content: Page, status = 200): Promise<Response> {
  return dashboardAnswer(framed(visit, options, html`${tabs(visit, 'Settings', SETTINGS_TABS)}${content}`), { status })
}
