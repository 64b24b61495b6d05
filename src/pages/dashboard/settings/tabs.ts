import { html } from 'hono/html'
import { isAtLeast, type Role } from '../../../contract/declarations/caller.ts'
import type { Page } from '../../parts/document.ts'
import { dashboardAnswer } from '../kit/answers.ts'
import { type FrameOptions, framed } from '../kit/frame.ts'
import { type Tab, tabs } from '../kit/tabs.ts'
import type { Visit } from '../kit/visit.ts'

/** What can be set up of an account, by the least role that may see it. */
const SETTINGS_TABS: readonly (Tab & { for: Role })[] = [
  { path: '/settings/account', words: 'Account', for: 'member' },
  { path: '/settings/members', words: 'Members', for: 'member' },
  { path: '/settings/payments', words: 'Payments', for: 'admin' },
  { path: '/settings/connections', words: 'Connections', for: 'admin' },
  { path: '/settings/model', words: 'Model', for: 'admin' },
  { path: '/settings/email', words: 'E-mail', for: 'admin' },
  { path: '/settings/letters', words: 'Letters', for: 'member' },
  { path: '/settings/x402', words: 'x402', for: 'member' },
  { path: '/settings/credits', words: 'Credits', for: 'member' },
  { path: '/settings/storage', words: 'Storage', for: 'member' },
  { path: '/settings/test-accounts', words: 'Test accounts', for: 'member' },
  { path: '/settings/export', words: 'Export', for: 'owner' },
  { path: '/settings/deletion', words: 'Deletion', for: 'owner' },
]

/** A page of settings, with the others beside it. */
export function settingsPage(visit: Visit, options: FrameOptions, content: Page, status = 200): Promise<Response> {
  const open = SETTINGS_TABS.filter((tab) => isAtLeast(visit.membership.role, tab.for))
  return dashboardAnswer(framed(visit, options, html`${tabs(visit, 'Settings', open)}${content}`), { status })
}
