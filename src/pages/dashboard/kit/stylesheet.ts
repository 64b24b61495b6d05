import { readdirSync } from 'node:fs'
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
  'you/you',
]

export const DASHBOARD_STYLE = stylesheet(
  BELOW,
  ...BASE,
  ...sheets(import.meta.url, ...KIT.map((name) => `styles/${name}`)),
  ...sheets(import.meta.url, ...DERIVED.map((name) => `../derived/${name}`)),
  ...sheets(import.meta.url, ...AREAS.map((name) => `../${name}`)),
  ...sheetsOfFeatures(),
)

/** Returns the URLs of all stylesheets of features for the dashboard, in the order of their paths. */
function sheetsOfFeatures(): URL[] {
  const features = new URL('../../../features/', import.meta.url)
  const paths = readdirSync(features, { recursive: true, encoding: 'utf8' })
  return paths
    .filter((path) => /^[^/\\]+[/\\]pages[/\\]dashboard[/\\].+\.css$/.test(path))
    .sort()
    .map((path) => new URL(path, features))
}
