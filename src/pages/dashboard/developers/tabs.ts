import { html } from 'hono/html'
import type { Page } from '../../parts/markup.ts'
import { type FrameOptions, framed } from '../kit/answers.ts'
import { type Tab, tabs } from '../kit/tabs.ts'
import type { DashboardContext } from '../kit/visit.ts'

const DEVELOPER_TABS: readonly Tab[] = [
  { path: '/developers/tokens', words: 'Tokens' },
  { path: '/developers/connections', words: 'Connections' },
  { path: '/developers/webhooks', words: 'Webhooks' },
  { path: '/developers/events', words: 'Events' },
  { path: '/developers/requests', words: 'Requests' },
]

export function developerPlaces(): (Tab & { group: string })[] {
  return DEVELOPER_TABS.map((tab) => ({ ...tab, group: 'Developers' }))
}

export function developerPage(visit: DashboardContext, options: FrameOptions, content: Page): Promise<Response> {
  return framed(visit, options, html`${tabs(visit, 'Developers', DEVELOPER_TABS)}${content}`)
}
