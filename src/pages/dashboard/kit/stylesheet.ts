import { BASE, stylesheet } from '../../parts/stylesheet.ts'
import { BELOW } from './scripts.ts'

/** What the dashboard looks like. */
export const DASHBOARD_STYLE = stylesheet(
  BELOW,
  ...BASE,
  new URL('../dashboard.css', import.meta.url),
  new URL('../shop/shop.css', import.meta.url),
  new URL('../settings/settings.css', import.meta.url),
  new URL('../you/you.css', import.meta.url),
  new URL('../agents/agents.css', import.meta.url),
  new URL('../content/content.css', import.meta.url),
  new URL('../social/social.css', import.meta.url),
)
