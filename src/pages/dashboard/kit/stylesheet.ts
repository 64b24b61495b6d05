import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { lazy } from '../../../runtime/lazy.ts'
import { packageFile } from '../../../runtime/package-file.ts'
import { type Asset, asset, BASE, sheets, stylesheet } from '../../parts/asset.ts'

/** The prefix of script addresses. No account can have it, because subdomains never begin with a hyphen. */
export const BELOW = '/dashboard/-/'

const KIT = ['base', 'frame', 'buttons', 'cards', 'text', 'tabs', 'tables', 'lists', 'filters', 'forms', 'preview']
const DERIVED = ['editor', 'nested', 'pictures']
/** Stylesheets of individual areas. Each styles only the pages of its folder, so their order does not matter. */
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

const OWN = new URL('../scripts/', import.meta.url)

/** The packages of the rich-text editor, which only pages with this editor load. */
const OF_EDITOR = [
  'prosemirror-commands',
  'prosemirror-history',
  'prosemirror-inputrules',
  'prosemirror-keymap',
  'prosemirror-model',
  'prosemirror-schema-list',
  'prosemirror-state',
  'prosemirror-transform',
  'prosemirror-view',
  'orderedmap',
  'rope-sequence',
]

/** The files of npm packages that browsers load, by module name. */
export const SCRIPT_FILES: Record<string, string> = {
  '@hotwired/turbo': '@hotwired/turbo/dist/turbo.es2017-esm.js',
  '@hotwired/stimulus': '@hotwired/stimulus/dist/stimulus.js',
  '@codemirror/autocomplete': '@codemirror/autocomplete/dist/index.js',
  '@codemirror/commands': '@codemirror/commands/dist/index.js',
  '@codemirror/language': '@codemirror/language/dist/index.js',
  '@codemirror/legacy-modes/mode/ruby': '@codemirror/legacy-modes/mode/ruby.js',
  '@codemirror/state': '@codemirror/state/dist/index.js',
  '@codemirror/streamparser': '@codemirror/streamparser/dist/index.js',
  '@codemirror/view': '@codemirror/view/dist/index.js',
  '@lezer/common': '@lezer/common/dist/index.js',
  '@lezer/highlight': '@lezer/highlight/dist/index.js',
  '@marijn/find-cluster-break': '@marijn/find-cluster-break/src/index.js',
  crelt: 'crelt/index.js',
  'style-mod': 'style-mod/src/style-mod.js',
  'w3c-keyname': 'w3c-keyname/index.js',
  ...Object.fromEntries(OF_EDITOR.map((name) => [name, `${name}/dist/index.js`])),
}

interface Scripts {
  byName: Map<string, Asset>
  byAddress: Map<string, Asset>
  importMap: string
  importMapHash: string
}

/** Reads the scripts on first use, because they take a megabyte and not every process serves pages. */
const scripts = lazy(readScripts)

function readScripts(): Scripts {
  const files = [
    ...Object.entries(SCRIPT_FILES).map(([name, file]) => [name, packageFile(file)] as const),
    ...readdirSync(OWN)
      .filter((file) => file.endsWith('.js'))
      .map((file) => [`dashboard/${file.slice(0, -3)}`, new URL(file, OWN)] as const),
  ]
  const byName = new Map(files.map(([name, file]) => [name, scriptOf(name, file)]))
  const imports = Object.fromEntries([...byName].map(([name, { address }]) => [name, address]))
  const importMap = JSON.stringify({ imports })
  return {
    byName,
    byAddress: new Map([...byName.values()].map((script) => [script.address, script])),
    importMap,
    importMapHash: `sha256-${createHash('sha256').update(importMap).digest('base64')}`,
  }
}

function scriptOf(name: string, file: string | URL): Asset {
  const stem = name.replaceAll(/[^a-z0-9]+/g, '-').replace(/^-/, '')
  return asset(BELOW + stem, 'js', readFileSync(file, 'utf8'))
}

/** Returns the import map, from module names to addresses that contain a hash of the module. */
export function importMap(): string {
  return scripts().importMap
}

export function importMapHash(): string {
  return scripts().importMapHash
}

export function scriptAddress(name: string): string {
  return scripts().byName.get(name)!.address
}

export function scriptAt(address: string): Asset | undefined {
  return scripts().byAddress.get(address)
}
