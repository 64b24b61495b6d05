import { html } from 'hono/html'
import type { RoleRight } from '../../../contract/declarations/role-rights.ts'
import type { Page } from '../../parts/document.ts'
import { dashboardAnswer } from '../kit/answers.ts'
import { type FrameOptions, framed } from '../kit/frame.ts'
import { type Tab, tabs } from '../kit/tabs.ts'
import { may, type Visit } from '../kit/visit.ts'

/** What can be set up of an account, by the right that it takes to see it. */
const SETTINGS_TABS: readonly (Tab & { needs: RoleRight })[] = [
  { path: '/settings/account', words: 'Account', needs: 'account.read' },
  { path: '/settings/members', words: 'Members', needs: 'account.read' },
  { path: '/settings/payments', words: 'Payments', needs: 'settings.read' },
  { path: '/settings/connections', words: 'Connections', needs: 'settings.read' },
  { path: '/settings/model', words: 'Model', needs: 'settings.read' },
  { path: '/settings/email', words: 'E-mail', needs: 'settings.read' },
  { path: '/settings/x402', words: 'x402', needs: 'wallet.read' },
  { path: '/settings/credits', words: 'Credits', needs: 'account.read' },
  { path: '/settings/storage', words: 'Storage', needs: 'account.read' },
  { path: '/settings/test-accounts', words: 'Test accounts', needs: 'self.read' },
  { path: '/settings/export', words: 'Export', needs: 'ownership.read' },
  { path: '/settings/deletion', words: 'Deletion', needs: 'ownership.write' },
]

/** A page of settings, with the others beside it. */
export function settingsPage(visit: Visit, options: FrameOptions, content: Page, status = 200): Promise<Response> {
  const open = SETTINGS_TABS.filter((tab) => may(visit, tab.needs))
  return dashboardAnswer(framed(visit, options, html`${tabs(visit, 'Settings', open)}${content}`), { status })
}
