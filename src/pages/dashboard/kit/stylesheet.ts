import { BASE, sheets, stylesheet } from '../../parts/stylesheet.ts'
import { BELOW } from './scripts.ts'

const KIT = ['base', 'frame', 'buttons', 'cards', 'text', 'tabs', 'tables', 'lists', 'filters', 'forms', 'preview']
const DERIVED = ['editor', 'nested', 'pictures']
/** Stylesheets of single areas. Each styles only the pages of its folder, so their order does not matter. */
const AREAS = [
  'accounts',
  'agents/code',
  'agents/plans',
  'agents/playground',
  'automation/automation',
  'content/content',
  'developers/developers',
  'home/home',
  'members/members',
  'plots/plots',
  'recover/recover',
  'reports/reports',
  'search/search',
  'settings/settings',
  'shop/editor/editor',
  'shop/shop',
  'social/calendar',
  'social/social',
  'you/you',
]

export const DASHBOARD_STYLE = stylesheet(
  BELOW,
  ...BASE,
  ...sheets(import.meta.url, ...KIT.map((name) => `styles/${name}`)),
  ...sheets(import.meta.url, ...DERIVED.map((name) => `../derived/${name}`)),
  ...sheets(import.meta.url, ...AREAS.map((name) => `../${name}`)),
)
